/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.trefoil.federation.hdfs.SubtreeMoveFixture.SingleQueryLimits;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.hdfs.move.MoveTuning;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

/** What a move does while clients wait. */
class ShortPauseTest extends TrackedTreeFixture {

    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    private static final int FILES = Integer.getInteger("trefoil.test.pause.files", 40);
    private static final boolean STOCK = Boolean.getBoolean("trefoil.test.pause.stock");
    private static final int MOVES = Integer.getInteger("trefoil.test.pause.moves", 1);
    private static final int ATTEMPTS = Integer.getInteger("trefoil.test.pause.attempts", 2);
    private final List<Long> untilVersion = new ArrayList<>();
    private long pauseBegan;
    private int attempts;
    private int changes;

    /**
     * In a pause in which little is left nothing is listed, and nothing counted. A build moves few files; {@code
     * -Dtrefoil.test.pause.files=100000} and {@code -Dtrefoil.test.pause.moves=8} give the figures of {@code
     * docs/design/subtree-moves.md}, with {@code -Dtrefoil.test.pause.stock=true} those of stock NameNodes. To move many files takes long,
     * so {@code -Dtrefoil.test.pause.attempts=10} has each move pause so often: until the last time another process is said to have
     * changed the table, after everything else of the pause, and then the move reads both trees again, as always before a pause.
     */
    @Test
    void pauseReadsOnlyChanges() throws IOException {
        if (!STOCK) {
            federation.enableGate("ns1");
            federation.enableGate("ns2");
        }
        SubtreePath path = SubtreePath.parse("/pause");
        federation.makeFiles("ns1", path.text(), filePaths());
        List<Long> pauses = new ArrayList<>();
        try (DistributedFileSystem second = federation.fileSystem("ns2");
                TableStore table = new HdfsTableStore(federation.clientConfiguration(), "hdfs://ns1/tables");
                SubtreeMoves moves = new HdfsSubtreeMoves(
                        federation.clientConfiguration(),
                        tableRefusingAppends(table),
                        HdfsTableStore.SEAL,
                        MoveTuning.builder()
                                .limiters(rate -> () -> {})
                                .editPollTimeout(LONG)
                                .lockValidity(LONG)
                                .build())) {
            table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
            federation.countedDirectories().clear();
            for (int i = 0; i < MOVES; i++) {
                boolean isHere = i % 2 == 0;
                MoveRecord record = MoveRecord.newMove(
                        "move" + i, path, isHere ? "ns1" : "ns2", isHere ? "ns2" : "ns1", "test", NOW);
                LimitsWithChanges changing = new LimitsWithChanges(isHere ? fileSystem : second, path);
                MoveRecord moved =
                        moves.connect(record, changing, 8, progress::add).run(SourceCleanup.DELETE_SOURCE);
                pauses.add(Long.parseLong(moved.pauseMeasurements().get(MoveRecord.MILLIS)));
                System.out.println(FILES + " files: a pause of " + pauses.get(i) + " ms, others waited "
                        + moved.longestWaitMillis() + " ms at most");
                assertThat(moved.longestWaitMillis()).containsOnlyKeys("ns1", "ns2");
            }
            assertThat((MOVES % 2 == 1 ? second : fileSystem)
                            .exists(new Path(path + "/flat/renamed" + (MOVES * ATTEMPTS - 1) + "-0")))
                    .isTrue();
        }
        printTimes("pauses", pauses);
        printTimes("pauses until the version", untilVersion);
        assertThat(progress).noneMatch(line -> line.startsWith("The pause lists all"));
        assertThat(progress.stream().anyMatch(line -> line.startsWith("The pause compares")))
                .isEqualTo(STOCK);
        assertThat(federation.countedDirectories()).noneMatch(directory -> directory.startsWith("/.reserved/"));
        progress.stream().filter(line -> line.startsWith("Others waited")).forEach(System.out::println);
    }

    private static double median(List<Long> sorted) {
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2.0;
    }

    private static void printTimes(String operation, List<Long> millis) {
        List<Long> sorted = new ArrayList<>(millis);
        Collections.sort(sorted);
        System.out.println(
                FILES + " files, stock NameNodes: " + STOCK + ", " + operation + " in order " + millis + ", minimum "
                        + sorted.get(0) + ", median " + median(sorted) + ", maximum "
                        + sorted.get(sorted.size() - 1) + " ms");
    }

    /** A table of which another process makes each version but those of the last attempts. Versions end pauses that are measured. */
    private TableStore tableRefusingAppends(TableStore table) {
        return (TableStore) Proxy.newProxyInstance(
                TableStore.class.getClassLoader(), new Class<?>[] {TableStore.class}, (proxy, method, arguments) -> {
                    boolean isVersion = method.getName().equals("append");
                    Object result;
                    try {
                        result = isVersion && ++attempts % ATTEMPTS != 0 ? false : method.invoke(table, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (isVersion) {
                        untilVersion.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - pauseBegan));
                        System.out.println(
                                FILES + " files: a version after " + untilVersion.get(untilVersion.size() - 1) + " ms");
                    }
                    return result;
                });
    }

    /** Half of them in one directory, the others by tens in directories at several depths. */
    private static List<String> filePaths() {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < FILES / 2; i++) {
            files.add("flat/" + i);
        }
        for (int i = 0; i < FILES - FILES / 2; i++) {
            files.add(deepPath(i / 10) + "/f" + i % 10);
        }
        return files;
    }

    /** As in a tree of directories with ten directories each, and files in the lowest. */
    static String deepPath(int directory) {
        return "deep/" + String.join("/", Integer.toString(directory).split(""));
    }

    /** Leaves a few changes for the pause. */
    private final class LimitsWithChanges extends SingleQueryLimits {
        private final DistributedFileSystem fileSystem;
        private final SubtreePath path;
        private int requestCount;

        LimitsWithChanges(DistributedFileSystem fileSystem, SubtreePath path) {
            this.fileSystem = fileSystem;
            this.path = path;
        }

        @Override
        public int maxPauses() {
            return ATTEMPTS;
        }

        @Override
        public int maxRounds() {
            return 1;
        }

        @Override
        public long nanos() {
            // When a pause begins, and once more when the last one is over.
            if (++requestCount <= ATTEMPTS) {
                assertThatCode(this::change).doesNotThrowAnyException();
                changes++;
                pauseBegan = System.nanoTime();
            }
            return super.nanos();
        }

        private void change() throws IOException {
            int directories = Math.max(1, FILES / 20);
            for (int i = 0; i < 10; i++) {
                String directory = path + "/" + (i % 2 == 0 ? "flat" : deepPath(i * 7919 % directories));
                Path made = new Path(directory + "/new");
                fileSystem.create(made).close();
                fileSystem.setTimes(new Path(directory + (i % 2 == 0 ? "/0" : "/f0")), 1_000 + i, -1);
                fileSystem.rename(made, new Path(directory + "/renamed" + changes + "-" + i));
            }
        }
    }
}
