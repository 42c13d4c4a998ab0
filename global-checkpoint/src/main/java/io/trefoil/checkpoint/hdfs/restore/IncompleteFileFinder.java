/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.restore;

import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.checkpoint.restore.IncompleteFile;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.RetainedImageFile;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodeWithAdditionalFields;
import org.apache.hadoop.hdfs.server.namenode.OfflineNamespace;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Finds the files of a checkpoint that will be incomplete after a restore: those with a block that the current
 * namespace no longer refers to, or that has been written to since.
 *
 * <p>HDFS deletes a block replica that no namespace refers to, and treats a replica as corrupt if its generation stamp
 * or length differs from the namespace's. So the current namespace is a better source than the reports of DataNodes,
 * which may still have what they were told to delete. Stock code loads both namespaces ({@link ScratchNamespaces}), one
 * after the other; only the blocks of the first stay in memory.
 *
 * <p>Uses {@code FSNamesystem.getFSDirectory}, {@code FSDirectory.getINodeMap}, {@code getRoot}, {@code
 * INodeFile.getBlocks}, {@code getDiffs}.
 */
final class IncompleteFileFinder {

    private final List<NameDirectoryFiles> directories;
    private final ScratchNamespaces namespaces;

    IncompleteFileFinder(Configuration conf, List<NameDirectoryFiles> directories, Journal journal) {
        this.directories = directories;
        this.namespaces = new ScratchNamespaces(conf, directories.get(0), journal);
    }

    /** @throws IOException if one of the namespaces cannot be loaded */
    List<IncompleteFile> find(RestorePlan plan) throws IOException {
        RetainedImageFile then = plan.image().orElseThrow(() -> new IllegalArgumentException("No image: " + plan));
        String directory = "dry-run-" + plan.checkpoint().agreement().id();
        BlockTable blocks = namespaces.load(directory, newestImage(), plan.newestTxId(), IncompleteFileFinder::blocks);
        return namespaces.load(
                directory, Paths.get(then.path()), plan.cut().txId(), restored -> findIncomplete(restored, blocks));
    }

    private Path newestImage() throws IOException {
        Optional<Path> newest = Optional.empty();
        for (NameDirectoryFiles directory : directories) {
            Optional<Path> image = directory.newestImage();
            boolean newer = image.isPresent()
                    && (!newest.isPresent()
                            || NameDirectoryFiles.txIdOfImage(newest.get())
                                    < NameDirectoryFiles.txIdOfImage(image.get()));
            newest = newer ? image : newest;
        }
        return newest.orElseThrow(
                () -> new IOException("There is no current image in " + directories + " to compare with"));
    }

    /** Every block of the current namespace, including those that only snapshots refer to. */
    private static BlockTable blocks(OfflineNamespace namespace) {
        BlockTable table = new BlockTable();
        Iterator<INodeWithAdditionalFields> all =
                namespace.namesystem().getFSDirectory().getINodeMap().getMapIterator();
        while (all.hasNext()) {
            INode one = all.next();
            if (one.isFile()) {
                INodeFile file = one.asFile();
                add(file.getBlocks(), table);
                if (file.getDiffs() != null) {
                    for (FileDiff diff : file.getDiffs().asList()) {
                        add(diff.getBlocks(), table);
                    }
                }
            }
        }
        return table;
    }

    private static void add(BlockInfo[] blocks, BlockTable table) {
        if (blocks != null) {
            for (BlockInfo block : blocks) {
                table.put(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
            }
        }
    }

    private static List<IncompleteFile> findIncomplete(OfflineNamespace namespace, BlockTable currentBlocks) {
        List<IncompleteFile> lost = new ArrayList<>();
        Deque<INode> open = new ArrayDeque<>();
        open.push(namespace.namesystem().getFSDirectory().getRoot());
        while (!open.isEmpty()) {
            INode one = open.pop();
            if (one.isDirectory()) {
                one.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID).forEach(open::push);
            } else if (one.isFile()) {
                findIncomplete(one.asFile(), currentBlocks).ifPresent(lost::add);
            }
        }
        lost.sort(Comparator.comparing(IncompleteFile::path));
        return Collections.unmodifiableList(lost);
    }

    private static Optional<IncompleteFile> findIncomplete(INodeFile file, BlockTable currentBlocks) {
        int deleted = 0;
        int changed = 0;
        for (BlockInfo block : file.getBlocks()) {
            if (!currentBlocks.contains(block.getBlockId())) {
                deleted++;
            } else if (block.isComplete()
                    && !currentBlocks.contains(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes())) {
                changed++;
            }
        }
        return deleted + changed == 0
                ? Optional.<IncompleteFile>empty()
                : Optional.of(IncompleteFile.of(file.getFullPathName(), file.getBlocks().length, deleted, changed));
    }
}
