/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * The options that every Hadoop command has, such as {@code -D} and {@code -conf}.
 *
 * <p>Hadoop ignores a {@code -conf} file that does not exist: a command meant for another cluster would be carried out
 * on this host's own, and a server would start with the defaults. Here a missing file is an error.
 *
 * <p>Uses {@code GenericOptionsParser}.
 */
public final class GenericOptions {

    private GenericOptions() {}

    /**
     * Applies the generic options to the configuration, and returns the other arguments.
     *
     * @throws IllegalArgumentException if an option is wrong, or a file does not exist or is no XML; the message says which
     * @throws IOException if a file cannot be read
     */
    public static String[] read(Configuration conf, String... arguments) throws IOException {
        GenericOptionsParser options;
        try {
            options = new GenericOptionsParser(conf, arguments);
            // The files are read when the first value is wanted.
            conf.size();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("The configuration cannot be read: " + innermostMessage(e), e);
        }
        if (!options.isParseSuccessful()) {
            throw new IllegalArgumentException("Hadoop could not read its generic options, see above");
        }
        String[] files = options.getCommandLine().getOptionValues("conf");
        if (files != null) {
            for (String file : files) {
                requireFile(file);
            }
        }
        return options.getRemainingArgs();
    }

    private static String innermostMessage(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).replaceAll("\\s*\n\\s*", " ");
    }

    private static void requireFile(String file) {
        if (!new File(new Path(file).toUri().getPath()).isFile()) {
            throw new IllegalArgumentException("There is no file " + file + ", which -conf names");
        }
    }
}
