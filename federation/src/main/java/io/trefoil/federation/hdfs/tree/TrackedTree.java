/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.move.TreeNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * A tree that was read in full once, and of which later only that is read again which has changed since, by the edits of its NameNode. What
 * does not follow from these for sure is left to the caller, who has to read everything. Belongs to one thread.
 *
 * <p>The order of calls: {@link #begin}; the tree becomes what it is; {@link #settle}; {@link #adopt}; any number of {@link #follow}; {@link
 * #update}. Before the last edits that {@code update} is to read, {@link #watch}, if it is to be asked later whether anything has changed.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
public final class TrackedTree {

    /**
     * The time that one question for edits may take while clients wait, with all its calls: longer than as many edits
     * as are ever asked for, because to list a large tree instead takes more. A freeze is of 30 s, and there are three
     * questions until the folder is closed.
     */
    public static final Duration TOLD_WITHIN = Duration.ofSeconds(3);

    /** The most paths to ask for one by one: with more, listing everything is as fast. */
    private static final int MOST_PATHS = 10_000;

    private final ClientProtocol nameNode;
    private final HdfsTree reader;
    private final String root;
    private final Duration toldWithin;
    private final Consumer<String> progress;
    private Optional<TrackedState> following = Optional.empty();

    /**
     * @param root the folder that has the tree
     * @param toldWithin how long one question for edits may take while clients wait
     */
    public TrackedTree(
            DistributedFileSystem fileSystem,
            HdfsTree reader,
            String root,
            Duration toldWithin,
            Consumer<String> progress) {
        this.nameNode = fileSystem.getClient().getNamenode();
        this.reader = reader;
        this.root = root;
        this.toldWithin = toldWithin;
        this.progress = progress;
    }

    /** The knowledge of the tree since it was read. */
    private static final class TrackedState {
        final EditEvents events;
        long settledAfter;
        int policy;
        boolean usesPolicies;
        /** Whether {@link #update} asked for no difference. */
        boolean wentByEditsAlone;

        Optional<ChangedPaths> paths = Optional.empty();

        TrackedState(EditEvents events) {
            this.events = events;
        }
    }

    /** Begins to follow edits before the tree is read: edits from here on may be missing in it. */
    public void begin() throws IOException {
        try {
            following = Optional.of(new TrackedState(EditEvents.startingNow(nameNode, root, toldWithin)));
        } catch (InconclusiveEditsException e) {
            stopTracking(e.getMessage());
        }
    }

    /** Edits from here on are certainly missing in the tree. */
    public void settle() throws IOException {
        attempt(now -> now.settledAfter = now.events.written());
    }

    /**
     * The tree as it was read.
     *
     * @param at where it was read, perhaps in a snapshot
     */
    public void adopt(String at, SortedMap<String, TreeNode> tree) throws IOException {
        attempt(now -> {
            now.policy = reader.policy(at);
            now.usesPolicies =
                    tree.values().stream().anyMatch(node -> node.traits().policy() != 0);
            now.paths = Optional.of(new ChangedPaths(tree));
        });
    }

    /** Reads edits until few are left. */
    public void follow() throws IOException {
        attempt(now -> now.events.catchUp(now.paths.orElseThrow(IllegalStateException::new), now.settledAfter));
    }

    /**
     * Brings the tree that was read up to date. Nobody may be changing it any more. Can be called once.
     *
     * @param at where it is now, perhaps in a snapshot
     * @param tree what {@link #adopt} got; changed only if there is a result
     * @param others paths at which it may be another one, whatever edits say
     * @return the paths at which it may be another one now; nothing if it has to be read in full
     */
    public Optional<Set<String>> update(String at, SortedMap<String, TreeNode> tree, Collection<String> others)
            throws IOException {
        return update(tree, paths -> {
            others.forEach(paths::update);
            readChanged(at, paths);
        });
    }

    /** Asks for the difference between the snapshots of the tree: the NameNode visits all of the folder for that. */
    public interface SnapshotDiffer {

        /** @param folder in the tree, or the empty path */
        SnapshotDifference ask(String folder) throws IOException;
    }

    /** Reads one folder alone, in the second snapshot. */
    public interface Names {

        /** @param folder in the tree, or the empty path */
        SortedMap<String, TreeNode> of(String folder) throws IOException;
    }

    /**
     * Brings the tree that was read up to date between two snapshots. If the NameNode does not tell all changes by
     * edits, the difference between the snapshots is asked for; both must agree on what is where.
     *
     * @param at the second snapshot
     */
    public Optional<Set<String>> update(String at, SortedMap<String, TreeNode> tree, SnapshotDiffer differing)
            throws IOException {
        return update(tree, paths -> {
            TrackedState now = following.orElseThrow(IllegalStateException::new);
            now.wentByEditsAlone = now.events.isComplete();
            if (now.wentByEditsAlone) {
                readChanged(at, paths);
                return;
            }
            reportComparison(EditEvents.INCOMPLETE);
            SnapshotDifference difference = differing.ask("");
            requireNone(deletedButPresent(paths, difference));
            paths.markDoubtful(difference.modified());
            readChanged(at, paths);
            requireNone(movedElsewhere(paths, difference));
        });
    }

    private static void requireNone(List<String> contradictions) throws InconclusiveEditsException {
        if (!contradictions.isEmpty()) {
            throw new InconclusiveEditsException(contradictions.get(0));
        }
    }

    private static List<String> deletedButPresent(ChangedPaths paths, SnapshotDifference difference) {
        List<String> contradictions = new ArrayList<>();
        for (long id : difference.removedIds()) {
            paths.place(id).ifPresent(place -> contradictions.add("edits do not tell that " + place + " was deleted"));
        }
        return contradictions;
    }

    private static SortedMap<String, TreeNode> namesIn(String folder, SortedMap<String, TreeNode> tree) {
        SortedMap<String, TreeNode> names = new TreeMap<>();
        ChangedPaths.below(tree, folder).forEach((path, node) -> {
            if (path.lastIndexOf('/') == folder.length()) {
                names.put(path, node);
            }
        });
        return names;
    }

    private static List<String> renamedPaths(SortedMap<String, TreeNode> told, SortedMap<String, TreeNode> found) {
        return HdfsTree.replace(told, found).stream()
                .map(path -> "edits do not tell what " + path + " is")
                .collect(Collectors.toList());
    }

    private static List<String> movedElsewhere(ChangedPaths paths, SnapshotDifference difference) {
        Set<Long> missing = new TreeSet<>(difference.placedIds());
        paths.changed().forEach(path -> {
            if (paths.tree().containsKey(path)) {
                missing.remove(paths.tree().get(path).id());
            }
        });
        List<String> contradictions = new ArrayList<>();
        missing.forEach(id -> contradictions.add("edits do not tell where number " + id + " is"));
        return contradictions;
    }

    /**
     * Begins the watch: from then on {@link #changedSinceWatch} notices each change. It also names whatever a snapshot
     * made after this call does not have.
     */
    public void watch() throws IOException {
        attempt(now -> now.events.watch());
    }

    /**
     * The paths that have changed between {@link #update}, or at the earliest {@link #watch}, and now, if edits prove
     * it. They prove that there are none only if the caller has set the permission of the folder meanwhile: that is an
     * edit as well.
     *
     * @return nothing if edits prove neither; then only a difference between snapshots tells
     */
    public Optional<Set<String>> changedSinceWatch() throws IOException {
        if (!following.isPresent()) {
            return Optional.empty();
        }
        EditEvents events = following.get().events;
        boolean isNews = events.isComplete();
        Optional<String> whyNot;
        try {
            events.readAll(following.get().paths.orElseThrow(IllegalStateException::new), following.get().settledAfter);
            whyNot = events.notQuietReason();
        } catch (InconclusiveEditsException e) {
            whyNot = Optional.of(e.getMessage());
        }
        Set<String> changed = events.changedLater();
        if (!changed.isEmpty() || !whyNot.isPresent()) {
            return Optional.of(changed);
        }
        if (isNews) {
            reportComparison(whyNot.get());
        }
        return Optional.empty();
    }

    private void reportComparison(String why) {
        progress.accept("The pause compares snapshots of all of " + root + ": " + why);
    }

    /**
     * The contradictions between the edits and the snapshot difference, one sentence each. If {@link #update} went by edits alone, its
     * result can be checked when no client waits any more; if it did not, nothing is asked for.
     *
     * @param slice how many nodes a call visits at most, unless a folder has more
     */
    public List<String> contradictions(SnapshotDiffer differing, Names names, long slice) throws IOException {
        if (!following.isPresent() || !following.get().wentByEditsAlone) {
            return Collections.emptyList();
        }
        ChangedPaths paths = following.get().paths.orElseThrow(IllegalStateException::new);
        TreeParts parts = TreeParts.of(paths.tree(), slice);
        List<String> contradictions = new ArrayList<>();
        for (String folder : parts.above()) {
            contradictions.addAll(renamedPaths(namesIn(folder, paths.tree()), names.of(folder)));
        }
        if (!contradictions.isEmpty()) {
            // A part may be somewhere else.
            return contradictions;
        }
        SnapshotDifference difference = SnapshotDifference.none();
        for (String folder : parts.undividedParts()) {
            difference = difference.and(differing.ask(folder).in(folder, paths));
        }
        contradictions.addAll(deletedButPresent(paths, difference));
        contradictions.addAll(movedElsewhere(paths, difference));
        for (long id : difference.modified()) {
            paths.place(id)
                    .filter(place -> !paths.changed().contains(place))
                    .ifPresent(place -> contradictions.add("edits do not tell that " + place + " was changed"));
        }
        return contradictions;
    }

    /** Brings what is known of the tree up to date. */
    private interface Reading {
        void read(ChangedPaths paths) throws IOException;
    }

    private Optional<Set<String>> update(SortedMap<String, TreeNode> tree, Reading reading) throws IOException {
        attempt(now -> {
            ChangedPaths paths = now.paths.orElseThrow(IllegalStateException::new);
            now.events.readAll(paths, now.settledAfter);
            now.events.settleWatch();
            reading.read(paths);
        });
        if (!following.isPresent()) {
            return Optional.empty();
        }
        ChangedPaths paths = following.get().paths.orElseThrow(IllegalStateException::new);
        for (String path : paths.changed()) {
            TreeNode now = paths.tree().get(path);
            if (now == null) {
                tree.remove(path);
            } else {
                tree.put(path, now);
            }
        }
        return Optional.of(new TreeSet<>(paths.changed()));
    }

    private void readChanged(String at, ChangedPaths paths) throws IOException {
        TrackedState now = following.orElseThrow(IllegalStateException::new);
        reader.leftOut().forEach(paths::leaveOut);
        List<String> asked = new ArrayList<>(paths.doubtful());
        asked.addAll(paths.unknown());
        Collections.sort(asked);
        if (asked.size() > MOST_PATHS) {
            throw new InconclusiveEditsException(asked.size() + " paths may have changed");
        }
        if (reader.policy(at) != now.policy) {
            throw new InconclusiveEditsException("the storage policy around it has changed");
        }
        if (now.usesPolicies && paths.folderRenamed()) {
            throw new InconclusiveEditsException("a folder was renamed, and there are storage policies");
        }
        List<HdfsFileStatus> found = reader.statuses(at, asked);
        Map<String, Integer> policies = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            if (found.get(i) != null && found.get(i).isDirectory()) {
                policies.put(asked.get(i), (int) found.get(i).getStoragePolicy());
            }
        }
        List<String> there = new ArrayList<>();
        List<HdfsFileStatus> statuses = new ArrayList<>();
        List<Integer> around = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            String path = asked.get(i);
            HdfsFileStatus status = found.get(i);
            if (paths.doubtful().contains(path)) {
                requireSame(path, paths.tree(), status, now.policy);
            }
            if (status != null && !HdfsTree.isBeingWritten(status)) {
                there.add(path);
                statuses.add(status);
                around.add(policy(ChangedPaths.folderOf(path), policies, paths.tree(), now.policy));
            }
        }
        List<TreeNode> nodes = reader.nodes(at, there, statuses, around);
        asked.forEach(paths::remove);
        for (int i = 0; i < there.size(); i++) {
            if (nodes.get(i) != null) {
                paths.put(there.get(i), nodes.get(i));
            }
        }
        for (String path : new ArrayList<>(paths.unknown())) {
            if (policies.containsKey(path)) {
                for (Map.Entry<String, TreeNode> one :
                        reader.readBelow(at, path, Collections.emptySortedMap()).entrySet()) {
                    paths.put(one.getKey(), one.getValue());
                }
            }
        }
    }

    /** A folder whose policy has changed may have another effect on whatever is in it. */
    private static void requireSame(
            String path, SortedMap<String, TreeNode> tree, HdfsFileStatus status, int policyOfRoot)
            throws InconclusiveEditsException {
        TreeNode before = tree.get(path);
        if (status == null) {
            throw new InconclusiveEditsException("edits do not tell that " + path + " is gone");
        }
        if (ChangedPaths.isNewUnread(before)) {
            return;
        }
        if (status.getFileId() != before.id() || status.isDirectory() != before.isFolder()) {
            throw new InconclusiveEditsException("edits do not tell that " + path + " is another one");
        }
        if (before.isFolder()
                && status.getStoragePolicy() != policy(path, Collections.emptyMap(), tree, policyOfRoot)) {
            throw new InconclusiveEditsException("the storage policy of " + path + " has changed");
        }
    }

    /** The policy in force in a folder. */
    private static int policy(
            String folder, Map<String, Integer> read, SortedMap<String, TreeNode> tree, int policyOfRoot) {
        for (String one = folder; !one.isEmpty(); one = ChangedPaths.folderOf(one)) {
            Integer now = read.get(one);
            if (now != null) {
                return now;
            }
            TreeNode before = tree.get(one);
            if (before != null && before.traits().policy() != 0) {
                return before.traits().policy();
            }
        }
        return policyOfRoot;
    }

    /** A step of following. */
    private interface Step {
        void take(TrackedState now) throws IOException;
    }

    private void attempt(Step step) throws IOException {
        if (!following.isPresent()) {
            return;
        }
        try {
            step.take(following.get());
        } catch (InconclusiveEditsException e) {
            stopTracking(e.getMessage());
        }
    }

    /** Gives up following edits: {@link #update} will have no result. */
    public void stopTracking(String why) {
        following = Optional.empty();
        progress.accept("The pause lists all of " + root + ": " + why);
    }
}
