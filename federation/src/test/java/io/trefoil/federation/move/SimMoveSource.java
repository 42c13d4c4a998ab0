/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.table.TableRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The simulated subtree at its owner, as one process asks for it. */
final class SimMoveSource implements MoveSource {

    private final SimMover mover;
    private final MoveSimulation world;
    private final MoveRecord move;
    private final SimDirectory source;
    /** Whether the process has frozen the source, as far as it knows. */
    private boolean hasFrozen;

    SimMoveSource(SimMover mover) {
        this.mover = mover;
        world = mover.world;
        move = mover.move;
        source = world.directories.get(move.source());
    }

    private static Set<String> differences(
            SortedMap<String, SimDirectory.File> before, SortedMap<String, SimDirectory.File> now) {
        Set<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(now.keySet());
        paths.removeIf(path -> before.containsKey(path) && before.get(path).equals(now.get(path)));
        return paths;
    }

    private void requireFrozenNow() throws IOException {
        if (hasFrozen && !source.frozenFor.equals(move.id())) {
            throw new IOException("nothing is frozen for " + move.id());
        }
    }

    /** Stock NameNodes execute it whenever it comes, which is no matter here. */
    private void runFrozen(String name, SimMover.Action action) throws IOException {
        SimMover.Action checked = () -> {
            requireFrozenNow();
            action.run();
        };
        if (hasFrozen) {
            mover.callMaybeDelayed(name, checked);
        } else {
            mover.call(name, checked);
        }
    }

    @Override
    public SubtreeSize size() {
        return SubtreeSize.builder()
                .files(1)
                .directories(1)
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
    public Optional<MoveBlocker> upgradeBlocker() throws IOException {
        return mover.read(
                "upgrade?",
                () -> world.random.nextInt(60) == 0 ? Optional.of(MoveBlocker.of("an upgrade")) : Optional.empty());
    }

    @Override
    public Optional<String> openFileTimeoutRefusal(Duration timeout) {
        return Optional.empty();
    }

    @Override
    public SortedMap<String, TreeNode> scan() throws IOException {
        return mover.read("scan", () -> SimDirectory.nodes(source.files));
    }

    private void snapshot(String name) {
        source.snapshots.putIfAbsent(name, new TreeMap<>(source.files));
    }

    private SortedMap<String, SimDirectory.File> readSnapshot(String name) throws IOException {
        SortedMap<String, SimDirectory.File> files = source.snapshots.get(name);
        if (files == null) {
            throw new IOException("there is no snapshot " + name);
        }
        return files;
    }

    private String firstSnapshot() {
        return "first " + move.id();
    }

    private String lastSnapshot() {
        return "last " + move.id();
    }

    private void deleteSnapshots() {
        source.snapshots.remove(firstSnapshot());
        source.snapshots.remove(lastSnapshot());
    }

    @Override
    public SortedMap<String, TreeNode> snapshotScan(MoveRecord record) throws IOException {
        mover.call("first snapshot", () -> snapshot(firstSnapshot()));
        return SimDirectory.nodes(readSnapshot(firstSnapshot()));
    }

    @Override
    public void followChanges() {}

    @Override
    public boolean canFreeze() {
        return world.hasGates;
    }

    @Override
    public boolean freeze() throws IOException {
        if (!world.hasGates) {
            return false;
        }
        mover.callMaybeDelayed("freeze", () -> {
            source.frozenFor = move.id();
            source.holdsReads = false;
        });
        mover.requireLock();
        hasFrozen = true;
        return true;
    }

    @Override
    public void thaw() throws IOException {
        mover.callMaybeDelayed("thaw", () -> {
            if (source.frozenFor.equals(move.id())) {
                source.unfreeze();
            }
        });
    }

    @Override
    public Map<String, String> captureOriginalAttributes() throws IOException {
        return mover.read("state", () -> Map.of("permission", Integer.toOctalString(source.permission)));
    }

    @Override
    public Map<String, String> fence(MoveRecord record) throws IOException {
        runFrozen("fence", () -> {
            source.holdsReads = hasFrozen;
            source.isFenced = true;
        });
        return source.isClosed ? record.sourceBefore() : Map.of("permission", Integer.toOctalString(source.permission));
    }

    @Override
    public void close() throws IOException {
        runFrozen("close", () -> {
            source.isClosed = true;
            source.permission = 0;
        });
    }

    @Override
    public void requireFrozen() throws IOException {
        mover.call("still frozen?", this::requireFrozenNow);
    }

    @Override
    public List<String> openFiles() throws IOException {
        return mover.read("open files", source::openFiles);
    }

    @Override
    public Set<String> finalScan(MoveRecord record, SortedMap<String, TreeNode> tree) throws IOException {
        runFrozen("last snapshot", () -> snapshot(lastSnapshot()));
        if (!source.openFiles().isEmpty()) {
            throw new TableRefusedException("a superuser is writing");
        }
        Set<String> changed = new HashSet<>(tree.keySet());
        tree.clear();
        tree.putAll(SimDirectory.nodes(readSnapshot(lastSnapshot())));
        changed.addAll(tree.keySet());
        return changed;
    }

    @Override
    public List<String> changedInPause(MoveRecord record) throws IOException {
        return mover.read(
                "changes in pause", () -> List.copyOf(differences(readSnapshot(lastSnapshot()), source.files)));
    }

    @Override
    public List<String> changedSince(MoveRecord record) throws IOException {
        return mover.read("changes since", () -> {
            Set<String> changed = differences(readSnapshot(lastSnapshot()), source.files);
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
        return mover.read("rescan", () -> SimDirectory.nodes(readSnapshot(lastSnapshot())));
    }

    @Override
    public void redirectClients(MoveRecord record, int version) throws IOException {
        long number = source.number;
        boolean isFrozen = source.frozenFor.equals(move.id());
        mover.callMaybeDelayed("leave", () -> {
            if (source.number != number || (isFrozen && !source.frozenFor.equals(move.id()))) {
                throw new IOException("there is no such directory");
            }
            if (world.hasGates) {
                source.movedTo = move.target();
            }
        });
    }

    @Override
    public void undoRedirect() throws IOException {
        mover.read("take back leave", () -> {
            source.movedTo = "";
            return true;
        });
    }

    @Override
    public boolean isEmpty() throws IOException {
        return mover.read("empty?", () -> source.files.isEmpty());
    }

    @Override
    public void open(MoveRecord record) throws IOException {
        mover.call("open source", () -> {
            if (source.isClosed) {
                source.permission = Integer.parseInt(record.sourceBefore().get("permission"), 8);
                source.isClosed = false;
            }
            source.isFenced = false;
            source.unfreeze();
            deleteSnapshots();
        });
    }

    @Override
    public void deleteContents(MoveRecord record) throws IOException {
        Set<Long> numbers = new HashSet<>();
        source.files.values().forEach(file -> numbers.add(file.id()));
        mover.delayable("delete files", () -> source.files.values().removeIf(file -> numbers.contains(file.id())));
        mover.call("seal source", () -> {
            if (!source.files.isEmpty()) {
                throw new IOException("it is not empty");
            }
            source.isSealed = true;
            source.isFenced = false;
            deleteSnapshots();
            source.isClosed = false;
            source.permission = Integer.parseInt(record.sourceBefore().get("permission"), 8);
        });
    }
}
