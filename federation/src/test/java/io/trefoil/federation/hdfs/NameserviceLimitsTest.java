/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.tree.SnapshottableDirectories;
import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.table.TableRefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a whole nameservice may have, and a move needs: found before anything changes. */
final class NameserviceLimitsTest extends SubtreeMoveFixture {

    private static final Path ROOT = new Path("/");
    private static final int OBJECTS = 200;
    private static final int SNAPSHOTS = 20;

    @TempDir
    private static java.nio.file.Path place;

    private final List<Path> snapshotted = new ArrayList<>();

    @BeforeAll
    public static void startFederation() throws IOException {
        federation = StockFederation.start(
                place,
                1,
                Map.of(
                        "ns2/dfs.namenode.max.objects",
                        Integer.toString(OBJECTS),
                        "dfs.namenode.snapshot.max.limit",
                        Integer.toString(SNAPSHOTS),
                        "dfs.namenode.snapshot.filesystem.limit",
                        Integer.toString(SNAPSHOTS)));
    }

    @AfterEach
    void deleteSnapshots() throws IOException {
        for (Path one : snapshotted) {
            first.deleteSnapshot(one, "others");
            first.disallowSnapshot(one);
        }
    }

    private List<String> blockers() throws IOException {
        SubtreeMover move = moves.connect(newRecord(), new SingleQueryLimits(), 2, progress::add);
        return move.blockers(move.size()).stream().map(MoveBlocker::text).toList();
    }

    private void makeFiles(int files) {
        federation.makeFiles(
                "ns1",
                path.text(),
                IntStream.range(0, files).mapToObj(i -> "f" + i).collect(Collectors.toList()));
    }

    /** Others' snapshots, besides the seals of other moves; leaves room for so many more. */
    private void createSnapshotsLeaving(int remaining) throws IOException {
        int has = SnapshottableDirectories.snapshotCounts(first).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        for (int i = 0; i < SNAPSHOTS - has - remaining; i++) {
            Path directory = new Path(pathOf("").getParent(), "others" + i);
            first.mkdirs(directory);
            first.allowSnapshot(directory);
            first.createSnapshot(directory, "others");
            snapshotted.add(directory);
        }
    }

    @Test
    void refusesMoveWhenTargetAllowsFewerObjects() throws IOException {
        makeFiles(OBJECTS);

        assertThat(blockers())
                .singleElement()
                .asString()
                .contains("NameNode nn1 of ns2 may have " + OBJECTS, "dfs.namenode.max.objects");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("dfs.namenode.max.objects");
        assertThat(second.exists(pathOf(""))).isFalse();
    }

    @Test
    void movesOnlySubtreesWithinTargetCapacity() throws IOException {
        makeFiles(20);
        assertThat(blockers()).isEmpty();
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(second.listStatus(pathOf(""))).hasSize(20);
    }

    @Test
    void refusesMoveWhenSourceAllowsTooFewSnapshots() throws IOException {
        makeFiles(5);
        createSnapshotsLeaving(2);

        assertThat(blockers())
                .singleElement()
                .asString()
                .contains(
                        "hdfs://ns1 has " + (SNAPSHOTS - 2) + " snapshots, and a move needs 3",
                        "dfs.namenode.snapshot.filesystem.limit");
    }

    @Test
    void movesWhenSourceAllowsEnoughSnapshots() throws IOException {
        makeFiles(5);
        createSnapshotsLeaving(3);
        assertThat(blockers()).isEmpty();
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(second.listStatus(pathOf(""))).hasSize(5);
    }

    @Test
    void movesWithFewerSnapshotsWhenSealsAreMarks() throws IOException {
        federation.enableGate("ns1");
        federation.enableGate("ns2");
        makeFiles(5);
        createSnapshotsLeaving(2);
        assertThat(blockers()).isEmpty();
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(second.listStatus(pathOf(""))).hasSize(5);
    }

    /** NameNodes had no mark of the subtree then, and only a log said so: its directory could be removed, and stale clients were told nothing. */
    @Test
    void refusesMoveWhenListsOfMarkedDirectoriesAreFull() throws IOException {
        makeTree();
        federation.enableGate("ns1");
        federation.enableGate("ns2");
        Set<String> marked = new TreeSet<>();
        for (int i = 0; i < 14; i++) {
            String directory = "/full" + i + ("/" + "x".repeat(254)).repeat(24);
            // So long that two leave no room for a third in a list.
            marked.add(directory + "/" + "x".repeat(6_141 - directory.length()));
        }
        for (String directory : marked) {
            first.mkdirs(new Path(directory));
            first.setXAttr(new Path(directory), SealMark.NAME, new byte[0]);
            first.setXAttr(
                    new Path(directory), MovedMark.NAME, MovedMark.of("ns2", 1).value());
        }
        List<String> pairs = new ArrayList<>(marked);
        for (int list = 0; list < 7; list++) {
            byte[] pair = MovedMark.encodeDirectories(new TreeSet<>(pairs.subList(2 * list, 2 * list + 2)));
            first.setXAttr(ROOT, MovedMark.directoriesAttributeName("full" + list), pair);
            first.setXAttr(ROOT, SealMark.directoriesAttributeName("full" + list), pair);
            second.setXAttr(ROOT, EntryMark.directoriesAttributeName("full" + list), fullList(list));
        }
        try {
            assertThat(blockers())
                    .singleElement()
                    .asString()
                    .contains("hdfs://ns1/ of directories that are sealed or being moved have no room for " + path);
            assertThat(progress)
                    .anySatisfy(one ->
                            assertThat(one).contains("hdfs://ns1/ of directories that were given away", path.text()))
                    .anySatisfy(one ->
                            assertThat(one).contains("hdfs://ns2/ of directories that are entries", path.text()));
        } finally {
            for (int list = 0; list < 7; list++) {
                first.removeXAttr(ROOT, MovedMark.directoriesAttributeName("full" + list));
                first.removeXAttr(ROOT, SealMark.directoriesAttributeName("full" + list));
                second.removeXAttr(ROOT, EntryMark.directoriesAttributeName("full" + list));
            }
        }
    }

    private static byte[] fullList(int number) {
        return MovedMark.encodeDirectories(new TreeSet<>(Set.of("/" + number + "x".repeat(12 << 10))));
    }
}
