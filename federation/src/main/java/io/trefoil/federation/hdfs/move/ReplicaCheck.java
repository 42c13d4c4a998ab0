/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.limits.ExpectedReplicas;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.move.MoveLimits.ServerQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Polls for files with linked blocks that have too few replicas. Only the first answer needs the whole
 * tree, in which clients may be working: what has enough replicas once is HDFS's to keep so. Later answers need only
 * the files that lacked some; they are found by their ids even if clients rename them. If they delete one, its blocks
 * may be those of another file ({@code concat}): then the whole tree is asked for once more, but only when all that are
 * left have enough, as they may continue deleting for long. Files that are being written count, too: a client may have
 * opened a file again of which one replica was linked. Not thread-safe.
 */
final class ReplicaCheck implements ServerQuery {

    private static final int NAMED = 10;

    /** The number of files up to which single queries are faster than rereading the tree, a thousand files per call. */
    private static final int FEW = 10_000;

    private final HdfsTree tree;
    private final DirectoryFinder directory;
    private final String displayName;
    private final ExpectedCount expectedCount;
    private final long newestBlockId;

    /** The paths of files that lacked replicas when they were last checked, by id. */
    private SortedMap<Long, String> lacking = new TreeMap<>();

    private final List<String> answer = new ArrayList<>();
    private long more;
    /** Whether any file was deleted since the whole tree was last read. */
    private boolean wasAnyDeleted;

    /** The directory that contains the tree. */
    interface DirectoryFinder {

        /** The path for calls; empty if the file is gone. */
        Optional<String> findPath() throws IOException;
    }

    /** The number of replicas that are currently expected. */
    interface ExpectedCount {
        ExpectedReplicas now() throws IOException;
    }

    /**
     * @param displayName how the tree is named
     * @param newestBlockId the number of the last block that counts
     */
    ReplicaCheck(
            HdfsTree tree,
            DirectoryFinder directory,
            String displayName,
            ExpectedCount expectedCount,
            long newestBlockId) {
        this.tree = tree;
        this.directory = directory;
        this.displayName = displayName;
        this.expectedCount = expectedCount;
        this.newestBlockId = newestBlockId;
    }

    @Override
    public List<String> query() throws IOException {
        if (lacking.isEmpty() || more > 0) {
            checkAll();
        } else {
            recheck();
            if (lacking.isEmpty() && wasAnyDeleted) {
                checkAll();
            }
        }
        List<String> sentences = new ArrayList<>(answer);
        long others = lacking.size() + more - answer.size();
        if (others > 0) {
            sentences.add("so do " + others + " more files");
        }
        return sentences;
    }

    private void checkAll() throws IOException {
        ExpectedReplicas currentReplicas = expectedCount.now();
        wasAnyDeleted = false;
        forget();
        Optional<String> root = directory.findPath();
        if (root.isPresent()) {
            tree.visitFiles(root.get(), (file, inside) -> check(file, displayName + inside, currentReplicas));
        }
    }

    private void recheck() throws IOException {
        ExpectedReplicas currentReplicas = expectedCount.now();
        SortedMap<Long, String> before = lacking;
        List<HdfsLocatedFileStatus> files = tree.files(before.keySet());
        forget();
        for (HdfsLocatedFileStatus status : files) {
            if (status == null) {
                wasAnyDeleted = true;
            } else {
                check(status, before.get(status.getFileId()), currentReplicas);
            }
        }
    }

    private void forget() {
        lacking = new TreeMap<>();
        answer.clear();
        more = 0;
    }

    private void check(HdfsLocatedFileStatus file, String path, ExpectedReplicas currentReplicas) {
        // Blocks of erasure-coded files, which clients may make at the new owner, have negative numbers.
        Optional<String> lack =
                currentReplicas.findMissingReplica(file, path, block -> block >= 0 && block <= newestBlockId);
        if (!lack.isPresent()) {
            return;
        }
        if (answer.size() < NAMED) {
            answer.add(lack.get());
        }
        if (lacking.size() < FEW) {
            lacking.put(file.getFileId(), path);
        } else {
            more++;
        }
    }
}
