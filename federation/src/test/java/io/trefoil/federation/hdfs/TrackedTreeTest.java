/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.trefoil.federation.hdfs.SubtreeMoveFixture.Limits;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.hdfs.move.MoveTuning;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.ParallelCalls;
import io.trefoil.federation.hdfs.tree.SnapshotDifference;
import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMove.Pace;
import io.trefoil.federation.move.SubtreeMove.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever clients do to a tree: what follows its edits is what a listing finds. */
class TrackedTreeTest {

    private static final int SEEDS = Integer.getInteger("trefoil.test.followed.seeds", 10);
    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    /** However long a thread stands still, edits are told in time. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private static final int FILES = Integer.getInteger("trefoil.test.pause.files", 40);
    private static final boolean STOCK = Boolean.getBoolean("trefoil.test.pause.stock");
    private static final int MOVES = Integer.getInteger("trefoil.test.pause.moves", 1);
    private static final int ATTEMPTS = Integer.getInteger("trefoil.test.pause.attempts", 2);
    private static final int FROM = Integer.getInteger("trefoil.test.followed.from", 1);
    private static final Optional<Set<String>> NOTHING = Optional.of(Set.of());

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static DistributedFileSystem fileSystem;
    private static ParallelCalls parallel;
    private static HdfsTree reader;

    private final List<String> progress = new ArrayList<>();
    private final List<Long> untilVersion = new ArrayList<>();
    private long pauseBegan;
    private int attempts;
    private int changes;

    @BeforeAll
    static void startFederation() throws IOException {
        federation = StockFederation.start(directory);
        fileSystem = federation.fileSystem("ns1");
        parallel = new ParallelCalls(4, Pace.unlimited());
        reader = HdfsTree.of(fileSystem, parallel, new MoveCounts("test", Clock.systemUTC()));
    }

    @AfterEach
    void ungate() throws IOException {
        federation.ungate();
    }

    @AfterAll
    static void stopFederation() throws IOException {
        parallel.close();
        fileSystem.close();
        federation.close();
    }

    /** As the source of a move is followed. */
    @Test
    void editsBetweenSnapshotsMatchListing() throws IOException {
        for (int seed = FROM; seed < FROM + SEEDS; seed++) {
            gateForSome(seed);
            Clients clients = new Clients("/between/" + seed, seed);
            clients.change(20);
            TrackedTree followed = follow(clients);
            followed.begin();
            clients.change(clients.random.nextInt(3));
            String first = clients.snapshot("first");
            clients.change(clients.random.nextInt(3));
            followed.settle();
            SortedMap<String, TreeNode> before = reader.read(first, Collections.emptySortedMap());
            clients.change(clients.random.nextInt(3));
            followed.adopt(first, before);
            clients.change(clients.random.nextInt(6));
            followed.follow();
            clients.change(clients.random.nextInt(10));
            clients.close();
            followed.watch();
            String last = clients.snapshot("last");

            Differing differing = new Differing(clients);
            SortedMap<String, TreeNode> now = new TreeMap<>(before);
            Optional<Set<String>> changed = followed.update(last, now, differing);

            check(clients, before, now, changed, reader.read(last, Collections.emptySortedMap()));
            if (changed.isPresent()) {
                assertThat(differing.asked).as(clients.root).isEqualTo(isGated(seed) ? 0 : 1);
            }
            fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0));
            assertThat(followed.changedSinceWatch())
                    .as(clients.root)
                    .isEqualTo(changed.isPresent() && isGated(seed) ? NOTHING : Optional.empty());
            // Edits alone gave what the difference has as well, whether it is asked for at once or in parts.
            for (long slice : List.of(Long.MAX_VALUE, (long) seed, 2L)) {
                assertThat(contradictions(followed, new Differing(clients), last, slice))
                        .as("%s in slices of %s: %s", clients.root, slice, clients.done)
                        .isEmpty();
            }
        }
    }

    /** As the target of a move is followed, where the mover knows of the calls that edits do not tell. */
    @Test
    void editsSufficeWithoutSnapshots() throws IOException {
        for (int seed = FROM; seed < FROM + SEEDS; seed++) {
            gateForSome(seed);
            Clients clients = new Clients("/without/" + seed, seed);
            clients.change(20);
            TrackedTree followed = follow(clients);
            followed.begin();
            clients.change(clients.random.nextInt(3));
            clients.close();
            SortedMap<String, TreeNode> before = reader.read(clients.root, Collections.emptySortedMap());
            followed.settle();
            followed.adopt(clients.root, before);
            clients.silent.clear();
            clients.change(clients.random.nextInt(15));
            clients.close();

            SortedMap<String, TreeNode> now = new TreeMap<>(before);
            Optional<Set<String>> changed =
                    followed.update(clients.root, now, isGated(seed) ? Collections.emptySet() : clients.silent);

            check(clients, before, now, changed, reader.read(clients.root, Collections.emptySortedMap()));
        }
    }

    /** Whether NameNodes count or not, quotas are the same. */
    private static void gateForSome(int seed) throws IOException {
        federation.ungate();
        if (isGated(seed)) {
            federation.gate("ns1");
        }
    }

    private static boolean isGated(int seed) {
        return seed % 4 < 2;
    }

    /** Counts how often the NameNode visits the whole tree. */
    private static final class Differing implements TrackedTree.SnapshotDiffer {
        private final Clients clients;
        private final String from;
        private final String to;
        private int asked;

        Differing(Clients clients) {
            this(clients, "first", "last");
        }

        Differing(Clients clients, String from, String to) {
            this.clients = clients;
            this.from = from;
            this.to = to;
        }

        @Override
        public SnapshotDifference ask(String folder) throws IOException {
            asked++;
            return SnapshotDifference.between(fileSystem, clients.root + folder, from, to);
        }
    }

    /** @param at the second snapshot */
    private static List<String> contradictions(TrackedTree followed, Differing differing, String at, long slice)
            throws IOException {
        return followed.contradictions(differing, folder -> reader.readNames(at, folder), slice);
    }

    private TrackedTree follow(Clients clients) {
        progress.clear();
        return new TrackedTree(fileSystem, reader, clients.root, LONG, progress::add);
    }

    private void check(
            Clients clients,
            SortedMap<String, TreeNode> before,
            SortedMap<String, TreeNode> now,
            Optional<Set<String>> changed,
            SortedMap<String, TreeNode> listed)
            throws IOException {
        checkQuotas(clients, listed);
        if (clients.usesPolicies && changed.isEmpty()) {
            assertThat(progress).allMatch(line -> line.contains("storage polic"));
            assertThat(now).isEqualTo(before);
            return;
        }
        assertThat(progress)
                .as("%s: %s", clients.root, clients.done)
                .allMatch(line -> line.startsWith("The pause compares snapshots of all of " + clients.root
                        + ": a NameNode tells no edits of quotas"));
        assertThat(now).as("%s: %s", clients.root, clients.done).isEqualTo(listed);
        Set<String> differ = new TreeSet<>();
        before.forEach((path, node) -> {
            if (!node.equals(listed.get(path))) {
                differ.add(path);
            }
        });
        listed.keySet().stream().filter(path -> !before.containsKey(path)).forEach(differ::add);
        assertThat(changed.orElseThrow()).containsAll(differ);
    }

    /** As users are told them. */
    private static void checkQuotas(Clients clients, SortedMap<String, TreeNode> listed) throws IOException {
        for (Map.Entry<String, TreeNode> one : listed.entrySet()) {
            if (one.getValue().isFolder()) {
                long names = fileSystem
                        .getQuotaUsage(new Path(clients.root + one.getKey()))
                        .getQuota();
                assertThat(one.getValue().traits().quotas())
                        .as("%s%s: %s", clients.root, one.getKey(), clients.done)
                        .isEqualTo(names < 0 ? Map.of() : Map.of(HdfsTree.NAMES, names));
            }
        }
    }

    @Test
    void directoryDeletedDuringSnapshotReadIsInTree() throws IOException {
        Path root = new Path("/deleted");
        Path folder = new Path(root, "folder");
        Path renamed = new Path(root, "renamed");
        fileSystem.mkdirs(new Path(folder, "inner"));
        fileSystem.mkdirs(new Path(renamed, "inner"));
        fileSystem.allowSnapshot(root);
        fileSystem.createSnapshot(root, "first");
        fileSystem.delete(folder, true);
        fileSystem.rename(renamed, new Path(root, "other"));
        fileSystem.delete(new Path(root, "other"), true);

        SortedMap<String, TreeNode> tree = reader.read(root + "/.snapshot/first", Collections.emptySortedMap());

        assertThat(tree).containsOnlyKeys("/folder", "/folder/inner", "/renamed", "/renamed/inner");
    }

    @Test
    void unchangedNodesAreNotReadAgain() throws IOException {
        Clients clients = new Clients("/quiet", 1);
        clients.change(40);
        clients.close();
        TrackedTree followed = follow(clients);
        followed.begin();
        String first = clients.snapshot("first");
        followed.settle();
        SortedMap<String, TreeNode> before = reader.read(first, Collections.emptySortedMap());
        followed.adopt(first, before);
        String one = before.lastKey();
        fileSystem.setTimes(new Path(clients.root + one), 77, -1);
        String last = clients.snapshot("last");

        SortedMap<String, TreeNode> now = new TreeMap<>(before);

        assertThat(followed.update(last, now, new Differing(clients)).orElseThrow())
                .containsExactly(one);
        assertThat(now.get(one).traits().modified()).isEqualTo(77);
    }

    /** HDFS accepts such paths, and its edits of a concatenation have them. */
    @Test
    void followsConcatByPathWithEmptyNames() throws IOException {
        federation.gate("ns1");
        Clients clients = new Clients("/empty-names", 1);
        for (String file : List.of("a", "b")) {
            clients.write(fileSystem.create(new Path(clients.root, file)));
        }
        TrackedTree followed = follow(clients);
        followed.begin();
        String first = clients.snapshot("first");
        followed.settle();
        SortedMap<String, TreeNode> before = reader.read(first, Collections.emptySortedMap());
        followed.adopt(first, before);
        clients.write(fileSystem.create(new Path(clients.root, "c")));
        // DistributedFileSystem would take the empty name out.
        fileSystem.getClient().getNamenode().concat("/" + clients.root + "//a", new String[] {"/" + clients.root + "/c"
        });
        String last = clients.snapshot("last");
        SortedMap<String, TreeNode> now = new TreeMap<>(before);

        assertThat(followed.update(last, now, new Differing(clients))).isPresent();

        assertThat(now).isEqualTo(reader.read(last, Collections.emptySortedMap()));
        assertThat(now.get("/a").traits().length())
                .isGreaterThan(before.get("/a").traits().length());
    }

    @Test
    void reservedPathsWithEmptyNamesAreInconclusive() throws IOException {
        Clients clients = new Clients("/reserved-names", 1);
        for (String file : List.of("a", "b")) {
            clients.write(fileSystem.create(new Path(clients.root, file)));
        }
        TrackedTree followed = follow(clients);
        followed.begin();
        followed.settle();
        SortedMap<String, TreeNode> before = reader.read(clients.root, Collections.emptySortedMap());
        followed.adopt(clients.root, before);
        fileSystem.getClient().getNamenode().concat("//.reserved/raw" + clients.root + "/a", new String[] {
            clients.root + "/b"
        });

        assertThat(followed.update(clients.root, before, Collections.emptySet()))
                .isEmpty();
        assertThat(progress).hasSize(1).allMatch(line -> line.contains("there was an edit of /.reserved/raw"));
    }

    /** What is asked later, as after a failover, may not be told in full; that does not make what was taken from edits more certain. */
    @Test
    void laterReaderChecksChangesTakenFromEditsAlone() throws IOException {
        federation.gate("ns1");
        Clients clients = new Clients("/asked-later", 1);
        TrackedTree followed = follow(clients);
        clients.snapshot("first");
        fileSystem.create(new Path(clients.root, "new")).close();
        followed.begin();
        followed.settle();
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        followed.adopt(clients.root, tree);
        followed.watch();
        String last = clients.snapshot("last");
        assertThat(followed.update(last, tree, new Differing(clients))).isPresent();

        federation.ungate();
        fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0700));

        assertThat(followed.changedSinceWatch()).isEmpty();
        assertThat(contradictions(followed, new Differing(clients), last, Long.MAX_VALUE))
                .hasSize(1)
                .allMatch(line -> line.startsWith("edits do not tell where number"));
    }

    /** The second snapshot shows that something is there, or is not, of which no edit told. */
    @Test
    void detectsDifferenceUnexplainedByEdits() throws IOException {
        seeADifferenceThatEditsDoNotExplain(false);
    }

    /** When nobody waits any more. */
    @Test
    void detectsUnexplainedDifferenceDespiteCompleteEdits() throws IOException {
        federation.gate("ns1");
        seeADifferenceThatEditsDoNotExplain(true);
    }

    private void seeADifferenceThatEditsDoNotExplain(boolean isTold) throws IOException {
        Clients clients = new Clients(isTold ? "/odd-told" : "/odd", 1);
        for (String file : List.of("a", "b")) {
            fileSystem.create(new Path(clients.root, file)).close();
        }
        String first = clients.snapshot("first");
        fileSystem.create(new Path(clients.root, "new")).close();
        String second = clients.snapshot("second");
        fileSystem.delete(new Path(clients.root, "a"), false);
        String third = clients.snapshot("third");

        for (List<String> odd : List.of(List.of("first", "second"), List.of("second", "third"))) {
            TrackedTree followed = follow(clients);
            followed.begin();
            followed.settle();
            String from = odd.get(0).equals("first") ? first : second;
            SortedMap<String, TreeNode> before = reader.read(from, Collections.emptySortedMap());
            followed.adopt(from, before);

            Differing differing = new Differing(clients, odd.get(0), odd.get(1));
            SortedMap<String, TreeNode> now = new TreeMap<>(before);
            String at = odd.get(1).equals("third") ? third : second;
            fileSystem.setTimes(new Path(clients.root + "-outside"), 1, -1);

            Optional<Set<String>> changed = followed.update(at, now, differing);

            if (isTold) {
                assertThat(changed.orElseThrow()).isEmpty();
                for (long slice : List.of(Long.MAX_VALUE, 0L)) {
                    assertThat(contradictions(followed, differing, at, slice))
                            .isNotEmpty()
                            .allMatch(line -> line.contains("edits do not tell"));
                }
            } else {
                assertThat(changed).isEmpty();
                assertThat(progress).anyMatch(line -> line.contains("edits do not tell"));
            }
            assertThat(now).isEqualTo(before);
            assertThat(progress).hasSize(isTold ? 0 : 2);
        }
    }

    /** An edit is missing that closes the folder: others before it may be missing as well. */
    @Test
    void onlyMovesEditProvesTreeUnchanged() throws IOException {
        federation.gate("ns1");
        Clients clients = new Clients("/closed", 1);
        TrackedTree followed = follow(clients);
        followed.begin();
        followed.settle();
        SortedMap<String, TreeNode> none = new TreeMap<>();
        followed.adopt(clients.root, none);
        followed.watch();
        assertThat(followed.update(clients.root, none, new Differing(clients)).orElseThrow())
                .isEmpty();

        assertThat(followed.changedSinceWatch()).isEmpty();
        assertThat(progress).hasSize(1).allMatch(line -> line.contains("edits do not tell that it was closed"));

        fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0700));
        assertThat(followed.changedSinceWatch()).isEqualTo(NOTHING);
        fileSystem.setQuota(new Path(clients.root), 100, HdfsConstants.QUOTA_RESET);
        assertThat(followed.changedSinceWatch()).isEqualTo(NOTHING);
        fileSystem.mkdirs(new Path(clients.root, "folder"));
        assertThat(followed.changedSinceWatch()).isEqualTo(Optional.of(Set.of("/folder")));
        assertThat(progress).hasSize(1);
    }

    /** A file that was closed just before is in the snapshot, and its edit perhaps not durable yet. */
    @Test
    void editBeforeLastScanProvesNoLaterChange() throws IOException {
        federation.gate("ns1");
        Clients clients = new Clients("/just-before", 1);
        TrackedTree followed = follow(clients);
        followed.begin();
        followed.settle();
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        followed.adopt(clients.root, tree);
        followed.watch();
        fileSystem.create(new Path(clients.root, "file")).close();
        assertThat(followed.update(clients.root, tree, new Differing(clients)).orElseThrow())
                .containsExactly("/file");
        fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0700));

        assertThat(followed.changedSinceWatch()).isEmpty();

        assertThat(progress).hasSize(1).allMatch(line -> line.endsWith("edits tell of /file"));
    }

    /** Also where they do not tell all: what they tell has happened. */
    @Test
    void reportsChangesFromIncompleteEdits() throws IOException {
        Clients clients = new Clients("/told-in-part", 1);
        TrackedTree followed = follow(clients);
        fileSystem.create(new Path(clients.root, "file")).close();
        String first = clients.snapshot("first");
        followed.begin();
        followed.settle();
        SortedMap<String, TreeNode> tree = reader.read(first, Collections.emptySortedMap());
        followed.adopt(clients.root, tree);
        followed.watch();
        String last = clients.snapshot("last");
        assertThat(followed.update(last, tree, new Differing(clients))).isPresent();

        fileSystem.setTimes(new Path(clients.root, "file"), 77, -1);

        assertThat(followed.changedSinceWatch()).isEqualTo(Optional.of(Set.of("/file")));
    }

    /**
     * In a pause in which little is left nothing is listed, and nothing counted. A build moves few files; {@code
     * -Dtrefoil.test.pause.files=100000} and {@code -Dtrefoil.test.pause.moves=8} give the figures of {@code
     * docs/design/subtree-moves.md}, with {@code -Dtrefoil.test.pause.stock=true} those of stock NameNodes. To move many files takes long,
     * so {@code -Dtrefoil.test.pause.attempts=10} has each move pause so often: until the last time somebody else is said to have changed
     * the table, after everything else of the pause, and then the move reads both trees again, as always before a pause.
     */
    @Test
    void pauseReadsOnlyChanges() throws IOException {
        if (!STOCK) {
            federation.gate("ns1");
            federation.gate("ns2");
        }
        SubtreePath path = SubtreePath.parse("/pause");
        federation.makeFiles("ns1", path.text(), files());
        List<Long> pauses = new ArrayList<>();
        try (DistributedFileSystem second = federation.fileSystem("ns2");
                TableStore table = new HdfsTableStore(federation.client(), "hdfs://ns1/tables");
                SubtreeMoves moves = new HdfsSubtreeMoves(
                        federation.client(),
                        refusing(table),
                        HdfsTableStore.SEAL,
                        MoveTuning.builder()
                                .limiters(rate -> () -> {})
                                .editPollTimeout(LONG)
                                .lockValidity(LONG)
                                .build())) {
            table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
            federation.counted().clear();
            for (int i = 0; i < MOVES; i++) {
                boolean isHere = i % 2 == 0;
                MoveRecord record = MoveRecord.wanted(
                        "move" + i, path, isHere ? "ns1" : "ns2", isHere ? "ns2" : "ns1", "test", NOW);
                Changing changing = new Changing(isHere ? fileSystem : second, path);
                MoveRecord moved =
                        moves.connect(record, changing, 8, progress::add).run(SourceCleanup.DELETE_SOURCE);
                pauses.add(Long.parseLong(moved.pause().get(MoveRecord.MILLIS)));
                System.out.println(FILES + " files: a pause of " + pauses.get(i) + " ms, others waited "
                        + moved.others() + " ms at most");
                assertThat(moved.others()).containsOnlyKeys("ns1", "ns2");
            }
            assertThat((MOVES % 2 == 1 ? second : fileSystem)
                            .exists(new Path(path + "/flat/renamed" + (MOVES * ATTEMPTS - 1) + "-0")))
                    .isTrue();
        }
        print("pauses", pauses);
        print("pauses until the version", untilVersion);
        assertThat(progress).noneMatch(line -> line.startsWith("The pause lists all"));
        assertThat(progress.stream().anyMatch(line -> line.startsWith("The pause compares")))
                .isEqualTo(STOCK);
        assertThat(federation.counted()).noneMatch(folder -> folder.startsWith("/.reserved/"));
        progress.stream().filter(line -> line.startsWith("Others waited")).forEach(System.out::println);
    }

    private static double median(List<Long> sorted) {
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2.0;
    }

    private static void print(String what, List<Long> millis) {
        List<Long> sorted = new ArrayList<>(millis);
        Collections.sort(sorted);
        System.out.println(
                FILES + " files, stock NameNodes: " + STOCK + ", " + what + " in order " + millis + ", minimum "
                        + sorted.get(0) + ", median " + median(sorted) + ", maximum "
                        + sorted.get(sorted.size() - 1) + " ms");
    }

    /** A table of which somebody else makes each version but those of the last attempts. Versions end pauses that are measured. */
    private TableStore refusing(TableStore table) {
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

    /** Half of them in one folder, the others by tens in folders at several depths. */
    private static List<String> files() {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < FILES / 2; i++) {
            files.add("flat/" + i);
        }
        for (int i = 0; i < FILES - FILES / 2; i++) {
            files.add(deep(i / 10) + "/f" + i % 10);
        }
        return files;
    }

    /** As in a tree of folders with ten folders each, and files in the lowest. */
    static String deep(int folder) {
        return "deep/" + String.join("/", Integer.toString(folder).split(""));
    }

    /** Leaves a few changes for the pause. */
    private final class Changing extends Limits {
        private final DistributedFileSystem fileSystem;
        private final SubtreePath path;
        private int asked;

        Changing(DistributedFileSystem fileSystem, SubtreePath path) {
            this.fileSystem = fileSystem;
            this.path = path;
        }

        @Override
        public int pauses() {
            return ATTEMPTS;
        }

        @Override
        public int rounds() {
            return 1;
        }

        @Override
        public long nanos() {
            // When a pause begins, and once more when the last one is over.
            if (++asked <= ATTEMPTS) {
                assertThatCode(this::change).doesNotThrowAnyException();
                changes++;
                pauseBegan = System.nanoTime();
            }
            return super.nanos();
        }

        private void change() throws IOException {
            int folders = Math.max(1, FILES / 20);
            for (int i = 0; i < 10; i++) {
                String folder = path + "/" + (i % 2 == 0 ? "flat" : deep(i * 7919 % folders));
                Path made = new Path(folder + "/new");
                fileSystem.create(made).close();
                fileSystem.setTimes(new Path(folder + (i % 2 == 0 ? "/0" : "/f0")), 1_000 + i, -1);
                fileSystem.rename(made, new Path(folder + "/renamed" + changes + "-" + i));
            }
        }
    }

    /** Calls of all kinds, by chance, on few names. */
    private static final class Clients {
        private static final String[] NAMES = {"a", "b", "c", "b-"};

        final String root;
        final Random random;
        final boolean usesPolicies;
        /** What edits do not tell of. */
        final Set<String> silent = new TreeSet<>();

        final List<String> done = new ArrayList<>();
        private final List<FSDataOutputStream> open = new ArrayList<>();

        Clients(String root, int seed) throws IOException {
            this.root = root;
            this.random = new Random(seed);
            this.usesPolicies = seed % 6 == 0;
            fileSystem.mkdirs(new Path(root));
            fileSystem.mkdirs(new Path(root + "-outside"));
        }

        String snapshot(String name) throws IOException {
            fileSystem.allowSnapshot(new Path(root));
            done.add("snapshot " + name);
            return fileSystem.createSnapshot(new Path(root), name).toUri().getPath();
        }

        void close() throws IOException {
            for (FSDataOutputStream one : open) {
                try {
                    one.close();
                } catch (IOException e) {
                    // Its file was deleted.
                    done.add(e.getClass().getSimpleName());
                }
            }
            open.clear();
        }

        private String inside() {
            StringBuilder path = new StringBuilder();
            for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
                path.append('/').append(NAMES[random.nextInt(NAMES.length)]);
            }
            return path.toString();
        }

        private Path outside() {
            return new Path(root + "-outside/" + NAMES[random.nextInt(NAMES.length)]);
        }

        void change(int calls) {
            for (int i = 0; i < calls; i++) {
                int kind = random.nextInt(usesPolicies ? 25 : 24);
                String inside = inside();
                String other = inside();
                String call = kind + " " + inside + " " + other;
                try {
                    call(kind, inside, new Path(root + inside), new Path(root + other));
                    done.add(call);
                } catch (IOException e) {
                    done.add(call + " refused");
                }
            }
        }

        private void call(int kind, String inside, Path path, Path other) throws IOException {
            switch (kind) {
                case 0, 1 -> fileSystem.mkdirs(path);
                case 2, 3 -> fileSystem.create(path).close();
                case 4 -> write(fileSystem.create(path));
                case 5 -> write(fileSystem.append(path));
                case 6 -> cutAndAppend(path);
                case 7 -> fileSystem.delete(path, true);
                case 8, 9 -> fileSystem.rename(path, other);
                case 10 -> fileSystem.rename(path, other, Rename.OVERWRITE);
                case 11 -> swap(path, other);
                case 12 -> fileSystem.setTimes(path, random.nextInt(1_000_000), -1);
                case 13 -> fileSystem.setTimes(path, -1, System.currentTimeMillis());
                case 14 -> fileSystem.setPermission(path, new FsPermission((short) random.nextInt(01000)));
                case 15 -> fileSystem.setOwner(path, "user" + random.nextInt(3), "group");
                case 16 -> acl(path);
                case 17 -> attribute(path);
                case 18 -> fileSystem.setReplication(path, (short) (1 + random.nextInt(3)));
                case 19 -> fileSystem.rename(path, outside());
                case 20 -> fileSystem.rename(outside(), path);
                case 21 -> fileSystem.concat(path, new Path[] {other});
                case 22 -> {
                    FSDataOutputStream out = fileSystem.create(path);
                    out.write(1);
                    out.hflush();
                    open.add(out);
                }
                case 23 -> quota(inside, path);
                default -> {
                    fileSystem.setStoragePolicy(path, random.nextBoolean() ? "HOT" : "COLD");
                    silent.add(inside);
                }
            }
        }

        private void write(FSDataOutputStream out) throws IOException {
            try (out) {
                out.write(new byte[1 + random.nextInt(3)]);
            }
        }

        /** HDFS's difference does not show it. */
        private void cutAndAppend(Path path) throws IOException {
            int length = (int) fileSystem.getFileStatus(path).getLen();
            fileSystem.truncate(path, 0);
            try (FSDataOutputStream out = fileSystem.append(path)) {
                out.write(new byte[length]);
            }
        }

        private void swap(Path one, Path other) throws IOException {
            Path aside = new Path(root + "/aside");
            if (fileSystem.rename(one, aside)) {
                fileSystem.rename(other, one);
                fileSystem.rename(aside, other);
            }
        }

        private void acl(Path path) throws IOException {
            if (random.nextBoolean()) {
                fileSystem.removeAcl(path);
            } else {
                String spec = "user::rwx,group::r--,other::---,user:bob:rw-,mask::rw-";
                boolean isFolder = fileSystem.getFileStatus(path).isDirectory();
                fileSystem.setAcl(path, AclEntry.parseAclSpec(isFolder ? spec + ",default:user:bob:r--" : spec, true));
            }
        }

        private void attribute(Path path) throws IOException {
            if (random.nextInt(3) == 0) {
                fileSystem.removeXAttr(path, "user.a");
            } else {
                fileSystem.setXAttr(
                        path,
                        "user.a",
                        new byte[] {(byte) random.nextInt(3)},
                        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
            }
        }

        private void quota(String inside, Path path) throws IOException {
            long names = random.nextBoolean() ? HdfsConstants.QUOTA_RESET : 100 + random.nextInt(3);
            fileSystem.setQuota(path, names, HdfsConstants.QUOTA_RESET);
            silent.add(inside);
        }
    }
}
