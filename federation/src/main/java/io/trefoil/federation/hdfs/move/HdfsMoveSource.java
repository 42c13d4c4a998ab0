/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockName;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOrder.Check;
import io.trefoil.federation.hdfs.datanode.LinkClient;
import io.trefoil.federation.hdfs.folder.EntryMarks;
import io.trefoil.federation.hdfs.folder.MarkedDirectories;
import io.trefoil.federation.hdfs.folder.MovedMarks;
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
 * The subtree at its owner. NameNodes that can freeze it let clients wait. It is closed by means that stock NameNodes enforce as well: a
 * snapshot keeps the folder and all above it in their places, a quota lets nothing be added, and permissions keep everybody out but
 * superusers, whose changes a second snapshot shows.
 */
final class HdfsMoveSource implements MoveSource {

    private static final String ROOT = "/";

    private final DistributedFileSystem fileSystem;
    private final DistributedFileSystem target;
    private final Consumer<String> progress;
    private final MoveLock lock;
    private final HdfsDirectory folder;
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

    /** The modification time of the folder before its newest snapshot, which counts until others change the folder. */
    private Optional<Long> ownTime = Optional.empty();

    private Optional<Long> timeOfSnapshot = Optional.empty();

    HdfsMoveSource(String path, MoveConnections ends, String user, String seal, Consumer<String> progress) {
        this.fileSystem = ends.source();
        this.target = ends.target();
        this.progress = progress;
        this.freeze = ends.freeze();
        this.lock = ends.lock();
        this.folder = new HdfsDirectory(fileSystem, path, lock);
        // In a freeze clients wait for each question, and NameNodes execute what is of the move only while it stands.
        Permit permit = () -> {
            if (freeze.stands()) {
                lock.require();
            } else {
                lock.requireNow();
            }
        };
        this.frozen = new HdfsDirectory(fileSystem, path, lock, permit);
        this.nameNode = ends.sourceNode(permit);
        this.withoutLock = ends.sourceNode(() -> {});
        this.tree = ends.sourceTree();
        this.moved = ends.movedTree();
        this.followed = new TrackedTree(fileSystem, tree, path, ends.editPollTimeout(), progress);
        this.dataNodes = ends.dataNodes();
        this.path = path;
        this.user = user;
        this.seal = new DirectorySeal(fileSystem, path, seal, lock::requireNow);
        this.sealed = seal;
        this.slice = ends.slice();
        this.initialQuota = new InitialQuota(folder, path, nameNode, tree, slice, progress);
    }

    /** Keeps the folder in its place, and has what was copied before the pause. */
    private static String lock(MoveRecord record) {
        return "trefoil-move-" + record.id();
    }

    /** The name of the snapshot that holds what is to be moved. */
    private static String last(MoveRecord record) {
        return "trefoil-moved-" + record.id();
    }

    /** The name of the snapshot that will replace the last one, which frees the blocks that were deleted so far. */
    private static String next(MoveRecord record) {
        return "trefoil-emptied-" + record.id();
    }

    @Override
    public SubtreeSize size() throws IOException {
        return folder.size();
    }

    @Override
    public List<MoveBlocker> blockers() throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        if (!folder.exists() || !folder.status().isDirectory()) {
            blockers.add(MoveBlocker.of(fileSystem.getUri() + path + " is not a folder"));
            return blockers;
        }
        HdfsFileStatus status = nameNode.getFileInfo(path);
        if (status.isErasureCoded()) {
            blockers.add(MoveBlocker.erasureCoding(
                    path + " is erasure-coded", status.getErasureCodingPolicy().getName()));
        }
        RemoteIterator<EncryptionZone> zones = fileSystem.listEncryptionZones();
        while (zones.hasNext()) {
            zone(zones.next()).ifPresent(blockers::add);
        }
        NameNodeSettings here = NameNodeSettings.of(fileSystem);
        snapshots(here).forEach(blockers::add);
        // Two of the move, and one that seals the folder when it is empty.
        here.tooManySnapshots(
                        SnapshottableDirectories.counts(fileSystem),
                        folder.mayBeInRootSnapshots() ? ROOT : path,
                        DirectorySeal.canBeMark(fileSystem, path, here) ? 2 : 3)
                .forEach(blockers::add);
        upgrade().ifPresent(blockers::add);
        if (!fileSystem.getConf().getBoolean(DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY, true)) {
            blockers.add(MoveBlocker.of(DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY
                    + " is false: nothing would keep clients out of the subtree while its owner changes"));
        }
        tree.quotas(path);
        NameNodeSettings there = NameNodeSettings.of(target);
        here.blockers(path).forEach(blockers::add);
        there.blockers(path).forEach(blockers::add);
        here.unanswered().forEach(progress);
        there.unanswered().forEach(progress);
        TreeLimits limits = there.limits();
        limits.beyond(status, path).map(MoveBlocker::of).ifPresent(blockers::add);
        // The folder for what is on its way from one name to another.
        limits.beyond(status, 1, path, path).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.addAll(tree.blockersIn(path, ExpectedReplicas.of(fileSystem), limits, here.limits()));
        blockers.addAll(marks(limits, here));
        replicasAway(blockers).ifPresent(blockers::add);
        for (DatanodeInfo one : fileSystem.getDataNodeStats(DatanodeReportType.LIVE)) {
            linkRefusal(one)
                    .ifPresent(why -> blockers.add(MoveBlocker.of("DataNode " + one
                            + " does not link blocks: add io.trefoil.federation.hdfs.datanode.BlockLinkPlugin"
                            + " to its dfs.datanode.plugins, and allow this user; the answer was: " + why)));
        }
        return blockers;
    }

    private List<MoveBlocker> snapshots(NameNodeSettings here) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        for (String other : SnapshottableDirectories.overlapping(fileSystem, path)) {
            List<String> names = SnapshottableDirectories.names(fileSystem, other);
            boolean isOfRoot = other.equals(ROOT);
            if (isOfRoot && DirectorySeal.canBeMark(fileSystem, path, here)) {
                progress.accept("Snapshots of " + fileSystem.getUri() + "/ keep what is in " + path
                        + ", with its blocks, until they are deleted: " + names);
                here.nodesRefusingDiff().forEach(why -> blockers.add(MoveBlocker.of(why)));
            } else {
                blockers.add(MoveBlocker.snapshots(
                        "Snapshots are allowed in " + other
                                + ", whose files would keep their blocks: disallow them first"
                                + (isOfRoot
                                        ? ", or set trefoil.federation.gate at all NameNodes of "
                                                + fileSystem.getUri().getHost()
                                                + ", which then keep the folder in its place"
                                        : ""),
                        other,
                        names));
            }
        }
        return blockers;
    }

    /** The blockers due to missing room for the marks of a move, which are attributes of the two folders and of both roots. */
    private List<MoveBlocker> marks(TreeLimits there, NameNodeSettings settings) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        TreeLimits here = settings.limits();
        List<XAttr> has = nameNode.getXAttrs(path, null);
        // The marks of the move, of a seal, and of having been given away, which may be there until the pause.
        there.beyond(has, 3, path).map(MoveBlocker::of).ifPresent(blockers::add);
        if (canFreeze()) {
            here.beyond(has, 2, path).map(MoveBlocker::of).ifPresent(blockers::add);
            List<XAttr> ofRoot = nameNode.getXAttrs(FrozenMark.FOLDER, null);
            // The mark of the freeze stands when lists are written anew.
            String root = fileSystem.getUri() + FrozenMark.FOLDER;
            here.beyond(ofRoot, 1 + MovedMarks.roomAtRoot(ofRoot), root)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
            here.beyond(MarkedDirectories.GIVEN_AWAY.with(nameNode, ofRoot, path), 0, root)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
            MarkedDirectories.GIVEN_AWAY
                    .fullListReason(root, nameNode, ofRoot, path)
                    .ifPresent(progress);
            if (DirectorySeal.canBeMark(fileSystem, path, settings)) {
                MarkedDirectories.SEALED
                        .fullListReason(root, nameNode, ofRoot, path)
                        .map(MoveBlocker::of)
                        .ifPresent(blockers::add);
            }
        }
        return blockers;
    }

    /** The hint about replicas that are away. */
    private Optional<MoveBlocker> replicasAway(List<MoveBlocker> found) throws IOException {
        return found.stream().anyMatch(MoveBlocker::concernsReplicas)
                ? Optional.of(MoveBlocker.replicas(
                        "Replicas that are not in service cannot be linked, and would be deleted with the"
                                + " source. Not in service: " + ExpectedReplicas.away(fileSystem)
                                + ". Bring these DataNodes back, or wait until HDFS has copied the blocks; or move"
                                + " with --keep-source, and repeat the command without it when the new owner has all"
                                + " replicas"))
                : Optional.empty();
    }

    @Override
    public Optional<MoveBlocker> upgrade() throws IOException {
        return MoveConnections.upgrade(fileSystem);
    }

    /** The blocker of an encryption zone; empty if the zone is elsewhere. */
    private Optional<MoveBlocker> zone(EncryptionZone zone) {
        boolean contains = NormalizedPath.contains(zone.getPath(), path);
        return contains || NormalizedPath.contains(path, zone.getPath())
                ? Optional.of(MoveBlocker.zone(
                        zone.getPath() + " is an encryption zone", contains ? path : zone.getPath(), zone.getKeyName()))
                : Optional.empty();
    }

    @Override
    public Optional<String> patienceExceedsFreeze(Duration patience) throws IOException {
        return patience.compareTo(HdfsFreeze.PATIENCE) > 0 && canFreeze()
                ? Optional.of("Wanted --pause of at most " + seconds(HdfsFreeze.PATIENCE) + ", found "
                        + seconds(patience) + ": the NameNodes of " + fileSystem.getUri()
                        + " let clients wait, and end a freeze after " + seconds(HdfsFreeze.TIME)
                        + " s, in which the last changes have to follow as well")
                : Optional.empty();
    }

    /** Java 8 has no {@code toSeconds}, for which Error Prone takes {@code getSeconds} to be a mistake. */
    private static long seconds(Duration time) {
        return TimeUnit.MILLISECONDS.toSeconds(time.toMillis());
    }

    /** Asks for something that no DataNode can do; one with the plugin answers so, and then this is empty. */
    private Optional<String> linkRefusal(DatanodeInfo dataNode) {
        BlockName none = BlockName.parse("blk_1_1");
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
        SortedMap<String, TreeNode> found = tree.read(path, Collections.emptySortedMap());
        initialQuota.clearLeftovers(found);
        return found;
    }

    @Override
    public SortedMap<String, TreeNode> snapshotScan(MoveRecord record) throws IOException {
        preventRename();
        // Neither the snapshots nor the edits that follow name the folders that have quotas meanwhile.
        initialQuota.set();
        followed.begin();
        if (createSnapshot(folder, lock(record))) {
            followed.settle();
        } else {
            followed.stopTracking("its snapshot was there before");
        }
        SortedMap<String, TreeNode> first = tree.read(snapshot(lock(record)), Collections.emptySortedMap());
        followed.adopt(snapshot(lock(record)), first);
        return first;
    }

    /** A snapshot of the folder itself does so as well, but lets an authorizer's clients into one that is closed. */
    private void preventRename() throws IOException {
        if (seal.setMark()) {
            return;
        }
        if (DirectorySeal.canBeMark(fileSystem, path)) {
            throw new TableRefusedException("The lists at " + fileSystem.getUri()
                    + "/ of sealed folders have become full: remove seals that nobody needs, and repeat the command");
        }
        if (folder.mayBeInRootSnapshots()) {
            throw new TableRefusedException("Snapshots are allowed in " + fileSystem.getUri()
                    + "/, and not all NameNodes keep a folder in its place without one of its own: set trefoil.federation.gate"
                    + " at all of them, or disallow the others: hdfs dfsadmin -fs " + fileSystem.getUri()
                    + " -disallowSnapshot /");
        }
        requireGates();
    }

    /** Repeats the check of the dry run, as a NameNode that had a gate then may be down now. */
    private void requireGates() throws IOException {
        NameNodeSettings now = NameNodeSettings.of(fileSystem);
        List<String> why = now.blockers(path).stream().map(MoveBlocker::text).collect(Collectors.toList());
        if (!why.isEmpty()) {
            why.addAll(now.unanswered());
        }
        TableRefusedException.requireNone(why);
    }

    /** HDFS gives the folder the time of its snapshot. */
    private boolean createSnapshot(HdfsDirectory by, String name) throws IOException {
        long before = modified(by.status());
        boolean isMade = by.createSnapshot(name);
        if (isMade) {
            ownTime = Optional.of(before);
            timeOfSnapshot = Optional.of(by.status().getModificationTime());
        }
        return isMade;
    }

    /** The time at which others have last changed the folder, as far as this process knows. */
    private long modified(FileStatus status) {
        long found = status.getModificationTime();
        return timeOfSnapshot.filter(time -> time == found).isPresent() ? ownTime.orElse(found) : found;
    }

    private String snapshot(String name) throws IOException {
        return folder.snapshot(name).toUri().getPath();
    }

    @Override
    public void follow() throws IOException {
        // A connection whose ticket has run out sleeps for seconds until it has another, and clients are about to wait.
        UserGroupInformation.getLoginUser().checkTGTAndReloginFromKeytab();
        folder.prepareQuotas();
        followed.follow();
    }

    @Override
    public boolean canFreeze() throws IOException {
        return freeze.isPossible();
    }

    @Override
    public boolean freeze() throws IOException {
        if (!freeze.isPossible()) {
            // Permissions close the folder instead, which an authorizer need not heed. A NameNode without a gate may be
            // active by now.
            requireGates();
            return false;
        }
        freeze.begin();
        // Late, it would freeze a subtree that others have opened again, and what follows would find that it is frozen.
        lock.requireNow();
        return true;
    }

    @Override
    public void thaw() throws IOException {
        freeze.end();
    }

    @Override
    public Map<String, String> state() throws IOException {
        Map<String, String> state = new TreeMap<>();
        FileStatus status = folder.status();
        HdfsDirectory.recordAccess(state, status);
        state.put(HdfsDirectory.MODIFIED, Long.toString(modified(status)));
        tree.quotas(path).forEach((kind, limit) -> state.put(kind, Long.toString(limit)));
        return state;
    }

    @Override
    public Map<String, String> fence(MoveRecord record) throws IOException {
        if (freeze.stands()) {
            freeze.holdReads();
        }
        return freeze.callPastFreeze(() -> {
            folder.setQuotas(HdfsDirectory.NO_ROOM, HdfsConstants.QUOTA_DONT_SET);
            // Owners may change permissions; now only superusers may, and what is read next stays.
            folder.setOwner(user, null);
            Map<String, String> state = new TreeMap<>(record.sourceWas());
            HdfsDirectory.recordPermission(state, folder.status());
            return state;
        });
    }

    @Override
    public void close() throws IOException {
        freeze.runPast(() -> folder.setPermission(HdfsDirectory.CLOSED));
    }

    @Override
    public void requireFrozen() throws IOException {
        if (freeze.stands()) {
            freeze.holdReads();
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
        if (!freeze.callPastFreeze(() -> createSnapshot(frozen, last(record)))) {
            followed.stopTracking("its last snapshot was there before");
        }
        // What a superuser is writing is not in the tree; if it is closed from here on, that is seen as a change.
        List<String> open = openFiles();
        if (!open.isEmpty()) {
            throw new TableRefusedException("A superuser is writing " + open + " although its folder is closed");
        }
        Optional<Set<String>> changed =
                followed.update(snapshot(last(record)), tree, folder -> difference(record, folder));
        return changed.isPresent() ? changed.get() : readAll(record, tree);
    }

    /** The difference between the two snapshots. */
    private SnapshotDifference difference(MoveRecord record, String inside) throws IOException {
        return freeze.callPastFreeze(
                () -> SnapshotDifference.between(fileSystem, path + inside, lock(record), last(record)));
    }

    private Set<String> readAll(MoveRecord record, SortedMap<String, TreeNode> tree) throws IOException {
        SortedMap<String, TreeNode> known = unchanged(tree, differences(lock(record), last(record)));
        return HdfsTree.replace(tree, this.tree.read(snapshot(last(record)), known));
    }

    /**
     * The nodes that surely have the ACL, attributes and quotas of the first snapshot. Paths of a difference are partly of the old tree and
     * partly of the new one if a folder was renamed; then nothing is sure.
     */
    static SortedMap<String, TreeNode> unchanged(SortedMap<String, TreeNode> first, List<DiffReportEntry> differences) {
        SortedMap<String, TreeNode> unchanged = new TreeMap<>(first);
        for (DiffReportEntry one : differences) {
            String changed = "/" + DFSUtilClient.bytes2String(one.getSourcePath());
            TreeNode was = first.get(changed);
            if (one.getType() == DiffType.RENAME && (was == null || was.isFolder())) {
                return Collections.emptySortedMap();
            }
            unchanged.remove(changed);
            if (one.getType() != DiffType.MODIFY) {
                // A folder that was removed and made again, or went away and came back, is not named with what is in
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
        Optional<Set<String>> told = followed.changedSinceWatch();
        // Clients wait: one call takes less time than many.
        return told.isPresent() ? new ArrayList<>(told.get()) : changes(record, differences(last(record), ""));
    }

    /** The number of files and folders that may be compared in one call. A NameNode may refuse to compare a part. */
    private long sliceOfDifferences() {
        NameNodeSettings settings = NameNodeSettings.of(fileSystem);
        return settings.unanswered().isEmpty() && settings.nodesRefusingDiff().isEmpty() ? slice : Long.MAX_VALUE;
    }

    @Override
    public List<String> contradictions(MoveRecord record) throws IOException {
        String at = snapshot(last(record));
        return followed.contradictions(
                folder -> difference(record, folder), folder -> moved.readNames(at, folder), sliceOfDifferences());
    }

    @Override
    public SortedMap<String, TreeNode> rescan(MoveRecord record) throws IOException {
        return moved.read(snapshot(last(record)), Collections.emptySortedMap());
    }

    @Override
    public List<String> changedSince(MoveRecord record) throws IOException {
        finishRenewal(record);
        return changes(
                record,
                new SlicedDifference(fileSystem, moved, path, last(record), sliceOfDifferences())
                        .sinceSnapshot(snapshot(last(record))));
    }

    private List<String> changes(MoveRecord record, List<DiffReportEntry> differences) {
        Set<String> shrunk = new HashSet<>();
        for (DiffReportEntry one : differences) {
            if (isExpectedDeletion(record, one)) {
                String deleted = changed(one);
                shrunk.add(deleted.substring(0, deleted.lastIndexOf('/')));
            }
        }
        List<String> changes = new ArrayList<>();
        for (DiffReportEntry one : differences) {
            // The folder itself has other permissions now, and it stays.
            boolean isFolderItself = one.getType() == DiffType.MODIFY && one.getSourcePath().length == 0;
            boolean isShrunk = one.getType() == DiffType.MODIFY && shrunk.contains(changed(one));
            if (!isFolderItself && !isShrunk && !isExpectedDeletion(record, one)) {
                changes.add(one.toString().replace('\t', ' '));
            }
        }
        return changes;
    }

    /**
     * Whether it says nothing against deleting the rest, as this move or an operator has begun to; or trash was
     * deleted. NameNodes do that as superusers, however closed the folder around it is, and the new owner lacks nothing
     * of it: its NameNodes delete what was moved there. HDFS refuses them to put trash aside, as that is a rename, of
     * something that a snapshot has, in a folder without room.
     */
    private boolean isExpectedDeletion(MoveRecord record, DiffReportEntry one) {
        return one.getType() == DiffType.DELETE && (record.phase() == MovePhase.EMPTYING || isTrash(changed(one)));
    }

    private String changed(DiffReportEntry one) {
        return path + "/" + DFSUtilClient.bytes2String(one.getSourcePath());
    }

    private static boolean isTrash(String file) {
        return file.contains("/" + FileSystem.TRASH_PREFIX + "/");
    }

    @Override
    public void leave(MoveRecord record, int version) throws IOException {
        freeze.checkStanding();
        freeze.runPast(() -> EntryMarks.remove(nameNode, path));
        if (freeze.stands() || freeze.isPossible()) {
            freeze.runPast(() -> MovedMarks.set(nameNode, path, MovedMark.of(record.target(), version)));
        }
    }

    @Override
    public void undoLeave() throws IOException {
        MovedMarks.remove(withoutLock, path);
    }

    @Override
    public boolean isEmpty() throws IOException {
        return !fileSystem.listStatusIterator(new Path(path)).hasNext();
    }

    @Override
    public void open(MoveRecord record) throws IOException {
        freeze.checkStanding();
        freeze.runPast(() -> {
            // What the move has not changed may be what somebody else has changed since it was recorded. The owner may
            // change the permission, so that comes first. The quota tells what the move has changed, so it goes last.
            if (folder.isClosed()) {
                folder.restorePermission(record.sourceWas());
            }
            if (folder.hasNoRoom() && folder.status().getOwner().equals(user)) {
                folder.setOwner(record.sourceWas().get(HdfsDirectory.OWNER), null);
            }
            if (folder.hasQuotaOfMove()) {
                folder.restoreNames(record.sourceWas());
            }
        });
        freeze.end();
        folder.deleteSnapshots(lock(record), last(record));
        seal.remove();
        initialQuota.sweep();
    }

    /** Finishes the renewal of the last snapshot if an earlier process ended during it. */
    private void finishRenewal(MoveRecord record) throws IOException {
        if (record.phase() == MovePhase.EMPTYING && !folder.hasSnapshot(sealed)) {
            folder.finishRenewal(last(record), next(record));
        }
    }

    @Override
    public void empty(MoveRecord record) throws IOException {
        finishRenewal(record);
        // A NameNode frees what was deleted when no snapshot has it any more, all at once.
        // Of snapshots of the root, each look at all is one at the whole nameservice.
        boolean isInSnapshotsOfRoot = folder.mayBeInRootSnapshots();
        folder.deleteContents(slice, () -> {
            if (!isInSnapshotsOfRoot) {
                folder.deleteSnapshots(lock(record));
                folder.renewSnapshot(last(record), next(record));
            }
        });
        seal.set();
        folder.setQuotas(HdfsDirectory.NO_ROOM, HdfsConstants.QUOTA_RESET);
        folder.deleteSnapshots(lock(record), last(record), next(record));
        folder.restorePermission(record.sourceWas());
        folder.restoreOwner(record.sourceWas());
    }
}
