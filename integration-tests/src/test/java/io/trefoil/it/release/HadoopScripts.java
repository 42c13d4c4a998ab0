/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import java.nio.file.Files;
import java.nio.file.Path;

/** Hadoop's shell scripts: those of a real distribution, if {@code HADOOP_HOME} names one, or our stand-in. */
final class HadoopScripts {
    private static final Path STAND_IN =
            Path.of("src/test/resources/hadoop-scripts").toAbsolutePath();

    private HadoopScripts() {}

    /** The directory with {@code bin} and {@code libexec}. */
    static Path home() {
        String home = System.getenv("HADOOP_HOME");
        if (home != null && Files.isExecutable(Path.of(home, "bin/hdfs"))) {
            return Path.of(home);
        }
        return STAND_IN;
    }

    /** Whether they are our stand-in. */
    static boolean isStandIn() {
        return home().equals(STAND_IN);
    }
}
