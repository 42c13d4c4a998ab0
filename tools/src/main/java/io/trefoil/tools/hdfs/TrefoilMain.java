/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.foundation.hdfs.GenericOptions;
import io.trefoil.foundation.hdfs.TrefoilSettings;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.tools.TrefoilCommand;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * The main class of {@code hdfs trefoil}: {@link TrefoilCommand} with Hadoop's configuration and generic options.
 *
 * <p>Uses {@code HdfsConfiguration}.
 */
public final class TrefoilMain {

    /** The environment variable that holds the name by which the command was called; set by {@code bin/trefoil}. */
    private static final String TYPED = "TREFOIL_COMMAND";

    private TrefoilMain() {}

    public static void main(String[] arguments) {
        System.exit(run(new HdfsConfiguration(), System.out, System.err, arguments));
    }

    /** Runs one command to completion; returns its exit code. */
    public static int run(Configuration conf, PrintStream out, PrintStream err, String... arguments) {
        PrintWriter errors = writer(err);
        String[] rest;
        try {
            rest = GenericOptions.read(conf, arguments);
        } catch (IOException | IllegalArgumentException e) {
            errors.println(e.getMessage());
            return ExitCode.USAGE;
        }
        try {
            TrefoilSettings.applyDefaults(conf);
            String typed = System.getenv().getOrDefault(TYPED, TrefoilCommand.PROFILE_COMMAND);
            return TrefoilCommand.run(new HadoopInstallation(conf), typed, writer(out), errors, rest);
        } finally {
            try {
                PoolProcess.closeAll();
            } catch (IOException e) {
                errors.println("The connections to the pool were not closed: " + e.getMessage());
            }
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, Charset.defaultCharset()), true);
    }
}
