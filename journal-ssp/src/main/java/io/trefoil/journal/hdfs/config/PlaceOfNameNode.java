/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * The place of a NameNode in the pool, where its pool node runs alone while it cannot run itself. A keeper
 * ({@code bin/namenode-keeper}) starts the pool node when the NameNode fails, and ends it when the NameNode asks.
 *
 * <p>Uses {@code DFSUtil.getNamenodeNameServiceId}, {@code HAUtil.getNameNodeId}, {@code NameNode.initializeGenericKeys}
 * and {@code FSNamesystem.getSharedEditsDirs}.
 */
public final class PlaceOfNameNode {
    /** Names the folder in which keeper and NameNode exchange two files; not set without a keeper. */
    private static final String FOLDER = "TREFOIL_KEEPER";

    private static final String TAKEN = "in-place";
    private static final String WANTED = "wanted";

    private static final Duration LOOK_EACH = Duration.ofMillis(20);

    /** Longer than a pool node takes to close, even with a slow disk; without its place, the NameNode then fails to start. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path folder;

    PlaceOfNameNode(Path folder) {
        this.folder = folder;
    }

    /** That of the NameNode in this process; empty if no keeper runs it. */
    public static Optional<PlaceOfNameNode> ofThisProcess() {
        return in(System.getenv());
    }

    static Optional<PlaceOfNameNode> in(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(FOLDER)).map(folder -> new PlaceOfNameNode(Paths.get(folder)));
    }

    /**
     * Whether a configuration gives the NameNode of this host a pool node inside, which has a journal to serve.
     *
     * @param conf changed to what this NameNode would read
     * @throws IllegalArgumentException if something in it is wrong; the text names the property
     */
    public static boolean isKeptFor(Configuration conf) throws IOException {
        String nameservice;
        String nameNode;
        try {
            nameservice = DFSUtil.getNamenodeNameServiceId(conf);
            nameNode = nameservice == null ? null : HAUtil.getNameNodeId(conf, nameservice);
        } catch (HadoopIllegalArgumentException e) {
            // Not a NameNode's host, or it cannot tell which one.
            return false;
        }
        NameNode.initializeGenericKeys(conf, nameservice, nameNode);
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        if (!PoolUri.isPool(FSNamesystem.getSharedEditsDirs(conf)) || !SspKeys.EMBEDDED.get(suffixed)) {
            return false;
        }
        Path directory = SspSettings.directory(suffixed);
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> journals = Files.list(directory)) {
            return journals.anyMatch(Files::isDirectory);
        }
    }

    /**
     * Has the pool node end that runs in place of this NameNode, if one does; blocks until it has.
     *
     * @throws IOException if it does not end in time
     */
    public void takeBack() throws IOException {
        if (!Files.exists(folder.resolve(TAKEN))) {
            return;
        }
        Path wanted = folder.resolve(WANTED);
        Files.write(wanted, Collections.<String>emptyList());
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Files.exists(wanted)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        "Wanted the place of the pool node that runs in place of this NameNode; it has not"
                                + " ended for " + PATIENCE.toMillis() + " ms. End it, and start the NameNode again");
            }
            try {
                TimeUnit.NANOSECONDS.sleep(LOOK_EACH.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while waiting for " + wanted);
            }
        }
    }
}
