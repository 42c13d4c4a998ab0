/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveLimits.ServerQuery;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The simulated subtree where it is moved to, as one process asks for it. */
final class SimMoveTarget implements MoveTarget {

    private final SimMover mover;
    private final MoveSimulation world;
    private final MoveRecord move;
    private final SimDirectory source;
    private final SimDirectory target;
    /** The number of the directory that the process works in. */
    private long staged;

    SimMoveTarget(SimMover mover) {
        this.mover = mover;
        world = mover.world;
        move = mover.move;
        source = world.directories.get(move.source());
        target = world.directories.get(move.target());
        staged = target.number;
    }

    /** By the id of the directory, as it was put in place or found. */
    private void runInDirectory(String name, SimMover.Action action) throws IOException {
        mover.delayable(name, () -> {
            if (target.number != staged) {
                throw new IOException("there is no directory with this number");
            }
            action.run();
        });
    }

    @Override
    public List<MoveBlocker> blockers(SubtreeSize size) {
        return List.of();
    }

    @Override
    public Optional<MoveBlocker> upgradeBlocker() {
        return Optional.empty();
    }

    @Override
    public Map<String, String> captureOriginalAttributes() throws IOException {
        return mover.read(
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

    /** In place of the directory that there is, which may have the mark of one that was given away. */
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
        mover.callMaybeDelayed("prepare", () -> {
            if (target.number != number) {
                throw new IOException("another directory is there");
            }
            replace(record.targetBefore().get("moved"));
            target.staging = move.id();
        });
        staged = number + 1;
    }

    @Override
    public void moveAside(String path, long id) throws IOException {
        runInDirectory("aside " + path, () -> target.aside.put(id, target.files.remove(path)));
    }

    @Override
    public void moveIn(long id, String path) throws IOException {
        runInDirectory("in " + path, () -> target.files.put(path, target.aside.remove(id)));
    }

    @Override
    public void delete(String path) throws IOException {
        runInDirectory("delete " + path, () -> target.files.remove(path));
    }

    @Override
    public void mkdir(String path, TreeNode node) {
        throw new AssertionError("There are no directories");
    }

    @Override
    public List<String> copy(SortedMap<String, TreeNode> files) throws IOException {
        Set<String> left = new TreeSet<>();
        for (Map.Entry<String, TreeNode> one : files.entrySet()) {
            Optional<SimDirectory.File> found = source.files.values().stream()
                    .filter(file -> file.id() == one.getValue().id())
                    .filter(file ->
                            ("stamp " + file.content()).equals(one.getValue().content()))
                    .filter(file -> !file.isOpen())
                    .findFirst();
            if (found.isEmpty()) {
                left.add(one.getKey());
            } else {
                runInDirectory(
                        "copy " + one.getKey(),
                        () -> target.files.put(
                                one.getKey(),
                                new SimDirectory.File(
                                        world.nextId(), found.get().content(), false)));
            }
        }
        return List.copyOf(left);
    }

    @Override
    public ServerQuery missingReplicasQuery(long newestBlockId) {
        return () -> mover.read(
                "replicas?",
                () -> world.random.nextInt(60) == 0 ? List.of("/a has no replica") : Collections.emptyList());
    }

    @Override
    public long newestBlock() {
        return 1;
    }

    @Override
    public void setTraits(SortedMap<String, TreeNode> nodes) throws IOException {
        runInDirectory("traits", () -> {});
    }

    @Override
    public SortedMap<String, TreeNode> scan() throws IOException {
        return mover.read("scan target", () -> SimDirectory.nodes(target.files));
    }

    @Override
    public void followChanges() {}

    @Override
    public Set<String> rescanChangedNodes(SortedMap<String, TreeNode> tree, Set<String> touchedPaths)
            throws IOException {
        Set<String> changed = new HashSet<>(tree.keySet());
        SortedMap<String, TreeNode> now = scan();
        tree.clear();
        tree.putAll(now);
        changed.addAll(now.keySet());
        return changed;
    }

    @Override
    public void prepareOpening(MoveRecord record) throws IOException {
        runInDirectory("ready", () -> target.movedTo = "");
    }

    @Override
    public void undoOpening(MoveRecord record) throws IOException {
        runInDirectory(
                "undo ready", () -> target.movedTo = record.targetBefore().get("moved"));
    }

    @Override
    public void open(MoveRecord record) throws IOException {
        runInDirectory("open target", () -> {
            if (target.staging.equals(move.id())) {
                target.permission = Integer.parseInt(record.sourceBefore().get("permission"), 8);
                target.isFenced = false;
                target.isClosed = false;
                target.staging = "";
            }
        });
    }

    @Override
    public void release() throws IOException {
        runInDirectory("release", () -> {});
    }

    @Override
    public void discard(MoveRecord record) throws IOException {
        long number = target.number;
        mover.callMaybeDelayed("give up", () -> {
            if (target.number != number) {
                throw new IOException("another directory is there");
            }
            replace(record.targetBefore().get("moved"));
            target.isThere = Boolean.parseBoolean(record.targetBefore().get("there"));
            target.isSealed = Boolean.parseBoolean(record.targetBefore().get("sealed"));
            target.permission = Integer.parseInt(record.targetBefore().get("permission"), 8);
            target.staging = "";
        });
    }
}
