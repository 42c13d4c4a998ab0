/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.limits.WantedReplicas;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.move.MoveLimits.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Asks again and again which files have linked blocks with too few replicas. Only the first answer needs the whole tree, in which clients
 * may be working: what has enough replicas once is HDFS's to keep so. Those that follow need the files that lacked some, which are found by
 * their numbers even if clients rename them. Files that are being written count, too: somebody may have opened a file again of which one
 * replica was linked. Not thread-safe.
 */
final class ReplicaCheck implements Question {

    private static final int NAMED = 10;

    /** More than that are found sooner by reading the tree again, a thousand with each call. */
    private static final int FEW = 10_000;

    private final HdfsTree tree;
    private final Folder folder;
    private final String shown;
    private final Wanted wanted;
    private final long newest;

    /** The paths of files that lacked replicas when they were last asked for, by their numbers. */
    private SortedMap<Long, String> lacking = new TreeMap<>();

    private final List<String> answer = new ArrayList<>();
    private long more;

    /** Where the tree is. */
    interface Folder {

        /** A path for calls; empty if it is gone. */
        Optional<String> find() throws IOException;
    }

    /** How many replicas are wanted now. */
    interface Wanted {
        WantedReplicas now() throws IOException;
    }

    /**
     * @param shown how the tree is named
     * @param newest the number of the last block that counts
     */
    ReplicaCheck(HdfsTree tree, Folder folder, String shown, Wanted wanted, long newest) {
        this.tree = tree;
        this.folder = folder;
        this.shown = shown;
        this.wanted = wanted;
        this.newest = newest;
    }

    @Override
    public List<String> ask() throws IOException {
        boolean areFew = !lacking.isEmpty() && more == 0;
        if (!areFew || !askAgain()) {
            askAll();
        }
        List<String> sentences = new ArrayList<>(answer);
        long others = lacking.size() + more - answer.size();
        if (others > 0) {
            sentences.add("so do " + others + " more files");
        }
        return sentences;
    }

    private void askAll() throws IOException {
        WantedReplicas now = wanted.now();
        forget();
        Optional<String> root = folder.find();
        if (root.isPresent()) {
            tree.files(root.get(), (file, inside) -> look(file, shown + inside, now));
        }
    }

    /** @return false if one was deleted: its blocks may be those of another file now ({@code concat}) */
    private boolean askAgain() throws IOException {
        WantedReplicas now = wanted.now();
        SortedMap<Long, String> before = lacking;
        List<HdfsLocatedFileStatus> files = tree.files(before.keySet());
        if (files.contains(null)) {
            return false;
        }
        forget();
        for (HdfsLocatedFileStatus one : files) {
            look(one, before.get(one.getFileId()), now);
        }
        return true;
    }

    private void forget() {
        lacking = new TreeMap<>();
        answer.clear();
        more = 0;
    }

    private void look(HdfsLocatedFileStatus file, String path, WantedReplicas now) {
        // Blocks of erasure-coded files, which clients may make at the new owner, have negative numbers.
        Optional<String> lack = now.lack(file, path, block -> block >= 0 && block <= newest);
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
