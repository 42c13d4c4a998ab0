/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveLimits.Question;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** One process that moves the simulated subtree: its calls, and what becomes of them. */
final class SimMover {

    /** What happens at a call. */
    enum Fault {
        CRASH_BEFORE,
        CRASH_AFTER,
        FAIL,
        LOSE_ANSWER,
        /** The process stands still before it asks for its lock. */
        STALL,
        /** The process, or the call, stands still when it has been told that it has the lock. */
        COME_LATE
    }

    /** The end of a process. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1;
    }

    private static final Instant NOW = Instant.parse("2026-11-29T09:00:00Z");

    private final MoveSimulation world;
    private final MoveRecord move;
    private final Map<Object, Fault> faults;
    private final SimFolder source;
    private final SimFolder target;
    private int calls;
    boolean isStalled;
    private boolean isDead;
    /** Whether it has frozen the source, as far as it knows. */
    private boolean hasFrozen;
    /** The number of the folder that it works in at the target. */
    private long staged;

    SimMover(MoveSimulation world, MoveRecord move, Map<Object, Fault> faults) {
        this.world = world;
        this.move = move;
        this.faults = faults;
        this.source = world.folders.get(move.source());
        this.target = world.folders.get(move.target());
        this.staged = target.number;
    }

    @Override
    public String toString() {
        return "mover " + System.identityHashCode(this) % 1000;
    }

    MovePorts ports() {
        return MovePorts.builder()
                .table(table())
                .store(new Store())
                .source(new Source())
                .target(new Target())
                .limits(new Limits())
                .counts(new MoveCounts(move.id(), Clock.fixed(NOW, ZoneOffset.UTC)))
                .progress(line -> {})
                .build();
    }

    // ---- Calls ----

    private interface Action {
        void run() throws IOException;
    }

    private interface Answer<T> {
        T get() throws IOException;
    }

    private <T> T read(String name, Answer<T> answer) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL || fault == Fault.COME_LATE) {
            world.standStill(this);
        }
        T result = answer.get();
        end(name, fault);
        return result;
    }

    /** By a path, or anything that is executed when the lock was asked for. */
    private void ask(String name, Action action) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL || fault == Fault.COME_LATE) {
            world.standStill(this);
        }
        requireLock();
        action.run();
        end(name, fault);
    }

    /** The same, but it may arrive late. */
    private void askLate(String name, Action action) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL) {
            world.standStill(this);
        }
        requireLock();
        if (fault == Fault.COME_LATE) {
            world.standStill(this);
        }
        action.run();
        end(name, fault);
    }

    /** By a number, for which the process trusts clocks that may tell it nothing. */
    private void late(String name, Action action) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL || fault == Fault.COME_LATE) {
            world.standStill(this);
        }
        action.run();
        end(name, fault);
    }

    private Fault begin(String name) throws IOException {
        world.work(world.random.nextInt(3));
        Fault fault = faults.getOrDefault(++calls, faults.remove(name));
        if (fault != null) {
            world.met.add(fault + " " + name);
        }
        if (fault == Fault.CRASH_BEFORE) {
            die("before " + name);
        }
        if (fault == Fault.FAIL) {
            world.note(this + ": " + name + " fails");
            throw new IOException(name + " failed");
        }
        world.note(this + ": " + name);
        return fault;
    }

    private void end(String name, Fault fault) throws IOException {
        if (fault == Fault.CRASH_AFTER) {
            die("after " + name);
        }
        if (fault == Fault.LOSE_ANSWER) {
            world.note(this + ": no answer");
            throw new IOException("no answer to " + name);
        }
    }

    private void die(String when) {
        isDead = true;
        world.note(this + " ends " + when);
        throw new Crash();
    }

    private boolean hasLock() {
        return world.holder.isPresent() && world.holder.get() == this;
    }

    private void requireLock() throws IOException {
        if (!hasLock()) {
            throw new IOException("the lock is lost");
        }
    }

    // ---- The table and the record ----

    private TableStore table() {
        return (TableStore) Proxy.newProxyInstance(
                TableStore.class.getClassLoader(), new Class<?>[] {TableStore.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "append" -> append((TableRecord) arguments[0]);
                        case "withdraw" -> {
                            ask("withdraw", world.drafts::clear);
                            yield null;
                        }
                        case "history" -> read("history", () -> List.copyOf(world.table.records));
                        case "requireNewest" -> read("newest", world.table::requireNewest);
                        default -> {
                            try {
                                yield method.invoke(world.table, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }
                    };
                });
    }

    private boolean append(TableRecord version) throws IOException {
        world.drafts.add(this);
        boolean[] isMade = {false};
        askLate("append", () -> {
            if (!world.drafts.remove(this)) {
                throw new IOException("the draft of the version is gone");
            }
            isMade[0] = world.table.append(version);
            world.note("version " + version.table().version() + " is made: " + isMade[0]);
        });
        return isMade[0];
    }

    private final class Store implements MoveStore {

        @Override
        public Closeable lock() throws IOException {
            if (world.holder.isPresent() && !world.holder.get().isStalled && !world.holder.get().isDead) {
                throw new TableRefusedException("another process has the lock");
            }
            world.holder = Optional.of(SimMover.this);
            return () -> {
                if (hasLock() && !isDead) {
                    world.holder = Optional.empty();
                }
            };
        }

        @Override
        public void requireLock() throws IOException {
            read("lock?", () -> {
                SimMover.this.requireLock();
                return true;
            });
        }

        @Override
        public Optional<MoveRecord> current() throws IOException {
            return read("current", () -> world.record);
        }

        /** Whoever gets the lock deletes what was written of a record. */
        private void write(String name, Action action) throws IOException {
            askLate(name, () -> {
                SimMover.this.requireLock();
                action.run();
                world.recordNumber++;
            });
        }

        @Override
        public boolean begin(MoveRecord record) throws IOException {
            boolean[] isMade = {false};
            write("begin", () -> {
                if (world.record.isEmpty()) {
                    world.record = Optional.of(record);
                    isMade[0] = true;
                }
            });
            return isMade[0];
        }

        @Override
        public void update(MoveRecord record) throws IOException {
            write("update " + record.phase(), () -> {
                if (world.record.isEmpty() || !world.record.get().id().equals(record.id())) {
                    throw new IOException("there is no such record");
                }
                world.record = Optional.of(record);
            });
        }

        @Override
        public void end(MoveRecord record) throws IOException {
            long number = world.recordNumber;
            askLate("end", () -> {
                if (world.record.isEmpty() || world.recordNumber != number) {
                    throw new IOException("there is no such record");
                }
                world.record = Optional.empty();
                world.ended.add(record.id());
            });
        }

        @Override
        public boolean hasEnded(MoveRecord record) {
            return world.ended.contains(record.id());
        }

        @Override
        public void keep(MoveProgress progress) {}

        @Override
        public Optional<MoveProgress> progress(MoveRecord record) {
            return Optional.empty();
        }
    }

    // ---- The source ----

    private static Set<String> differences(
            SortedMap<String, SimFolder.File> before, SortedMap<String, SimFolder.File> now) {
        Set<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(now.keySet());
        paths.removeIf(path -> before.containsKey(path) && before.get(path).equals(now.get(path)));
        return paths;
    }

    private final class Source implements MoveSource {

        private void requireFrozenNow() throws IOException {
            if (hasFrozen && !source.frozenFor.equals(move.id())) {
                throw new IOException("nothing is frozen for " + move.id());
            }
        }

        /** Stock NameNodes execute it whenever it comes, which is no matter here. */
        private void inFreeze(String name, Action action) throws IOException {
            Action checked = () -> {
                requireFrozenNow();
                action.run();
            };
            if (hasFrozen) {
                askLate(name, checked);
            } else {
                ask(name, checked);
            }
        }

        @Override
        public SubtreeSize size() {
            return SubtreeSize.builder()
                    .files(1)
                    .folders(1)
                    .bytes(1)
                    .bytesOnDisks(1)
                    .blocks(1)
                    .build();
        }

        @Override
        public List<MoveBlocker> blockers() {
            return List.of();
        }

        @Override
        public Optional<MoveBlocker> upgrade() throws IOException {
            return read(
                    "upgrade?",
                    () -> world.random.nextInt(60) == 0 ? Optional.of(MoveBlocker.of("an upgrade")) : Optional.empty());
        }

        @Override
        public Optional<String> patienceExceedsFreeze(Duration patience) {
            return Optional.empty();
        }

        @Override
        public SortedMap<String, TreeNode> scan() throws IOException {
            return read("scan", () -> SimFolder.nodes(source.files));
        }

        private void snapshot(String name) {
            source.snapshots.putIfAbsent(name, new TreeMap<>(source.files));
        }

        private SortedMap<String, SimFolder.File> snapshotOf(String name) throws IOException {
            SortedMap<String, SimFolder.File> files = source.snapshots.get(name);
            if (files == null) {
                throw new IOException("there is no snapshot " + name);
            }
            return files;
        }

        private String first() {
            return "first " + move.id();
        }

        private String last() {
            return "last " + move.id();
        }

        private void deleteSnapshots() {
            source.snapshots.remove(first());
            source.snapshots.remove(last());
        }

        @Override
        public SortedMap<String, TreeNode> snapshotScan(MoveRecord record) throws IOException {
            ask("first snapshot", () -> snapshot(first()));
            return SimFolder.nodes(snapshotOf(first()));
        }

        @Override
        public void follow() {}

        @Override
        public boolean canFreeze() {
            return world.hasGates;
        }

        @Override
        public boolean freeze() throws IOException {
            if (!world.hasGates) {
                return false;
            }
            askLate("freeze", () -> {
                source.frozenFor = move.id();
                source.holdsReads = false;
            });
            SimMover.this.requireLock();
            hasFrozen = true;
            return true;
        }

        @Override
        public void thaw() throws IOException {
            askLate("thaw", () -> {
                if (source.frozenFor.equals(move.id())) {
                    source.thaw();
                }
            });
        }

        @Override
        public Map<String, String> state() throws IOException {
            return read("state", () -> Map.of("permission", Integer.toOctalString(source.permission)));
        }

        @Override
        public Map<String, String> fence(MoveRecord record) throws IOException {
            inFreeze("fence", () -> {
                source.holdsReads = hasFrozen;
                source.isFenced = true;
            });
            return source.isClosed
                    ? record.sourceWas()
                    : Map.of("permission", Integer.toOctalString(source.permission));
        }

        @Override
        public void close() throws IOException {
            inFreeze("close", () -> {
                source.isClosed = true;
                source.permission = 0;
            });
        }

        @Override
        public void requireFrozen() throws IOException {
            ask("still frozen?", this::requireFrozenNow);
        }

        @Override
        public List<String> openFiles() throws IOException {
            return read("open files", source::openFiles);
        }

        @Override
        public Set<String> finalScan(MoveRecord record, SortedMap<String, TreeNode> tree) throws IOException {
            inFreeze("last snapshot", () -> snapshot(last()));
            if (!source.openFiles().isEmpty()) {
                throw new TableRefusedException("a superuser is writing");
            }
            Set<String> changed = new HashSet<>(tree.keySet());
            tree.clear();
            tree.putAll(SimFolder.nodes(snapshotOf(last())));
            changed.addAll(tree.keySet());
            return changed;
        }

        @Override
        public List<String> changedInPause(MoveRecord record) throws IOException {
            return read("changes in pause", () -> List.copyOf(differences(snapshotOf(last()), source.files)));
        }

        @Override
        public List<String> changedSince(MoveRecord record) throws IOException {
            return read("changes since", () -> {
                Set<String> changed = differences(snapshotOf(last()), source.files);
                if (record.encode().get("phase").equals("EMPTYING")) {
                    changed.retainAll(source.files.keySet());
                }
                return List.copyOf(changed);
            });
        }

        @Override
        public List<String> contradictions(MoveRecord record) {
            return List.of();
        }

        @Override
        public SortedMap<String, TreeNode> rescan(MoveRecord record) throws IOException {
            return read("rescan", () -> SimFolder.nodes(snapshotOf(last())));
        }

        @Override
        public void leave(MoveRecord record, int version) throws IOException {
            long number = source.number;
            boolean isFrozen = source.frozenFor.equals(move.id());
            askLate("leave", () -> {
                if (source.number != number || (isFrozen && !source.frozenFor.equals(move.id()))) {
                    throw new IOException("there is no such folder");
                }
                if (world.hasGates) {
                    source.movedTo = move.target();
                }
            });
        }

        @Override
        public void takeBackLeave() throws IOException {
            read("take back leave", () -> {
                source.movedTo = "";
                return true;
            });
        }

        @Override
        public boolean isEmpty() throws IOException {
            return read("empty?", () -> source.files.isEmpty());
        }

        @Override
        public void open(MoveRecord record) throws IOException {
            ask("open source", () -> {
                if (source.isClosed) {
                    source.permission = Integer.parseInt(record.sourceWas().get("permission"), 8);
                    source.isClosed = false;
                }
                source.isFenced = false;
                source.thaw();
                deleteSnapshots();
            });
        }

        @Override
        public void empty(MoveRecord record) throws IOException {
            Set<Long> numbers = new HashSet<>();
            source.files.values().forEach(file -> numbers.add(file.id()));
            late("delete files", () -> source.files.values().removeIf(file -> numbers.contains(file.id())));
            ask("seal source", () -> {
                if (!source.files.isEmpty()) {
                    throw new IOException("it is not empty");
                }
                source.isSealed = true;
                source.isFenced = false;
                deleteSnapshots();
                source.isClosed = false;
                source.permission = Integer.parseInt(record.sourceWas().get("permission"), 8);
            });
        }
    }

    // ---- The target ----

    private final class Target implements MoveTarget {

        /** By the number of the folder, as it was put in place or found. */
        private void inFolder(String name, Action action) throws IOException {
            late(name, () -> {
                if (target.number != staged) {
                    throw new IOException("there is no folder with this number");
                }
                action.run();
            });
        }

        @Override
        public List<MoveBlocker> blockers(SubtreeSize size) {
            return List.of();
        }

        @Override
        public Optional<MoveBlocker> upgrade() {
            return Optional.empty();
        }

        @Override
        public Map<String, String> state() throws IOException {
            return read(
                    "state of target",
                    () -> Map.of(
                            "there",
                            Boolean.toString(target.isThere),
                            "sealed",
                            Boolean.toString(target.isSealed),
                            "moved",
                            target.movedTo,
                            "permission",
                            Integer.toOctalString(target.permission)));
        }

        /** In place of the folder that there is, which may have the mark of one that was given away. */
        private void replace(String movedTo) {
            target.number++;
            target.files = new TreeMap<>();
            target.aside.clear();
            target.isThere = true;
            target.isSealed = false;
            target.movedTo = movedTo;
        }

        @Override
        public void prepare(MoveRecord record) throws IOException {
            long number = target.number;
            askLate("prepare", () -> {
                if (target.number != number) {
                    throw new IOException("another folder is there");
                }
                replace(record.targetWas().get("moved"));
                target.staging = move.id();
            });
            staged = number + 1;
        }

        @Override
        public void moveAside(String path, long id) throws IOException {
            inFolder("aside " + path, () -> target.aside.put(id, target.files.remove(path)));
        }

        @Override
        public void moveIn(long id, String path) throws IOException {
            inFolder("in " + path, () -> target.files.put(path, target.aside.remove(id)));
        }

        @Override
        public void delete(String path) throws IOException {
            inFolder("delete " + path, () -> target.files.remove(path));
        }

        @Override
        public void makeFolder(String path, TreeNode node) {
            throw new AssertionError("There are no folders");
        }

        @Override
        public List<String> copy(SortedMap<String, TreeNode> files) throws IOException {
            Set<String> left = new TreeSet<>();
            for (Map.Entry<String, TreeNode> one : files.entrySet()) {
                Optional<SimFolder.File> found = source.files.values().stream()
                        .filter(file -> file.id() == one.getValue().id())
                        .filter(file -> ("stamp " + file.content())
                                .equals(one.getValue().content()))
                        .filter(file -> !file.isOpen())
                        .findFirst();
                if (found.isEmpty()) {
                    left.add(one.getKey());
                } else {
                    inFolder(
                            "copy " + one.getKey(),
                            () -> target.files.put(
                                    one.getKey(),
                                    new SimFolder.File(
                                            world.nextId(), found.get().content(), false)));
                }
            }
            return List.copyOf(left);
        }

        @Override
        public Question lackingReplicas(long newest) {
            return () -> read(
                    "replicas?",
                    () -> world.random.nextInt(60) == 0 ? List.of("/a has no replica") : Collections.emptyList());
        }

        @Override
        public long newestBlock() {
            return 1;
        }

        @Override
        public void setTraits(SortedMap<String, TreeNode> nodes) throws IOException {
            inFolder("traits", () -> {});
        }

        @Override
        public SortedMap<String, TreeNode> scan() throws IOException {
            return read("scan target", () -> SimFolder.nodes(target.files));
        }

        @Override
        public void follow() {}

        @Override
        public Set<String> scanChanged(SortedMap<String, TreeNode> tree, Set<String> touched) throws IOException {
            Set<String> changed = new HashSet<>(tree.keySet());
            SortedMap<String, TreeNode> now = scan();
            tree.clear();
            tree.putAll(now);
            changed.addAll(now.keySet());
            return changed;
        }

        @Override
        public void makeReady(MoveRecord record) throws IOException {
            inFolder("ready", () -> target.movedTo = "");
        }

        @Override
        public void undoReady(MoveRecord record) throws IOException {
            inFolder("undo ready", () -> target.movedTo = record.targetWas().get("moved"));
        }

        @Override
        public void open(MoveRecord record) throws IOException {
            inFolder("open target", () -> {
                if (target.staging.equals(move.id())) {
                    target.permission = Integer.parseInt(record.sourceWas().get("permission"), 8);
                    target.isFenced = false;
                    target.isClosed = false;
                    target.staging = "";
                }
            });
        }

        @Override
        public void release() throws IOException {
            inFolder("release", () -> {});
        }

        @Override
        public void giveUp(MoveRecord record) throws IOException {
            long number = target.number;
            askLate("give up", () -> {
                if (target.number != number) {
                    throw new IOException("another folder is there");
                }
                replace(record.targetWas().get("moved"));
                target.isThere = Boolean.parseBoolean(record.targetWas().get("there"));
                target.isSealed = Boolean.parseBoolean(record.targetWas().get("sealed"));
                target.permission = Integer.parseInt(record.targetWas().get("permission"), 8);
                target.staging = "";
            });
        }
    }

    private final class Limits implements MoveLimits {

        @Override
        public int rounds() {
            return 2;
        }

        @Override
        public int fewFiles() {
            return 1;
        }

        @Override
        public Duration patience() {
            return Duration.ZERO;
        }

        @Override
        public int pauses() {
            return 2;
        }

        @Override
        public long heapBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public Instant now() {
            return NOW;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public List<String> awaitNone(Question question) throws IOException {
            List<String> answer = question.ask();
            for (int again = 0; again < 2 && !answer.isEmpty(); again++) {
                world.work(3);
                answer = question.ask();
            }
            return answer;
        }

        @Override
        public List<String> awaitReplicas(Question question) throws IOException {
            return question.ask();
        }
    }
}
