/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of this host, from Linux's {@code /proc}; empty on a system without it. */
final class Processes {
    static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    static final String ZKFC = "org.apache.hadoop.hdfs.tools.DFSZKFailoverController";

    private final Path proc;

    Processes(Path proc) {
        this.proc = proc;
    }

    boolean isRunning(String mainClass) {
        return !findPids(mainClass).isEmpty();
    }

    /** The ids of the processes with that main class among their arguments. */
    List<String> findPids(String mainClass) {
        List<String> processes = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path directory : directories) {
                if (commandLine(directory).contains("\0" + mainClass + "\0")) {
                    processes.add(directory.getFileName().toString());
                }
            }
        } catch (IOException noProc) {
            return processes;
        }
        return processes;
    }

    private static String commandLine(Path directory) {
        try {
            return new String(Files.readAllBytes(directory.resolve("cmdline")), StandardCharsets.UTF_8);
        } catch (IOException ended) {
            return "";
        }
    }

    /** The lines of a file below {@code /proc}; empty if it cannot be read. */
    List<String> lines(String file) {
        try {
            return Files.readAllLines(proc.resolve(file));
        } catch (IOException absent) {
            return new ArrayList<>();
        }
    }
}
