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
 * A tree that is read in full once, and of which later only the changed parts are reread, according to its NameNode's edits. What
 * does not follow from these for sure is left to the caller, which has to read everything. Belongs to one thread.
 *
 * <p>The order of calls: {@link #begin}; the tree becomes what it is; {@link #settleTree}; {@link #adopt}; any number of {@link #followEdits}; {@link
 * #update}. Before the last edits that {@code update} is to read, {@link #watch}, if it is to be asked later whether anything has changed.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
public final class TrackedTree {

    /**
     * The time that one query for edits, with all its calls, may take while clients wait: more than the maximum number of edits takes,
     * because listing a large tree instead takes longer. A freeze is of 30 s, and there are three questions until the directory is closed.
     */
    public static final Duration TOLD_WITHIN = Duration.ofSeconds(3);

    /** The maximum number of paths to query one by one: with more, listing everything is as fast. */
    private static final int MAX_PATHS = 10_000;

    private final ClientProtocol nameNode;
    private final HdfsTree reader;
    private final String root;
    private final Duration toldWithin;
    private final Consumer<String> progress;
    private Optional<TrackedState> following = Optional.empty();

    /**
     * @param root the directory that has the tree
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

    /** The knowledge about the tree since it was read. */
    private static final class TrackedState {
        final EditEvents events;
        long settledAfter;
        int policy;
        boolean usesPolicies;
        /** Whether {@link #update} did not request a difference. */
        boolean wentByEditsAlone;

        Optional<ChangedPaths> paths = Optional.empty();

        TrackedState(EditEvents events) {
            this.events = events;
        }
    }

    /** Starts following edits before the tree is read: later edits may be missing from the tree. */
    public void begin() throws IOException {
        try {
            following = Optional.of(new TrackedState(EditEvents.startingNow(nameNode, root, toldWithin)));
        } catch (InconclusiveEditsException e) {
            stopTracking(e.getMessage());
        }
    }

    /** Records that later edits are certainly missing from the tree. */
    public void settleTree() throws IOException {
        applyStep(now -> now.settledAfter = now.events.lastWrittenTxId());
    }

    /**
     * The tree as it was read.
     *
     * @param path where it was read, perhaps in a snapshot
     */
    public void adopt(String path, SortedMap<String, TreeNode> tree) throws IOException {
        applyStep(now -> {
            now.policy = reader.policy(path);
            now.usesPolicies =
                    tree.values().stream().anyMatch(node -> node.traits().policy() != 0);
            now.paths = Optional.of(new ChangedPaths(tree));
        });
    }

    /** Reads edits until few are left. */
    public void followEdits() throws IOException {
        applyStep(now -> now.events.catchUp(now.paths.orElseThrow(IllegalStateException::new), now.settledAfter));
    }

    /**
     * Brings the tree up to date. No client may be changing it any longer. Can be called once.
     *
     * @param path where it is now, perhaps in a snapshot
     * @param tree what {@link #adopt} got; changed only if there is a result
     * @param otherPaths paths at which it may be another one, whatever edits say
     * @return the paths at which it may be another one now; nothing if it has to be read in full
     */
    public Optional<Set<String>> update(String path, SortedMap<String, TreeNode> tree, Collection<String> otherPaths)
            throws IOException {
        return update(tree, paths -> {
            otherPaths.forEach(paths::update);
            rescanChangedDirectories(path, paths);
        });
    }

    /** Requests the difference between the snapshots of the tree, for which the NameNode visits the whole directory. */
    public interface SnapshotDiffer {

        /** @param directory in the tree, or the empty path */
        SnapshotDifference diff(String directory) throws IOException;
    }

    /** Reads a single directory, in the second snapshot. */
    public interface DirectoryReader {

        /** @param directory in the tree, or the empty path */
        SortedMap<String, TreeNode> readDirectory(String directory) throws IOException;
    }

    /**
     * Brings the tree up to date from one snapshot to the next. If the NameNode does not tell all changes by
     * edits, the difference between the snapshots is asked for; both must agree on what is where.
     *
     * @param path the second snapshot
     */
    public Optional<Set<String>> update(String path, SortedMap<String, TreeNode> tree, SnapshotDiffer differ)
            throws IOException {
        return update(tree, paths -> {
            TrackedState currentState = following.orElseThrow(IllegalStateException::new);
            currentState.wentByEditsAlone = currentState.events.isComplete();
            if (currentState.wentByEditsAlone) {
                rescanChangedDirectories(path, paths);
                return;
            }
            reportComparison(EditEvents.INCOMPLETE);
            SnapshotDifference difference = differ.diff("");
            requireNone(deletedButPresent(paths, difference));
            paths.markDoubtful(difference.modifiedIds());
            rescanChangedDirectories(path, paths);
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
            paths.pathOf(id).ifPresent(place -> contradictions.add("edits do not tell that " + place + " was deleted"));
        }
        return contradictions;
    }

    private static SortedMap<String, TreeNode> readDirectoryNames(String directory, SortedMap<String, TreeNode> tree) {
        SortedMap<String, TreeNode> names = new TreeMap<>();
        ChangedPaths.entriesBelow(tree, directory).forEach((path, node) -> {
            if (path.lastIndexOf('/') == directory.length()) {
                names.put(path, node);
            }
        });
        return names;
    }

    private static List<String> renamedPaths(
            SortedMap<String, TreeNode> nodes, SortedMap<String, TreeNode> foundNodes) {
        return HdfsTree.replace(nodes, foundNodes).stream()
                .map(path -> "edits do not tell what " + path + " is")
                .collect(Collectors.toList());
    }

    private static List<String> movedElsewhere(ChangedPaths paths, SnapshotDifference difference) {
        Set<Long> missing = new TreeSet<>(difference.placedIds());
        paths.changedPaths().forEach(path -> {
            if (paths.tree().containsKey(path)) {
                missing.remove(paths.tree().get(path).id());
            }
        });
        List<String> contradictions = new ArrayList<>();
        missing.forEach(id -> contradictions.add("edits do not tell where number " + id + " is"));
        return contradictions;
    }

    /**
     * Starts watching: from then on {@link #changedSinceWatch} notices each change. It also names whatever a snapshot
     * made after this call does not have.
     */
    public void watch() throws IOException {
        applyStep(now -> now.events.watch());
    }

    /**
     * The paths that have changed between {@link #update}, or at the earliest {@link #watch}, and now, if edits prove
     * it. They prove that there are none only if the caller has set the permission of the directory meanwhile: that is an
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

    private void reportComparison(String reason) {
        progress.accept("The pause compares snapshots of all of " + root + ": " + reason);
    }

    /**
     * The contradictions between the edits and the snapshot difference, each as a sentence. If {@link #update} went by edits alone, its
     * result can be checked when no client waits any longer; if it did not, nothing is asked for.
     *
     * @param slice how many nodes a call visits at most, unless a directory has more
     */
    public List<String> contradictions(SnapshotDiffer differ, DirectoryReader names, long slice) throws IOException {
        if (!following.isPresent() || !following.get().wentByEditsAlone) {
            return Collections.emptyList();
        }
        ChangedPaths paths = following.get().paths.orElseThrow(IllegalStateException::new);
        TreeParts parts = TreeParts.of(paths.tree(), slice);
        List<String> contradictions = new ArrayList<>();
        for (String directory : parts.dividedDirectories()) {
            contradictions.addAll(
                    renamedPaths(readDirectoryNames(directory, paths.tree()), names.readDirectory(directory)));
        }
        if (!contradictions.isEmpty()) {
            // A part may be somewhere else.
            return contradictions;
        }
        SnapshotDifference difference = SnapshotDifference.none();
        for (String directory : parts.undividedParts()) {
            difference = difference.union(differ.diff(directory).relativeTo(directory, paths));
        }
        contradictions.addAll(deletedButPresent(paths, difference));
        contradictions.addAll(movedElsewhere(paths, difference));
        for (long id : difference.modifiedIds()) {
            paths.pathOf(id)
                    .filter(place -> !paths.changedPaths().contains(place))
                    .ifPresent(place -> contradictions.add("edits do not tell that " + place + " was changed"));
        }
        return contradictions;
    }

    /** Brings the known state of the tree up to date. */
    private interface TreeUpdater {
        void update(ChangedPaths paths) throws IOException;
    }

    private Optional<Set<String>> update(SortedMap<String, TreeNode> tree, TreeUpdater reading) throws IOException {
        applyStep(now -> {
            ChangedPaths paths = now.paths.orElseThrow(IllegalStateException::new);
            now.events.readAll(paths, now.settledAfter);
            now.events.settleWatch();
            reading.update(paths);
        });
        if (!following.isPresent()) {
            return Optional.empty();
        }
        ChangedPaths paths = following.get().paths.orElseThrow(IllegalStateException::new);
        for (String path : paths.changedPaths()) {
            TreeNode now = paths.tree().get(path);
            if (now == null) {
                tree.remove(path);
            } else {
                tree.put(path, now);
            }
        }
        return Optional.of(new TreeSet<>(paths.changedPaths()));
    }

    private void rescanChangedDirectories(String at, ChangedPaths paths) throws IOException {
        TrackedState currentState = following.orElseThrow(IllegalStateException::new);
        reader.excludedPaths().forEach(paths::excludePath);
        List<String> doubtful = new ArrayList<>(paths.doubtfulPaths());
        doubtful.addAll(paths.unknownPaths());
        Collections.sort(doubtful);
        if (doubtful.size() > MAX_PATHS) {
            throw new InconclusiveEditsException(doubtful.size() + " paths may have changed");
        }
        if (reader.policy(at) != currentState.policy) {
            throw new InconclusiveEditsException("the storage policy around it has changed");
        }
        if (currentState.usesPolicies && paths.hasRenamedDirectory()) {
            throw new InconclusiveEditsException("a directory was renamed, and there are storage policies");
        }
        List<HdfsFileStatus> found = reader.statuses(at, doubtful);
        Map<String, Integer> policies = new HashMap<>();
        for (int i = 0; i < doubtful.size(); i++) {
            if (found.get(i) != null && found.get(i).isDirectory()) {
                policies.put(doubtful.get(i), (int) found.get(i).getStoragePolicy());
            }
        }
        List<String> there = new ArrayList<>();
        List<HdfsFileStatus> statuses = new ArrayList<>();
        List<Integer> around = new ArrayList<>();
        for (int i = 0; i < doubtful.size(); i++) {
            String path = doubtful.get(i);
            HdfsFileStatus status = found.get(i);
            if (paths.doubtfulPaths().contains(path)) {
                requireSame(path, paths.tree(), status, currentState.policy);
            }
            if (status != null && !HdfsTree.isBeingWritten(status)) {
                there.add(path);
                statuses.add(status);
                around.add(policy(ChangedPaths.parentOf(path), policies, paths.tree(), currentState.policy));
            }
        }
        List<TreeNode> nodes = reader.nodes(at, there, statuses, around);
        doubtful.forEach(paths::remove);
        for (int i = 0; i < there.size(); i++) {
            if (nodes.get(i) != null) {
                paths.put(there.get(i), nodes.get(i));
            }
        }
        for (String path : new ArrayList<>(paths.unknownPaths())) {
            if (policies.containsKey(path)) {
                for (Map.Entry<String, TreeNode> one :
                        reader.readBelow(at, path, Collections.emptySortedMap()).entrySet()) {
                    paths.put(one.getKey(), one.getValue());
                }
            }
        }
    }

    /** Fails if a directory's policy has changed, as that may affect everything in it. */
    private static void requireSame(
            String path, SortedMap<String, TreeNode> tree, HdfsFileStatus status, int policyOfRoot)
            throws InconclusiveEditsException {
        TreeNode before = tree.get(path);
        if (status == null) {
            throw new InconclusiveEditsException("edits do not tell that " + path + " is gone");
        }
        if (ChangedPaths.isUnreadNewDirectory(before)) {
            return;
        }
        if (status.getFileId() != before.id() || status.isDirectory() != before.isDirectory()) {
            throw new InconclusiveEditsException("edits do not tell that " + path + " is another one");
        }
        if (before.isDirectory()
                && status.getStoragePolicy() != policy(path, Collections.emptyMap(), tree, policyOfRoot)) {
            throw new InconclusiveEditsException("the storage policy of " + path + " has changed");
        }
    }

    /** The effective storage policy of a directory. */
    private static int policy(
            String directory, Map<String, Integer> read, SortedMap<String, TreeNode> tree, int policyOfRoot) {
        for (String ancestor = directory; !ancestor.isEmpty(); ancestor = ChangedPaths.parentOf(ancestor)) {
            Integer now = read.get(ancestor);
            if (now != null) {
                return now;
            }
            TreeNode before = tree.get(ancestor);
            if (before != null && before.traits().policy() != 0) {
                return before.traits().policy();
            }
        }
        return policyOfRoot;
    }

    /** A step in following edits. */
    private interface Step {
        void apply(TrackedState currentState) throws IOException;
    }

    private void applyStep(Step step) throws IOException {
        if (!following.isPresent()) {
            return;
        }
        try {
            step.apply(following.get());
        } catch (InconclusiveEditsException e) {
            stopTracking(e.getMessage());
        }
    }

    /** Gives up following edits: {@link #update} will have no result. */
    public void stopTracking(String reason) {
        following = Optional.empty();
        progress.accept("The pause lists all of " + root + ": " + reason);
    }
}
