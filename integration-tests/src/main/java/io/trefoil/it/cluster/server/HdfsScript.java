/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The command {@code hdfs} of one cluster, to be found in a PATH. It runs the classes that Hadoop's own script runs, which no Maven
 * artifact contains, and finds the cluster whatever {@code HADOOP_CONF_DIR} says.
 */
final class HdfsScript {
    private static final Map<String, String> CLASSES = new TreeMap<>(Map.ofEntries(
            Map.entry("balancer", "org.apache.hadoop.hdfs.server.balancer.Balancer"),
            Map.entry("cacheadmin", "org.apache.hadoop.hdfs.tools.CacheAdmin"),
            Map.entry("debug", "org.apache.hadoop.hdfs.tools.DebugAdmin"),
            Map.entry("dfs", "org.apache.hadoop.fs.FsShell"),
            Map.entry("dfsadmin", "org.apache.hadoop.hdfs.tools.DFSAdmin"),
            Map.entry("ec", "org.apache.hadoop.hdfs.tools.ECAdmin"),
            Map.entry("fsck", "org.apache.hadoop.hdfs.tools.DFSck"),
            Map.entry("getconf", "org.apache.hadoop.hdfs.tools.GetConf"),
            Map.entry("groups", "org.apache.hadoop.hdfs.tools.GetGroups"),
            Map.entry("haadmin", "org.apache.hadoop.hdfs.tools.DFSHAAdmin"),
            Map.entry("lsSnapshottableDir", "org.apache.hadoop.hdfs.tools.snapshot.LsSnapshottableDir"),
            Map.entry("oev", "org.apache.hadoop.hdfs.tools.offlineEditsViewer.OfflineEditsViewer"),
            Map.entry("oiv", "org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB"),
            Map.entry("snapshotDiff", "org.apache.hadoop.hdfs.tools.snapshot.SnapshotDiff"),
            Map.entry("storagepolicies", "org.apache.hadoop.hdfs.tools.StoragePolicyAdmin"),
            Map.entry("trefoil", NameNodeServer.TREFOIL_CLASS),
            Map.entry("version", "org.apache.hadoop.util.VersionInfo")));

    private HdfsScript() {}

    /** @param jvm the words of a command line, up to the main class */
    static void write(Path directory, List<String> jvm) {
        String cases = CLASSES.entrySet().stream()
                .map(command -> "  %s) class=%s ;;".formatted(command.getKey(), command.getValue()))
                .collect(joining("\n"));
        String line =
                jvm.stream().map(word -> "'" + word.replace("'", "'\\''") + "'").collect(joining(" "));
        Path script = directory.resolve("hdfs");
        try {
            Files.writeString(
                    script,
                    """
                    #!/usr/bin/env bash
                    # The command hdfs of one cluster, as long as that runs.
                    case ${1:-} in
                    %s
                      *.*) class=$1 ;;
                      '') echo "Usage: hdfs COMMAND [ARGUMENT...], with one of these commands: %s" >&2; exit 1 ;;
                      *) echo "hdfs has no command '$1' here, but: %2$s" >&2; exit 1 ;;
                    esac
                    shift
                    exec %s "$class" "$@"
                    """
                            .formatted(cases, String.join(" ", CLASSES.keySet()), line));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
