/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.cli.ExitCode;
import io.trefoil.journal.cli.TrefoilCommand;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * What {@code hdfs trefoil} runs: {@link TrefoilCommand} with Hadoop's configuration and generic options, or a
 * {@link TrefoilSubcommand} that another jar on the class path brings.
 *
 * <p>Uses {@code HdfsConfiguration} and {@code GenericOptionsParser}.
 */
public final class TrefoilMain {

    private TrefoilMain() {}

    public static void main(String[] arguments) {
        System.exit(run(new HdfsConfiguration(), System.out, System.err, arguments));
    }

    /** Runs one command to its end; gives its exit code. */
    static int run(Configuration conf, PrintStream out, PrintStream err, String... arguments) {
        PrintWriter errors = writer(err);
        try {
            String[] rest = new GenericOptionsParser(conf, arguments).getRemainingArgs();
            Map<String, String> others = new TreeMap<>();
            for (TrefoilSubcommand other : ServiceLoader.load(TrefoilSubcommand.class)) {
                if (rest.length > 0 && rest[0].equals(other.name())) {
                    return other.run(conf, writer(out), errors, Arrays.copyOfRange(rest, 1, rest.length));
                }
                others.put(other.name(), other.description());
            }
            return TrefoilCommand.run(new HadoopInstallation(conf), others, writer(out), errors, rest);
        } catch (IOException | IllegalArgumentException e) {
            // Only Hadoop's options can fail like that; the command answers for itself.
            errors.println(e.getMessage());
            return ExitCode.USAGE;
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, Charset.defaultCharset()), true);
    }
}
