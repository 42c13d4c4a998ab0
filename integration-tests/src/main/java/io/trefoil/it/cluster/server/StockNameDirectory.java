/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.OfflineNamespace;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Image and edits up to a transaction, as kept by stock HDFS in a name directory. */
public final class StockNameDirectory {
    private static final Pattern IMAGE = Pattern.compile("fsimage_(\\d{19})");
    private static final Pattern EDITS = Pattern.compile("edits_(\\d{19})-(\\d{19})");

    private StockNameDirectory() {}

    static Path newestImage(Path currentDirectory, long mostTxId) throws IOException {
        try (Stream<Path> files = Files.list(currentDirectory)) {
            return files.filter(file -> {
                        Matcher image = IMAGE.matcher(file.getFileName().toString());
                        return image.matches() && Long.parseLong(image.group(1)) <= mostTxId;
                    })
                    .max(Comparator.naturalOrder())
                    .orElseThrow(
                            () -> new IllegalStateException("no image up to " + mostTxId + " in " + currentDirectory));
        }
    }

    /** Copies the image and edits that lead to a transaction; fails if there is a gap. */
    public static void copy(Path currentDirectory, Path target, long txId) throws IOException {
        Path image = newestImage(currentDirectory, txId);
        Files.createDirectories(target);
        Files.copy(currentDirectory.resolve("VERSION"), target.resolve("VERSION"));
        Files.copy(image, target.resolve(image.getFileName()));
        String checksum = image.getFileName() + ".md5";
        Files.copy(currentDirectory.resolve(checksum), target.resolve(checksum));
        Files.write(target.resolve("seen_txid"), (txId + "\n").getBytes(StandardCharsets.UTF_8));
        long next = Long.parseLong(image.getFileName().toString().substring("fsimage_".length())) + 1;
        for (Path file : edits(currentDirectory)) {
            Matcher range = EDITS.matcher(file.getFileName().toString());
            if (range.matches() && Long.parseLong(range.group(1)) == next && next <= txId) {
                Files.copy(file, target.resolve(file.getFileName()));
                next = Long.parseLong(range.group(2)) + 1;
            }
        }
        if (next != txId + 1) {
            throw new IllegalStateException(
                    "the edits in " + currentDirectory + " lead to " + (next - 1) + ", wanted " + txId);
        }
    }

    private static List<Path> edits(Path currentDirectory) throws IOException {
        try (Stream<Path> files = Files.list(currentDirectory)) {
            return files.filter(
                            file -> EDITS.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    /** Loads the namespace that {@link #copy} left in {@code current}, and saves it; returns the image. */
    public static Path save(Path root) throws IOException {
        // This process may have several namesystems, one after the other.
        DefaultMetricsSystem.setMiniClusterMode(true);
        Configuration conf = new HdfsConfiguration();
        conf.set("fs.defaultFS", "hdfs://localhost:1");
        conf.set("dfs.namenode.name.dir", root.toUri().toString());
        conf.set("dfs.namenode.edits.dir", root.toUri().toString());
        // HDFS requires it if this process uses Kerberos.
        conf.setBoolean("dfs.block.access.token.enable", UserGroupInformation.isSecurityEnabled());
        // Its thread would end this process, which has no metrics of a NameNode.
        conf.set("dfs.namenode.edits.asynclogging", "false");
        try (OfflineNamespace loaded = OfflineNamespace.load(conf)) {
            loaded.namesystem().getFSImage().saveNamespace(loaded.namesystem());
        }
        return newestImage(root.resolve("current"), Long.MAX_VALUE);
    }
}
