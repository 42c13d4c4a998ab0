/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;

/**
 * A command of {@code hdfs trefoil} that another jar brings, found by {@code ServiceLoader}. It reads its own arguments: the
 * library by which the other commands read theirs is inside this jar under a name of its own.
 */
public interface TrefoilSubcommand {

    /** The word behind {@code hdfs trefoil}. */
    String name();

    /** What it is for, in a line of the help text. */
    String description();

    /**
     * Runs it to its end.
     *
     * @param conf with Hadoop's generic options in it
     * @param arguments those behind the name
     * @return one of {@link io.trefoil.journal.cli.ExitCode}
     */
    int run(Configuration conf, PrintWriter out, PrintWriter err, String... arguments);
}
