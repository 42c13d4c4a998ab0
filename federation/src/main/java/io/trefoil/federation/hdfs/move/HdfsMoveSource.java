/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOrder.Check;
import io.trefoil.federation.hdfs.datanode.LinkClient;
import io.trefoil.federation.hdfs.directory.EntryMarks;
import io.trefoil.federation.hdfs.directory.MarkedDirectories;
import io.trefoil.federation.hdfs.directory.MovedMarks;
import io.trefoil.federation.hdfs.limits.ExpectedReplicas;
import io.trefoil.federation.hdfs.limits.NameNodeSettings;
import io.trefoil.federation.hdfs.limits.TreeLimits;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.SlicedDifference;
import io.trefoil.federation.hdfs.tree.SnapshotDifference;
import io.trefoil.federation.hdfs.tree.SnapshottableDirectories;
import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.NormalizedPath;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveSource;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore.Permit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffReportEntry;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffType;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The subtree in its owner's nameservice. NameNodes that can freeze it let clients wait. It is closed by means that stock NameNodes enforce
 * as well: a snapshot keeps the directory and all above it in their places, a quota lets nothing be added, and permissions keep all users
 * out but superusers, whose changes a second snapshot shows.
 */
final class HdfsMoveSource implements MoveSource {

    private static final String ROOT = "/";

    private final DistributedFileSystem fileSystem;
    private final DistributedFileSystem target;
    private final Consumer<String> progress;
    private final MoveLock lock;
    private final HdfsDirectory directory;
    private final HdfsDirectory frozen;
    private final ClientProtocol nameNode;
    private final ClientProtocol withoutLock;
    private final HdfsFreeze freeze;
    private final HdfsTree tree;
    private final HdfsTree moved;
    private final TrackedTree followed;
    private final LinkClient dataNodes;
    private final String path;
    private final String user;
    private final DirectorySeal seal;
    /** The name of a snapshot that is a seal. */
    private final String sealed;

    private final long slice;
    private final InitialQuota initialQuota;

    /** The modification time of the directory before its newest snapshot, which counts until others change the directory. */
    private Optional<Long> ownTime = Optional.empty();

    private Optional<Long> timeOfSnapshot = Optional.empty();

    HdfsMoveSource(String path, MoveConnections connections, String user, String seal, Consumer<String> progress) {
        this.fileSystem = connections.source();
        this.target = connections.target();
        this.progress = progress;
        this.freeze = connections.freeze();
        this.lock = connections.lock();
        this.directory = new HdfsDirectory(fileSystem, path, lock);
        // In a freeze clients wait for each question, and NameNodes execute what is of the move only while it stands.
        Permit permit = () -> {
            if (freeze.isActive()) {
                lock.requireHeld();
            } else {
                lock.requireHeldNow();
            }
        };
        this.frozen = new HdfsDirectory(fileSystem, path, lock, permit);
        this.nameNode = connections.sourceNameNode(permit);
        this.withoutLock = connections.sourceNameNode(() -> {});
        this.tree = connections.sourceTree();
        this.moved = connections.movedTree();
        this.followed = new TrackedTree(fileSystem, tree, path, connections.editPollTimeout(), progress);
        this.dataNodes = connections.dataNodes();
        this.path = path;
        this.user = user;
        this.seal = new DirectorySeal(fileSystem, path, seal, lock::requireHeldNow);
        this.sealed = seal;
        this.slice = connections.sliceSize();
        this.initialQuota = new InitialQuota(directory, path, nameNode, tree, slice, progress);
    }

    /** The name of the snapshot that keeps the directory in place, and holds the data copied before the pause. */
    private static String lockDirectory(MoveRecord record) {
        return "trefoil-move-" + record.id();
    }

    /** The name of the snapshot that holds the data to be moved. */
    private static String lastSnapshotName(MoveRecord record) {
        return "trefoil-moved-" + record.id();
    }

    /** The name of the snapshot that will replace the last one, which frees the blocks deleted so far. */
    private static String nextSnapshotName(MoveRecord record) {
        return "trefoil-emptied-" + record.id();
    }

    @Override
    public SubtreeSize size() throws IOException {
        return directory.size();
    }

    @Override
    public List<MoveBlocker> blockers() throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        if (!directory.exists() || !directory.status().isDirectory()) {
            blockers.add(MoveBlocker.of(fileSystem.getUri() + path + " is not a directory"));
            return blockers;
        }
        HdfsFileStatus status = nameNode.getFileInfo(path);
        if (status.isErasureCoded()) {
            blockers.add(MoveBlocker.erasureCoding(
                    path + " is erasure-coded", status.getErasureCodingPolicy().getName()));
        }
        RemoteIterator<EncryptionZone> zones = fileSystem.listEncryptionZones();
        while (zones.hasNext()) {
            encryptionZoneBlocker(zones.next()).ifPresent(blockers::add);
        }
        NameNodeSettings settings = NameNodeSettings.of(fileSystem);
        snapshotBlockers(settings).forEach(blockers::add);
        // Two of the move, and one that seals the directory when it is empty.
        settings.snapshotLimitBlockers(
                        SnapshottableDirectories.snapshotCounts(fileSystem),
                        directory.mayBeInRootSnapshots() ? ROOT : path,
                        DirectorySeal.canUseMark(fileSystem, path, settings) ? 2 : 3)
                .forEach(blockers::add);
        upgradeBlocker().ifPresent(blockers::add);
        if (!fileSystem.getConf().getBoolean(DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY, true)) {
            blockers.add(MoveBlocker.of(DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY
                    + " is false: nothing would keep clients out of the subtree while its owner changes"));
        }
        tree.quotas(path);
        NameNodeSettings there = NameNodeSettings.of(target);
        settings.blockers(path).forEach(blockers::add);
        there.blockers(path).forEach(blockers::add);
        settings.unanswered().forEach(progress);
        there.unanswered().forEach(progress);
        TreeLimits limits = there.limits();
        limits.findExceededLimit(status, path).map(MoveBlocker::of).ifPresent(blockers::add);
        // The directory for what is on its way from one name to another.
        limits.findExceededLimit(status, 1, path, path).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.addAll(tree.blockersIn(path, ExpectedReplicas.of(fileSystem), limits, settings.limits()));
        blockers.addAll(markBlockers(limits, settings));
        unavailableReplicasHint(blockers).ifPresent(blockers::add);
        for (DatanodeInfo dataNode : fileSystem.getDataNodeStats(DatanodeReportType.LIVE)) {
            linkRefusal(dataNode)
                    .ifPresent(reason -> blockers.add(MoveBlocker.of("DataNode " + dataNode
                            + " does not link blocks: add io.trefoil.federation.hdfs.datanode.BlockLinkPlugin"
                            + " to its dfs.datanode.plugins, and allow this user; the answer was: " + reason)));
        }
        return blockers;
    }

    private List<MoveBlocker> snapshotBlockers(NameNodeSettings settings) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        for (String other : SnapshottableDirectories.overlapping(fileSystem, path)) {
            List<String> names = SnapshottableDirectories.snapshotNames(fileSystem, other);
            boolean isOfRoot = other.equals(ROOT);
            if (isOfRoot && DirectorySeal.canUseMark(fileSystem, path, settings)) {
                progress.accept("Snapshots of " + fileSystem.getUri() + "/ keep what is in " + path
                        + ", with its blocks, until they are deleted: " + names);
                settings.nodesRefusingDiff().forEach(reason -> blockers.add(MoveBlocker.of(reason)));
            } else {
                blockers.add(MoveBlocker.snapshots(
                        "Snapshots are allowed in " + other
                                + ", whose files would keep their blocks: disallow them first"
                                + (isOfRoot
                                        ? ", or set trefoil.federation.gate at all NameNodes of "
                                                + fileSystem.getUri().getHost()
                                                + ", which then keep the directory in its place"
                                        : ""),
                        other,
                        names));
            }
        }
        return blockers;
    }

    /** The blockers due to missing room for the marks of a move, which are attributes of the two directories and of both roots. */
    private List<MoveBlocker> markBlockers(TreeLimits targetLimits, NameNodeSettings settings) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        TreeLimits here = settings.limits();
        List<XAttr> has = nameNode.getXAttrs(path, null);
        // The marks of the move, of a seal, and of having been handed over, which may be there until the pause.
        targetLimits.findExceededLimit(has, 3, path).map(MoveBlocker::of).ifPresent(blockers::add);
        if (canFreeze()) {
            here.findExceededLimit(has, 2, path).map(MoveBlocker::of).ifPresent(blockers::add);
            List<XAttr> ofRoot = nameNode.getXAttrs(FrozenMark.DIRECTORY, null);
            // The mark of the freeze stands when lists are written anew.
            String root = fileSystem.getUri() + FrozenMark.DIRECTORY;
            here.findExceededLimit(ofRoot, 1 + MovedMarks.rootAttributesNeeded(ofRoot), root)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
            here.findExceededLimit(MarkedDirectories.GIVEN_AWAY.listsIncluding(nameNode, ofRoot, path), 0, root)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
            MarkedDirectories.GIVEN_AWAY
                    .fullListReason(root, nameNode, ofRoot, path)
                    .ifPresent(progress);
            if (DirectorySeal.canUseMark(fileSystem, path, settings)) {
                MarkedDirectories.SEALED
                        .fullListReason(root, nameNode, ofRoot, path)
                        .map(MoveBlocker::of)
                        .ifPresent(blockers::add);
            }
        }
        return blockers;
    }

    /** The hint about missing replicas. */
    private Optional<MoveBlocker> unavailableReplicasHint(List<MoveBlocker> blockers) throws IOException {
        return blockers.stream().anyMatch(MoveBlocker::concernsReplicas)
                ? Optional.of(MoveBlocker.unavailableReplicas(
                        "Replicas that are not in service cannot be linked, and would be deleted with the"
                                + " source. Not in service: " + ExpectedReplicas.unavailableDataNodes(fileSystem)
                                + ". Bring these DataNodes back, or wait until HDFS has copied the blocks; or move"
                                + " with --keep-source, and repeat the command without it when the new owner has all"
                                + " replicas"))
                : Optional.empty();
    }

    @Override
    public Optional<MoveBlocker> upgradeBlocker() throws IOException {
        return MoveConnections.upgradeBlocker(fileSystem);
    }

    /** The blocker of an encryption zone; empty if the zone lies elsewhere. */
    private Optional<MoveBlocker> encryptionZoneBlocker(EncryptionZone zone) {
        boolean contains = NormalizedPath.contains(zone.getPath(), path);
        return contains || NormalizedPath.contains(path, zone.getPath())
                ? Optional.of(MoveBlocker.encryptionZone(
                        zone.getPath() + " is an encryption zone", contains ? path : zone.getPath(), zone.getKeyName()))
                : Optional.empty();
    }

    @Override
    public Optional<String> openFileTimeoutRefusal(Duration timeout) throws IOException {
        return timeout.compareTo(HdfsFreeze.TIMEOUT) > 0 && canFreeze()
                ? Optional.of("Wanted --pause of at most " + seconds(HdfsFreeze.TIMEOUT) + ", found "
                        + seconds(timeout) + ": the NameNodes of " + fileSystem.getUri()
                        + " let clients wait, and end a freeze after " + seconds(HdfsFreeze.TIME)
                        + " s, in which the last changes have to follow as well")
                : Optional.empty();
    }

    /** The duration in seconds: Java 8 lacks {@code toSeconds}, and Error Prone considers {@code getSeconds} a mistake. */
    private static long seconds(Duration time) {
        return TimeUnit.MILLISECONDS.toSeconds(time.toMillis());
    }

    /** Sends an order that no DataNode can carry out: one with the plugin reports that, and then this is empty. */
    private Optional<String> linkRefusal(DatanodeInfo dataNode) {
        BlockRef none = BlockRef.parse("blk_1_1");
        LinkOrder order = LinkOrder.of(
                "no-pool", "no-other-pool", Check.CHECKSUMS, Collections.singletonList(BlockLink.of(none, 0, none)));
        try {
            dataNodes.link(NetUtils.createSocketAddr(dataNode.getIpcAddr(false)), order);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.toString().split("\n", 2)[0]);
        }
    }

    @Override
    public SortedMap<String, TreeNode> scan() throws IOException {
        SortedMap<String, TreeNode> nodes = tree.read(path, Collections.emptySortedMap());
        initialQuota.clearLeftovers(nodes);
        return nodes;
    }

    @Override
    public SortedMap<String, TreeNode> snapshotScan(MoveRecord record) throws IOException {
        preventRename();
        // Neither the snapshots nor the edits that follow name the directories that have quotas meanwhile.
        initialQuota.set();
        followed.begin();
        if (createSnapshot(directory, lockDirectory(record))) {
            followed.settleTree();
        } else {
            followed.stopTracking("its snapshot was there before");
        }
        SortedMap<String, TreeNode> first =
                tree.read(snapshotPath(lockDirectory(record)), Collections.emptySortedMap());
        followed.adopt(snapshotPath(lockDirectory(record)), first);
        return first;
    }

    /** Prevents renames of the directory, with a mark if possible: a snapshot of it does so as well, but admits an authorizer's clients to a closed one. */
    private void preventRename() throws IOException {
        if (seal.setMark()) {
            return;
        }
        if (DirectorySeal.canUseMark(fileSystem, path)) {
            throw new TableRefusedException(
                    "The lists at " + fileSystem.getUri()
                            + "/ of sealed directories have become full: remove seals that are no longer needed, and repeat the command");
        }
        if (directory.mayBeInRootSnapshots()) {
            throw new TableRefusedException("Snapshots are allowed in " + fileSystem.getUri()
                    + "/, and not all NameNodes keep a directory in its place without one of its own: set trefoil.federation.gate"
                    + " at all of them, or disallow the others: hdfs dfsadmin -fs " + fileSystem.getUri()
                    + " -disallowSnapshot /");
        }
        requireGates();
    }

    /** Repeats the check of the dry run, as a NameNode that had a gate then may now be down. */
    private void requireGates() throws IOException {
        NameNodeSettings now = NameNodeSettings.of(fileSystem);
        List<String> reason = now.blockers(path).stream().map(MoveBlocker::text).collect(Collectors.toList());
        if (!reason.isEmpty()) {
            reason.addAll(now.unanswered());
        }
        TableRefusedException.requireNone(reason);
    }

    /**
     * Creates a snapshot unless there is one, and returns whether it did. Remembers the modification time, which HDFS sets to the time of
     * the snapshot.
     */
    private boolean createSnapshot(HdfsDirectory directory, String name) throws IOException {
        long before = lastModified(directory.status());
        boolean isMade = directory.createSnapshot(name);
        if (isMade) {
            ownTime = Optional.of(before);
            timeOfSnapshot = Optional.of(directory.status().getModificationTime());
        }
        return isMade;
    }

    /** The time at which others last changed the directory, as far as this process knows. */
    private long lastModified(FileStatus status) {
        long nodes = status.getModificationTime();
        return timeOfSnapshot.filter(time -> time == nodes).isPresent() ? ownTime.orElse(nodes) : nodes;
    }

    private String snapshotPath(String name) throws IOException {
        return directory.snapshotPath(name).toUri().getPath();
    }

    @Override
    public void followChanges() throws IOException {
        // A connection whose ticket has run out sleeps for seconds until it has another, and clients are about to wait.
        UserGroupInformation.getLoginUser().checkTGTAndReloginFromKeytab();
        directory.prepareQuotas();
        followed.followEdits();
    }

    @Override
    public boolean canFreeze() throws IOException {
        return freeze.isSupported();
    }

    @Override
    public boolean freeze() throws IOException {
        if (!freeze.isSupported()) {
            // Permissions close the directory instead, which an authorizer need not heed. A NameNode without a gate may
            // be
            // active by now.
            requireGates();
            return false;
        }
        freeze.begin();
        // Late, it would freeze a subtree that other processes have opened again, and later calls would find it frozen.
        lock.requireHeldNow();
        return true;
    }

    @Override
    public void thaw() throws IOException {
        freeze.end();
    }

    @Override
    public Map<String, String> captureOriginalAttributes() throws IOException {
        Map<String, String> state = new TreeMap<>();
        FileStatus status = directory.status();
        HdfsDirectory.recordAccess(state, status);
        state.put(HdfsDirectory.MODIFIED, Long.toString(lastModified(status)));
        tree.quotas(path).forEach((kind, limit) -> state.put(kind, Long.toString(limit)));
        return state;
    }

    @Override
    public Map<String, String> fence(MoveRecord record) throws IOException {
        if (freeze.isActive()) {
            freeze.extendToReads();
        }
        return freeze.callPastFreeze(() -> {
            directory.setQuotas(HdfsDirectory.NO_ROOM, HdfsConstants.QUOTA_DONT_SET);
            // Owners may change permissions; now only superusers may, and what is read next stays.
            directory.setOwner(user, null);
            Map<String, String> state = new TreeMap<>(record.sourceBefore());
            HdfsDirectory.recordPermission(state, directory.status());
            return state;
        });
    }

    @Override
    public void close() throws IOException {
        freeze.runPastFreeze(() -> directory.setPermission(HdfsDirectory.CLOSED));
    }

    @Override
    public void requireFrozen() throws IOException {
        if (freeze.isActive()) {
            freeze.extendToReads();
        }
    }

    @Override
    public List<String> openFiles() throws IOException {
        return freeze.callPastFreeze(() -> {
            List<String> open = new ArrayList<>();
            RemoteIterator<OpenFileEntry> all =
                    fileSystem.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), path);
            while (all.hasNext()) {
                String file = all.next().getFilePath();
                // Some versions compare the beginnings of paths as text.
                if (NormalizedPath.contains(path, file)) {
                    open.add(file);
                }
            }
            return open;
        });
    }

    @Override
    public Set<String> finalScan(MoveRecord record, SortedMap<String, TreeNode> tree) throws IOException {
        followed.watch();
        if (!freeze.callPastFreeze(() -> createSnapshot(frozen, lastSnapshotName(record)))) {
            followed.stopTracking("its last snapshot was there before");
        }
        // What a superuser is writing is not in the tree; if it is closed from here on, that is seen as a change.
        List<String> open = openFiles();
        if (!open.isEmpty()) {
            throw new TableRefusedException("A superuser is writing " + open + " although its directory is closed");
        }
        Optional<Set<String>> changed = followed.update(
                snapshotPath(lastSnapshotName(record)), tree, directory -> difference(record, directory));
        return changed.isPresent() ? changed.get() : readAll(record, tree);
    }

    /** The difference between the two snapshots. */
    private SnapshotDifference difference(MoveRecord record, String relativePath) throws IOException {
        return freeze.callPastFreeze(() -> SnapshotDifference.between(
                fileSystem, path + relativePath, lockDirectory(record), lastSnapshotName(record)));
    }

    private Set<String> readAll(MoveRecord record, SortedMap<String, TreeNode> tree) throws IOException {
        SortedMap<String, TreeNode> known =
                unchangedNodes(tree, differences(lockDirectory(record), lastSnapshotName(record)));
        return HdfsTree.replace(tree, this.tree.read(snapshotPath(lastSnapshotName(record)), known));
    }

    /**
     * The nodes that certainly still have the ACL, attributes and quotas of the first snapshot. Paths of a difference are partly of the old
     * tree and partly of the new one if a directory was renamed; then nothing is sure.
     */
    static SortedMap<String, TreeNode> unchangedNodes(
            SortedMap<String, TreeNode> first, List<DiffReportEntry> differences) {
        SortedMap<String, TreeNode> unchanged = new TreeMap<>(first);
        for (DiffReportEntry entry : differences) {
            String changed = "/" + DFSUtilClient.bytes2String(entry.getSourcePath());
            TreeNode was = first.get(changed);
            if (entry.getType() == DiffType.RENAME && (was == null || was.isDirectory())) {
                return Collections.emptySortedMap();
            }
            unchanged.remove(changed);
            if (entry.getType() != DiffType.MODIFY) {
                // A directory that was removed and made again, or went away and came back, is not named with what is in
                // it.
                unchanged.subMap(changed + "/", changed + "0").clear();
            }
        }
        return unchanged;
    }

    private List<DiffReportEntry> differences(String from, String to) throws IOException {
        return freeze.callPastFreeze(
                () -> fileSystem.getSnapshotDiffReport(new Path(path), from, to).getDiffList());
    }

    @Override
    public List<String> changedInPause(MoveRecord record) throws IOException {
        Optional<Set<String>> changed = followed.changedSinceWatch();
        // Clients wait: one call takes less time than many.
        return changed.isPresent()
                ? new ArrayList<>(changed.get())
                : describeChanges(record, differences(lastSnapshotName(record), ""));
    }

    /** The number of files and directories that may be compared in one call. A NameNode may refuse to compare a part. */
    private long diffSliceSize() {
        NameNodeSettings settings = NameNodeSettings.of(fileSystem);
        return settings.unanswered().isEmpty() && settings.nodesRefusingDiff().isEmpty() ? slice : Long.MAX_VALUE;
    }

    @Override
    public List<String> contradictions(MoveRecord record) throws IOException {
        String at = snapshotPath(lastSnapshotName(record));
        return followed.contradictions(
                directory -> difference(record, directory),
                directory -> moved.readDirectory(at, directory),
                diffSliceSize());
    }

    @Override
    public SortedMap<String, TreeNode> rescan(MoveRecord record) throws IOException {
        return moved.read(snapshotPath(lastSnapshotName(record)), Collections.emptySortedMap());
    }

    @Override
    public List<String> changedSince(MoveRecord record) throws IOException {
        finishRenewal(record);
        return describeChanges(
                record,
                new SlicedDifference(fileSystem, moved, path, lastSnapshotName(record), diffSliceSize())
                        .sinceSnapshot(snapshotPath(lastSnapshotName(record))));
    }

    private List<String> describeChanges(MoveRecord record, List<DiffReportEntry> differences) {
        Set<String> shrunk = new HashSet<>();
        for (DiffReportEntry entry : differences) {
            if (isExpectedDeletion(record, entry)) {
                String deleted = changeText(entry);
                shrunk.add(deleted.substring(0, deleted.lastIndexOf('/')));
            }
        }
        List<String> changes = new ArrayList<>();
        for (DiffReportEntry entry : differences) {
            // The directory itself has other permissions now, and it stays.
            boolean isDirectoryItself = entry.getType() == DiffType.MODIFY && entry.getSourcePath().length == 0;
            boolean isShrunk = entry.getType() == DiffType.MODIFY && shrunk.contains(changeText(entry));
            if (!isDirectoryItself && !isShrunk && !isExpectedDeletion(record, entry)) {
                changes.add(entry.toString().replace('\t', ' '));
            }
        }
        return changes;
    }

    /**
     * Whether a change is no objection to deleting the rest: this move or an operator has begun that deletion, or trash was deleted.
     * NameNodes do that as superusers, however closed the directory around it is, and the new owner lacks nothing of it: its NameNodes
     * delete what was moved there. HDFS refuses them to put trash aside, as that is a rename, of something that a snapshot has, in a
     * directory without room.
     */
    private boolean isExpectedDeletion(MoveRecord record, DiffReportEntry diffEntry) {
        return diffEntry.getType() == DiffType.DELETE
                && (record.phase() == MovePhase.EMPTYING || isTrash(changeText(diffEntry)));
    }

    private String changeText(DiffReportEntry diffEntry) {
        return path + "/" + DFSUtilClient.bytes2String(diffEntry.getSourcePath());
    }

    private static boolean isTrash(String file) {
        return file.contains("/" + FileSystem.TRASH_PREFIX + "/");
    }

    @Override
    public void redirectClients(MoveRecord record, int version) throws IOException {
        freeze.checkActive();
        freeze.runPastFreeze(() -> EntryMarks.removeMark(nameNode, path));
        if (freeze.isActive() || freeze.isSupported()) {
            freeze.runPastFreeze(() -> MovedMarks.set(nameNode, path, MovedMark.of(record.target(), version)));
        }
    }

    @Override
    public void undoRedirect() throws IOException {
        MovedMarks.remove(withoutLock, path);
    }

    @Override
    public boolean isEmpty() throws IOException {
        return !fileSystem.listStatusIterator(new Path(path)).hasNext();
    }

    @Override
    public void open(MoveRecord record) throws IOException {
        freeze.checkActive();
        freeze.runPastFreeze(() -> {
            // What the move has not changed may have been changed by another client since it was recorded. The owner
            // may change the permission, so that comes first. The quota tells what the move has changed, so it goes
            // last.
            if (directory.isClosed()) {
                directory.restorePermission(record.sourceBefore());
            }
            if (directory.isQuotaExhausted() && directory.status().getOwner().equals(user)) {
                directory.setOwner(record.sourceBefore().get(HdfsDirectory.OWNER), null);
            }
            if (directory.hasMoveQuota()) {
                directory.restoreNameQuota(record.sourceBefore());
            }
        });
        freeze.end();
        directory.deleteSnapshots(lockDirectory(record), lastSnapshotName(record));
        seal.remove();
        initialQuota.sweep();
    }

    /** Finishes the renewal of the last snapshot if an earlier process exited during it. */
    private void finishRenewal(MoveRecord record) throws IOException {
        if (record.phase() == MovePhase.EMPTYING && !directory.hasSnapshot(sealed)) {
            directory.finishRenewal(lastSnapshotName(record), nextSnapshotName(record));
        }
    }

    @Override
    public void deleteContents(MoveRecord record) throws IOException {
        finishRenewal(record);
        // A NameNode frees what was deleted when no snapshot has it any longer, all at once.
        // Of snapshots of the root, each look at all is one at the whole nameservice.
        boolean isInSnapshotsOfRoot = directory.mayBeInRootSnapshots();
        directory.deleteContents(slice, () -> {
            if (!isInSnapshotsOfRoot) {
                directory.deleteSnapshots(lockDirectory(record));
                directory.renewSnapshot(lastSnapshotName(record), nextSnapshotName(record));
            }
        });
        seal.set();
        directory.setQuotas(HdfsDirectory.NO_ROOM, HdfsConstants.QUOTA_RESET);
        directory.deleteSnapshots(lockDirectory(record), lastSnapshotName(record), nextSnapshotName(record));
        directory.restorePermission(record.sourceBefore());
        directory.restoreOwner(record.sourceBefore());
    }
}
