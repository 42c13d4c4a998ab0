/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.JournalId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * The place of a NameNode in the pool; the pool node runs there alone while the NameNode itself cannot run. A keeper
 * ({@code bin/namenode-keeper}) starts the pool node when the NameNode fails, and ends it when the NameNode asks.
 *
 * <p>Uses {@code DFSUtil.getNamenodeNameServiceId}, {@code HAUtil.getNameNodeId}, {@code NameNode.initializeGenericKeys}
 * and {@code FSNamesystem.getSharedEditsDirs}.
 */
public final class StandInPoolNode {
    /** Names the directory in which the keeper and the NameNode exchange two files; not set without a keeper. */
    private static final String DIRECTORY = "TREFOIL_KEEPER";

    private static final String TAKEN = "in-place";
    private static final String WANTED = "wanted";

    private static final Duration LOOK_EACH = Duration.ofMillis(20);

    /**
     * The longest wait for this place in the pool: longer than a pool node takes to close, even with a slow disk; without its place,
     * the NameNode then fails to start.
     */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Path directory;

    StandInPoolNode(Path directory) {
        this.directory = directory;
    }

    /** Returns the {@code StandInPoolNode} of the NameNode in this process; empty if no keeper runs it. */
    public static Optional<StandInPoolNode> ofThisProcess() {
        return fromEnvironment(System.getenv());
    }

    static Optional<StandInPoolNode> fromEnvironment(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(DIRECTORY))
                .map(directory -> new StandInPoolNode(Paths.get(directory)));
    }

    /**
     * The journal that the pool node inside the NameNode of this host serves; empty if there is no such NameNode, it has no pool node
     * inside, or that has no storage of this journal yet.
     *
     * @param conf changed to what this NameNode would read
     * @throws IllegalArgumentException if something in it is wrong; the text names the property
     */
    public static Optional<JournalId> journalOf(Configuration conf) {
        String nameservice;
        String nameNode;
        try {
            nameservice = DFSUtil.getNamenodeNameServiceId(conf);
            nameNode = nameservice == null ? null : HAUtil.getNameNodeId(conf, nameservice);
        } catch (HadoopIllegalArgumentException e) {
            // Not a NameNode's host, or it cannot tell which one.
            return Optional.empty();
        }
        NameNode.initializeGenericKeys(conf, nameservice, nameNode);
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        List<URI> shared = FSNamesystem.getSharedEditsDirs(conf);
        if (!PoolUri.isPool(shared) || !SspKeys.EMBEDDED.get(suffixed)) {
            return Optional.empty();
        }
        JournalId journal = PoolUri.parse(shared.get(0), conf).journal();
        // Directories next to it are what was moved aside.
        return Files.isDirectory(SspSettings.directory(suffixed).resolve(journal.text()))
                ? Optional.of(journal)
                : Optional.empty();
    }

    /**
     * Ends the pool node that runs in place of this NameNode, if one does; blocks until it has ended.
     *
     * @throws IOException if it does not end in time
     */
    public void endStandIn() throws IOException {
        if (!Files.exists(directory.resolve(TAKEN))) {
            return;
        }
        Path wanted = directory.resolve(WANTED);
        Files.write(wanted, Collections.<String>emptyList());
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (Files.exists(wanted)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        "Wanted the place of the pool node that runs in place of this NameNode; it has not"
                                + " ended for " + TIMEOUT.toMillis() + " ms. End it, and start the NameNode again");
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
