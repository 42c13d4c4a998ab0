/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.foundation.hdfs.TrefoilSettings;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.tools.TrefoilCommand;
import io.trefoil.tools.output.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * The main class of {@code hdfs trefoil}: {@link TrefoilCommand} with Hadoop's configuration and generic options.
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
        String[] rest;
        try {
            GenericOptionsParser options = new GenericOptionsParser(conf, arguments);
            if (!options.isParseSuccessful()) {
                // It has said what it wants.
                return ExitCode.USAGE;
            }
            requireFiles(options.getCommandLine().getOptionValues("conf"));
            rest = options.getRemainingArgs();
        } catch (IOException | IllegalArgumentException e) {
            errors.println(e.getMessage());
            return ExitCode.USAGE;
        }
        try {
            TrefoilSettings.begin(conf);
            return TrefoilCommand.run(new HadoopInstallation(conf), writer(out), errors, rest);
        } finally {
            try {
                PoolProcess.closeAll();
            } catch (IOException e) {
                errors.println("The connections to the pool were not closed: " + e.getMessage());
            }
        }
    }

    /**
     * Hadoop passes over a file that is not there, and a command for another cluster would be carried out on this host's own.
     *
     * @param named by {@code -conf}; null if it was not given
     */
    private static void requireFiles(String[] named) {
        if (named == null) {
            return;
        }
        for (String file : named) {
            if (!new File(new Path(file).toUri().getPath()).isFile()) {
                throw new IllegalArgumentException("There is no file " + file + ", which -conf names");
            }
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, Charset.defaultCharset()), true);
    }
}
