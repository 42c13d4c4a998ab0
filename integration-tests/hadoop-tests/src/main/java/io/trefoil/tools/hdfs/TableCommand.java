/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import org.apache.hadoop.conf.Configuration;

/** {@code hdfs trefoil table} in the JVM of a test, in the package of the command, as its {@code main} ends the JVM. */
public final class TableCommand {

    private TableCommand() {}

    public static void run(Configuration conf, String... arguments) {
        if (TrefoilMain.run(conf, System.out, System.err, arguments) != 0) {
            throw new IllegalStateException("refused: " + String.join(" ", arguments));
        }
    }
}
