/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.ParallelCaller;
import io.trefoil.federation.hdfs.tree.SlicedDifference;
import io.trefoil.federation.move.SubtreeMover.Pace;
import io.trefoil.federation.move.progress.MoveCounts;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What others have changed in a large directory is found by calls for parts of it as well as by one for all. */
class SlicedDifferenceTest extends SubtreeMoveFixture {

    private static final String SNAPSHOT = "before";

    @BeforeEach
    void recreateTree() throws IOException {
        if (first.exists(pathOf(""))) {
            first.deleteSnapshot(pathOf(""), SNAPSHOT);
            first.delete(pathOf(""), true);
        }
        federation.makeFiles("ns1", path.text(), List.of("a/1", "a/2", "a/b/3", "a/b/4", "a/b/c/5", "d/6", "7", "8"));
        first.allowSnapshot(pathOf(""));
        first.createSnapshot(pathOf(""), SNAPSHOT);
    }

    /** @param slice how many nodes a part may have */
    private Set<String> changes(long slice) throws IOException {
        try (ParallelCaller parallel = new ParallelCaller(2, Pace.unlimited())) {
            HdfsTree reader = HdfsTree.ofMoved(first, parallel, new MoveCounts("test", Clock.systemUTC()));
            Set<String> changes = new TreeSet<>();
            new SlicedDifference(first, reader, path.text(), SNAPSHOT, slice)
                    .sinceSnapshot(path + "/.snapshot/" + SNAPSHOT)
                    .forEach(one -> changes.add(one.toString().replace('\t', ' ')));
            return changes;
        }
    }

    @Test
    void unchangedTreeHasNoDifferencesWithAnySlices() throws Exception {
        for (long slice = 0; slice < 15; slice++) {
            assertThat(changes(slice)).as("slices of %s", slice).isEmpty();
        }
        assertThat(changes(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void changesOfEachKindAreFoundWithAnySlices() throws Exception {
        List<Action> kinds = List.of(
                () -> first.delete(pathOf("/a/b/3"), false),
                () -> first.delete(pathOf("/7"), false),
                () -> first.delete(pathOf("/a"), true),
                () -> first.create(pathOf("/new")).close(),
                () -> first.mkdirs(pathOf("/a/b/new")),
                () -> first.rename(pathOf("/7"), pathOf("/9")),
                () -> first.rename(pathOf("/d"), pathOf("/a/d")),
                () -> first.rename(pathOf("/a/b"), pathOf("/b")),
                () -> first.setPermission(pathOf("/8"), new FsPermission((short) 0600)),
                () -> first.setPermission(pathOf("/a/b"), new FsPermission((short) 0711)),
                () -> first.setXAttr(pathOf("/a"), "user.x", new byte[1], EnumSet.of(XAttrSetFlag.CREATE)),
                () -> first.setXAttr(pathOf("/7"), "user.x", new byte[1], EnumSet.of(XAttrSetFlag.CREATE)),
                () -> first.setReplication(pathOf("/a/2"), (short) 2),
                () -> first.setStoragePolicy(pathOf("/d"), "COLD"),
                () -> append("/a/b/c/5"),
                () -> append("/8"));
        for (int kind = 0; kind < kinds.size(); kind++) {
            recreateTree();
            kinds.get(kind).run();
            for (long slice : List.of(0L, 3L, 5L, 9L, Long.MAX_VALUE)) {
                assertThat(changes(slice))
                        .as("kind %s, slices of %s", kind, slice)
                        .isNotEmpty();
            }
        }
    }

    private void append(String relativePath) throws IOException {
        try (OutputStream out = first.append(pathOf(relativePath))) {
            out.write(1);
        }
    }

    /** HDFS itself does not say so until something is written; a process that deletes the rest must not take it for deleted. */
    @Test
    void openFileCountsAsChanged() throws Exception {
        try (FSDataOutputStream ignored = first.append(pathOf("/8"))) {
            assertThat(changes(0)).containsExactly("M ./8");
        }
    }
}
