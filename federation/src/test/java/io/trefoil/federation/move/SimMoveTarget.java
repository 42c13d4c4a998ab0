/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveLimits.Question;
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
    private final SimFolder source;
    private final SimFolder target;
    /** The number of the folder that the process works in. */
    private long staged;

    SimMoveTarget(SimMover mover) {
        this.mover = mover;
        world = mover.world;
        move = mover.move;
        source = world.folders.get(move.source());
        target = world.folders.get(move.target());
        staged = target.number;
    }

    /** By the number of the folder, as it was put in place or found. */
    private void inFolder(String name, SimMover.Action action) throws IOException {
        mover.late(name, () -> {
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
        mover.askLate("prepare", () -> {
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
    public void mkdir(String path, TreeNode node) {
        throw new AssertionError("There are no folders");
    }

    @Override
    public List<String> copy(SortedMap<String, TreeNode> files) throws IOException {
        Set<String> left = new TreeSet<>();
        for (Map.Entry<String, TreeNode> one : files.entrySet()) {
            Optional<SimFolder.File> found = source.files.values().stream()
                    .filter(file -> file.id() == one.getValue().id())
                    .filter(file ->
                            ("stamp " + file.content()).equals(one.getValue().content()))
                    .filter(file -> !file.isOpen())
                    .findFirst();
            if (found.isEmpty()) {
                left.add(one.getKey());
            } else {
                inFolder(
                        "copy " + one.getKey(),
                        () -> target.files.put(
                                one.getKey(),
                                new SimFolder.File(world.nextId(), found.get().content(), false)));
            }
        }
        return List.copyOf(left);
    }

    @Override
    public Question lackingReplicas(long newest) {
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
        inFolder("traits", () -> {});
    }

    @Override
    public SortedMap<String, TreeNode> scan() throws IOException {
        return mover.read("scan target", () -> SimFolder.nodes(target.files));
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
    public void prepareOpening(MoveRecord record) throws IOException {
        inFolder("ready", () -> target.movedTo = "");
    }

    @Override
    public void undoOpening(MoveRecord record) throws IOException {
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
    public void discard(MoveRecord record) throws IOException {
        long number = target.number;
        mover.askLate("give up", () -> {
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
