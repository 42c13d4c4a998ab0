/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.table.TableRefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The target's copy of the source's tree, while the target is made equal to the source. A new process begins with nothing,
 * because only the source's numbers tell which files are the same. Not thread-safe.
 */
final class TargetTree {

    private final MoveTarget target;
    private final MoveCounts counts;
    private Amount knownAmount;
    private SortedMap<String, TreeNode> staged = new TreeMap<>();
    private TreeChecksum sum = TreeChecksum.of(staged);

    /** The paths of files that the last plan should have copied but did not. */
    private List<String> left = Collections.emptyList();

    TargetTree(MoveTarget target, MoveCounts counts, Amount knownAmount) {
        this.target = target;
        this.counts = counts;
        this.knownAmount = knownAmount;
    }

    /** The amount at the source when it was last read. */
    Amount sourceAmount() {
        return knownAmount;
    }

    /** Makes the target equal to a tree, except for files that change meanwhile; returns the number of copied files. */
    int copy(String round, SortedMap<String, TreeNode> tree) throws IOException {
        knownAmount = TreeNode.totalAmount(tree.values()).withoutBlocks();
        TreeDiff plan = TreeDiff.between(staged, tree);
        applyDiff(round, plan);
        SortedMap<String, TreeNode> now = new TreeMap<>(plan.targetTree());
        now.keySet().removeAll(left);
        staged = now;
        return plan.filesToCopy().size();
    }

    private void applyDiff(String round, TreeDiff plan) throws IOException {
        SortedMap<String, TreeNode> copies = plan.filesToCopy();
        counts.beginStep(round, MoveStep.COPYING, TreeNode.totalAmount(copies.values()));
        plan.perform(target);
        left = target.copy(copies);
        SortedMap<String, TreeNode> touched = plan.nodesToUpdate();
        touched.keySet().removeAll(left);
        counts.beginStep(
                round,
                MoveStep.FINISHING,
                TreeNode.totalAmount(touched.values()).withoutBlocks());
        target.setTraits(touched);
    }

    /** The target's tree, after a check that it equals the copied one. */
    SortedMap<String, TreeNode> verifiedTree(MoveRecord record) throws IOException {
        SortedMap<String, TreeNode> nodes = target.scan();
        SortedSet<String> paths = new TreeSet<>(staged.keySet());
        paths.addAll(nodes.keySet());
        requireSame(staged, nodes, paths, record);
        return nodes;
    }

    /** Computes a checksum of the whole tree, which takes longer the larger it is. */
    void computeChecksum() {
        sum = TreeChecksum.of(staged);
    }

    /** The checksum of the tree, if it was computed before the last copies. */
    TreeChecksum checksum() {
        return sum;
    }

    /**
     * Makes the target exactly like the source, which no longer changes. What is done here grows with what has
     * changed since the last round, not with the trees.
     *
     * @param tree the source's
     * @param comparedTree the target's, which was compared with the source's in the last round; becomes what is there now
     * @param changedPaths the paths at which the source may have changed since that round
     */
    void copyFinal(
            String round,
            MoveRecord record,
            SortedMap<String, TreeNode> tree,
            SortedMap<String, TreeNode> comparedTree,
            Set<String> changedPaths)
            throws IOException {
        SortedSet<String> changed = new TreeSet<>(left);
        changed.addAll(changedPaths);
        TreeDiff plan = TreeDiff.between(staged, tree, changed);
        applyDiff(round, plan);
        changed.addAll(
                target.rescanChangedNodes(comparedTree, plan.nodesToUpdate().keySet()));
        requireSame(tree, comparedTree, changed, record);
        sum = sum.withReplacedNodes(staged, tree, changed);
        staged = tree;
    }

    /** @param paths all at which the trees may differ */
    private static void requireSame(
            SortedMap<String, TreeNode> expectedNodes,
            SortedMap<String, TreeNode> foundNodes,
            SortedSet<String> paths,
            MoveRecord record)
            throws TableRefusedException {
        List<String> wrong = new ArrayList<>();
        for (String path : paths) {
            TreeNode here = expectedNodes.get(path);
            TreeNode there = foundNodes.get(path);
            if (here == null && there != null) {
                wrong.add(path + " is new");
            } else if (here != null && there == null) {
                wrong.add(path + " is missing");
            } else if (here != null
                    && (here.isDirectory() != there.isDirectory()
                            || !here.traits().equals(there.traits()))) {
                wrong.add(path + " is " + there.traits() + ", wanted " + here.traits());
            }
        }
        if (wrong.isEmpty() && expectedNodes.size() != foundNodes.size()) {
            wrong.add("there are " + foundNodes.size() + " files and directories, wanted " + expectedNodes.size());
        }
        if (!wrong.isEmpty()) {
            throw new TableRefusedException("hdfs://" + record.target() + record.path() + " differs from hdfs://"
                    + record.source() + record.path() + " in " + wrong.size() + " places, first: " + wrong.get(0)
                    + "; clients work at the source again. If a superuser changed the target, as NameNodes that empty a trash in it"
                    + " do (fs.trash.interval), repeat the command, which copies everything again");
        }
    }
}
