/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.directory.AncestorDirectories;
import io.trefoil.federation.hdfs.directory.EntryMarks;
import io.trefoil.federation.hdfs.directory.HdfsAccess;
import io.trefoil.federation.hdfs.directory.MarkedDirectories;
import io.trefoil.federation.hdfs.directory.MovedMarks;
import io.trefoil.federation.hdfs.limits.ExpectedReplicas;
import io.trefoil.federation.hdfs.limits.NameNodeSettings;
import io.trefoil.federation.hdfs.limits.PolicyStorageTypes;
import io.trefoil.federation.hdfs.limits.TreeLimits;
import io.trefoil.federation.hdfs.tree.CallerContexts;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.ParallelCaller;
import io.trefoil.federation.hdfs.tree.SnapshottableDirectories;
import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveLimits.ServerQuery;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveTarget;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.TreeNodeAttributes;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The subtree's directory at the target, in its final place from the beginning: the seal keeps it there, and permissions admit only
 * superusers, which NameNodes with gates enforce even if an authorizer would not. A mark tells that what is in it was put there by a move
 * ({@link StagingDirectory}). What was there before is given back if the move is given up ({@link TargetBackup}).
 */
final class HdfsMoveTarget implements MoveTarget {

    private final TableStore table;
    private final String nameservice;
    private final SubtreePath path;
    private final DistributedFileSystem source;
    private final DistributedFileSystem target;
    private final MoveLock lock;
    /** The NameNode for calls by the id of the directory: without the lock, they find nothing. */
    private final ClientProtocol nameNode;
    /** The NameNode for calls by paths: without the lock, they would change clients' files and directories. */
    private final ClientProtocol paths;

    private final ClientProtocol original;
    private final HdfsDirectory directory;
    private final HdfsFreeze freeze;
    private final HdfsTree sourceTree;
    private final HdfsTree tree;
    private final TrackedTree followed;
    private final LinkedFile links;
    private final AncestorDirectories above;
    private final StagingDirectory marked;
    private final TargetBackup former;
    private final HdfsAccess access;
    private final ParallelCaller parallel;
    private final MoveCounts counts;
    private final DirectorySeal seal;
    private final long slice;
    private final Consumer<String> progress;

    HdfsMoveTarget(
            TableStore table,
            MoveRecord record,
            MoveConnections connections,
            String user,
            String seal,
            Consumer<String> progress) {
        this.table = table;
        this.nameservice = record.target();
        this.path = record.path();
        this.source = connections.source();
        this.target = connections.target();
        this.lock = connections.lock();
        this.nameNode = connections.targetNameNode(lock::requireHeld);
        this.paths = connections.targetNameNode(lock::requireHeldNow);
        this.original = connections.sourceNameNode(lock::requireHeldNow);
        this.directory = new HdfsDirectory(target, path.text(), lock);
        this.freeze = connections.freeze();
        this.sourceTree = connections.sourceTree();
        this.tree = connections.targetTree();
        this.followed = new TrackedTree(target, tree, path.text(), connections.editPollTimeout(), progress);
        this.links = connections.newLinkedFile(record);
        this.access = new HdfsAccess(target.getUri(), nameNode);
        this.above = AncestorDirectories.withSameAccess(source, paths, new HdfsAccess(target.getUri(), paths));
        this.marked = new StagingDirectory(path, connections, tree, user, seal);
        this.former = new TargetBackup(table, record, connections, marked, tree, above, seal);
        this.parallel = connections.parallel();
        this.counts = connections.counts();
        this.seal = new DirectorySeal(target, path.text(), seal, lock::requireHeldNow);
        this.slice = connections.sliceSize();
        this.progress = progress;
    }

    @Override
    public List<MoveBlocker> blockers(SubtreeSize size) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        DirectoryState state = table.inspect(nameservice, path);
        if (state == DirectoryState.IN_USE) {
            blockers.add(MoveBlocker.of("hdfs://" + nameservice + path + " is not an empty directory"));
        }
        for (String obstacle : table.sealObstacles(nameservice, path)) {
            blockers.add(MoveBlocker.of(obstacle));
        }
        NameNodeSettings settings = NameNodeSettings.of(target);
        blockers.addAll(inheritedBlockers(size, settings.limits()));
        blockers.addAll(settings.objectLimitBlockers(size));
        if (state != DirectoryState.SEALED && !DirectorySeal.canUseMark(target, path.text(), settings)) {
            blockers.addAll(
                    settings.snapshotLimitBlockers(SnapshottableDirectories.snapshotCounts(target), path.text(), 1));
        }
        if (HdfsFreeze.supportsMarks(target, UUID.randomUUID().toString(), path.text())) {
            blockers.addAll(ancestorQuotaBlockers(size));
            blockers.addAll(markBlockers(settings));
        }
        // A seal has one, and an earlier owner's stays; others would be there without what they are of.
        if (state != DirectoryState.SEALED
                && SnapshottableDirectories.overlapping(target, path.text()).contains(path.text())) {
            blockers.add(MoveBlocker.of("Snapshots are allowed in hdfs://" + nameservice + path
                    + ", which is to get everything of the subtree: disallow them first"));
        }
        upgradeBlocker().ifPresent(blockers::add);
        Set<String> known = new HashSet<>();
        for (DatanodeInfo dataNode : target.getDataNodeStats(DatanodeReportType.LIVE)) {
            known.add(dataNode.getDatanodeUuid());
        }
        for (DatanodeInfo obstacle : source.getDataNodeStats(DatanodeReportType.LIVE)) {
            if (!known.contains(obstacle.getDatanodeUuid())) {
                blockers.add(MoveBlocker.of("DataNode " + obstacle + " does not serve " + nameservice));
            }
        }
        // Unless they measure shared space, the DataNodes count each linked replica twice until the source is deleted.
        FsStatus space = target.getStatus();
        if (space.getRemaining() < size.bytesOnDisks()) {
            blockers.add(MoveBlocker.of(
                    "hdfs://" + nameservice + " has " + space.getRemaining() + " bytes left, and the replicas of "
                            + size.bytesOnDisks() + " bytes may count twice during the move"));
        }
        return blockers;
    }

    /**
     * The blockers due to missing room for the marks by which NameNodes protect the directory while it is closed, and afterwards if it is
     * an entry.
     */
    private List<MoveBlocker> markBlockers(NameNodeSettings settings) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        List<XAttr> ofRoot = nameNode.getXAttrs(FrozenMark.DIRECTORY, null);
        String root = "hdfs://" + nameservice + FrozenMark.DIRECTORY;
        if (DirectorySeal.canUseMark(target, path.text(), settings)) {
            MarkedDirectories.SEALED
                    .fullListReason(root, nameNode, ofRoot, path.text())
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
        }
        if (!table.requireNewest().table().ownerOf(path.parent()).equals(nameservice)) {
            MarkedDirectories.ENTRIES
                    .fullListReason(root, nameNode, ofRoot, path.text())
                    .ifPresent(progress);
            settings.limits()
                    .findExceededLimit(MarkedDirectories.ENTRIES.listsIncluding(nameNode, ofRoot, path.text()), 0, root)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
        }
        return blockers;
    }

    /**
     * The blockers due to properties that files would inherit from the directories above the subtree at the target, but not at the source.
     */
    private List<MoveBlocker> inheritedBlockers(SubtreeSize size, TreeLimits limits) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        SubtreePath nearest = path;
        HdfsFileStatus status = nameNode.getFileInfo(nearest.text());
        while (status == null) {
            nearest = nearest.parent();
            status = nameNode.getFileInfo(nearest.text());
        }
        String there = "hdfs://" + nameservice + nearest;
        SubtreePath around = nearest.equals(path) ? path.parent() : nearest;
        // What is missing in it, and the directory that is then put in the place of the subtree's own.
        int more = (nearest.equals(path) ? 0 : 1) + (around.equals(path.parent()) ? 1 : 0);
        limits.findExceededLimit(
                        nameNode.getFileInfo(around.text()), more, "hdfs://" + nameservice + around, path.text())
                .map(MoveBlocker::of)
                .ifPresent(blockers::add);
        List<XAttr> ofRoot = nameNode.getXAttrs(FrozenMark.DIRECTORY, null);
        limits.findExceededLimit(
                        ofRoot, MovedMarks.rootAttributesNeeded(ofRoot), "hdfs://" + nameservice + FrozenMark.DIRECTORY)
                .map(MoveBlocker::of)
                .ifPresent(blockers::add);
        if (status.isErasureCoded()) {
            blockers.add(MoveBlocker.of(there + " is erasure-coded, so files in it would be written again, not linked;"
                    + " remove the policy there or above: hdfs ec -fs hdfs://" + nameservice + " -unsetPolicy -path "
                    + nearest));
        }
        if (status.isEncrypted()) {
            blockers.add(MoveBlocker.of(
                    there + " is in an encryption zone, where blocks of files outside it cannot be linked"));
        }
        HdfsFileStatus original = this.original.getFileInfo(path.text());
        // A directory at the path itself is replaced, and what is above it holds.
        SubtreePath above = nearest.equals(path) ? path.parent() : nearest;
        if (size.bytes() > 0) {
            PolicyStorageTypes.of(nameNode, above.text())
                    .missingStorageReason("hdfs://" + nameservice + above)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
        }
        int policy = marked.policy(above);
        if (policy != 0 && original != null && original.getStoragePolicy() != policy) {
            blockers.add(MoveBlocker.of(there + " is in a directory with storage policy " + marked.policyName(policy)
                    + ", which would hold for the subtree, and holds for it at hdfs://"
                    + source.getUri().getHost()
                    + " not; make them the same: hdfs storagepolicies -fs hdfs://" + nameservice
                    + " -unsetStoragePolicy -path DIRECTORY, or -setStoragePolicy -policy " + marked.policyName(policy)
                    + " at the source"));
        }
        return blockers;
    }

    /**
     * The quotas of directories above into which the subtree does not fit. By their ids NameNodes with gates do not count
     * what is in directories without quotas, as stock ones would.
     */
    private List<MoveBlocker> ancestorQuotaBlockers(SubtreeSize size) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        for (SubtreePath above = path; !above.equals(above.parent()); ) {
            above = above.parent();
            HdfsFileStatus directory = nameNode.getFileInfo(above.text());
            if (directory != null) {
                String number = HdfsTree.inodePath(directory.getFileId());
                QuotaUsage usage =
                        CallerContexts.callWithContext(SubtreeCaller.QUOTAS, () -> nameNode.getQuotaUsage(number));
                String there = "hdfs://" + nameservice + above;
                blockers.addAll(fullQuotaBlockers(there, usage, size));
            }
        }
        return blockers;
    }

    private static List<MoveBlocker> fullQuotaBlockers(String targetPath, QuotaUsage usage, SubtreeSize size) {
        List<MoveBlocker> blockers = new ArrayList<>();
        // With a directory for what is on its way, another that is put in the place of the first, and those above.
        long names = size.files() + size.directories() + 2;
        fullQuotaBlockers(targetPath, usage.getQuota(), usage.getFileAndDirectoryCount(), names, "names")
                .ifPresent(blockers::add);
        fullQuotaBlockers(
                        targetPath,
                        usage.getSpaceQuota(),
                        usage.getSpaceConsumed(),
                        size.bytesOnDisks(),
                        "bytes on disks")
                .ifPresent(blockers::add);
        return blockers;
    }

    private static Optional<MoveBlocker> fullQuotaBlockers(
            String targetPath, long quota, long used, long more, String quantity) {
        return quota >= 0 && quota - used < more
                ? Optional.of(MoveBlocker.of(targetPath + " has a quota of " + quota + " " + quantity + ", of which "
                        + used + " are used: the subtree and the move need " + more))
                : Optional.empty();
    }

    @Override
    public Optional<MoveBlocker> upgradeBlocker() throws IOException {
        return MoveConnections.upgradeBlocker(target);
    }

    @Override
    public Map<String, String> captureOriginalAttributes() throws IOException {
        return former.captureOriginalAttributes();
    }

    @Override
    public void prepare(MoveRecord record) throws IOException {
        lock.requireHeldNow();
        if (marked.isFor(record)) {
            marked.close();
            directory.deleteContents(slice, () -> {});
        } else {
            claimDirectory(record);
        }
        marked.renew();
        marked.close();
        undoOpening(record);
    }

    /** Closes the directory, creating it if it is missing, and marks it. */
    private void claimDirectory(MoveRecord record) throws IOException {
        DirectoryState before = table.inspect(nameservice, path);
        requireNotInUse(before);
        above.make(path, UnaryOperator.identity());
        sealDirectory();
        DirectoryState now = table.inspect(nameservice, path);
        if (now == DirectoryState.IN_USE && before != DirectoryState.SEALED) {
            // The clients that use it need room.
            table.unseal(nameservice, path, lock::requireHeldNow);
        }
        requireNotInUse(now);
        marked.claim(record);
    }

    /**
     * Seals the directory by path, as HDFS does not accept inode ids for that. So if another process has gone on meanwhile, and clients work here,
     * it is taken back.
     */
    private void sealDirectory() throws IOException {
        try {
            table.seal(nameservice, path, lock::requireHeldNow);
            lock.requireHeldNow();
        } catch (IOException e) {
            unsealIfOwner(e);
            throw e;
        }
    }

    private void unsealIfOwner(IOException reason) {
        try {
            if (table.requireNewest().table().ownerOf(path).equals(nameservice)) {
                table.unseal(nameservice, path);
            }
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    private void requireNotInUse(DirectoryState state) throws TableRefusedException {
        if (state == DirectoryState.IN_USE) {
            throw new TableRefusedException("hdfs://" + nameservice + path + " is not empty any more");
        }
    }

    /** A change of something that the move itself has created here. */
    private interface Change {
        void run() throws IOException;
    }

    private void applyChange(Change change) throws IOException {
        try {
            change.run();
        } catch (FileNotFoundException e) {
            throw changedByOthers(e);
        } catch (RemoteException e) {
            throw e.unwrapRemoteException() instanceof FileNotFoundException ? changedByOthers(e) : e;
        }
    }

    /** @throws IOException if it was another process, which has the lock */
    private IOException changedByOthers(IOException missing) throws IOException {
        lock.requireHeldNow();
        return new IOException(
                "A superuser changed hdfs://" + nameservice + path
                        + ", which is closed to others until the subtree has moved. NameNodes that empty a trash in it"
                        + " do so (fs.trash.interval). Repeat the command, which copies everything again: "
                        + missing.toString().split("\n", 2)[0],
                missing);
    }

    @Override
    public void moveAside(String relativePath, long id) throws IOException {
        applyChange(() -> {
            nameNode.mkdirs(asidePath(), new FsPermission((short) 0700), true);
            nameNode.rename2(marked.mutationPath(relativePath), asidePath(id));
        });
    }

    @Override
    public void moveIn(long id, String relativePath) throws IOException {
        applyChange(() -> nameNode.rename2(asidePath(id), marked.mutationPath(relativePath)));
    }

    private String asidePath() throws IOException {
        return marked.mutationPath("/" + HdfsTree.ASIDE);
    }

    private String asidePath(long id) throws IOException {
        return asidePath() + "/" + id;
    }

    @Override
    public void delete(String relativePath) throws IOException {
        nameNode.delete(marked.mutationPath(relativePath), true);
    }

    @Override
    public void mkdir(String relativePath, TreeNode node) throws IOException {
        applyChange(() -> nameNode.mkdirs(marked.mutationPath(relativePath), new FsPermission((short) 0700), false));
        if (!node.traits().quotas().isEmpty()) {
            // Its own come when everything is in it, which HDFS would count then, all at once.
            applyChange(() ->
                    paths.setQuota(path + relativePath, HdfsDirectory.ANY_ROOM, HdfsConstants.QUOTA_DONT_SET, null));
        }
    }

    @Override
    public List<String> copy(SortedMap<String, TreeNode> files) throws IOException {
        List<String> left = Collections.synchronizedList(new ArrayList<>());
        List<Callable<Void>> copies = new ArrayList<>();
        files.forEach((inside, node) -> copies.add(() -> {
            try {
                // By its id it is found even if it was renamed meanwhile.
                if (links.createFile(HdfsTree.inodePath(node.id()), node, marked.mutationPath(inside))) {
                    counts.add(node.amount());
                } else {
                    left.add(inside);
                }
            } catch (SilentDataNodeException e) {
                throw e;
            } catch (IOException e) {
                // Without the lock, not for each of a million files.
                lock.requireHeld();
                progress.accept(path + inside + " was not copied: " + e.getMessage());
                left.add(inside);
            }
            return null;
        }));
        parallel.callAll(copies);
        return left;
    }

    @Override
    public ServerQuery missingReplicasQuery(long newestBlockId) {
        return new ReplicaCheck(
                tree, this::findDirectoryPath, path.text(), () -> ExpectedReplicas.of(source, target), newestBlockId);
    }

    @Override
    public long newestBlock() {
        return links.newestBlock();
    }

    /** The path of the directory; empty if clients have removed it, as they may once it is theirs. */
    private Optional<String> findDirectoryPath() throws IOException {
        try {
            return Optional.of(marked.mutationPath(""));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public void setTraits(SortedMap<String, TreeNode> nodes) throws IOException {
        List<Callable<Void>> calls = new ArrayList<>();
        // Files first: their traits change no times of directories, but those of directories come after everything in
        // them.
        nodes.forEach((inside, node) -> calls.add(() -> {
            applyChange(() -> setTraits(inside, node.isDirectory(), node.traits()));
            counts.add(node.amount().withoutBlocks());
            return null;
        }));
        parallel.callAll(calls);
    }

    private void setTraits(String relativePath, boolean isDirectory, TreeNodeAttributes attributes) throws IOException {
        String file = marked.mutationPath(relativePath);
        HdfsFileStatus now = nameNode.getFileInfo(file);
        if (now == null) {
            throw new FileNotFoundException("hdfs://" + nameservice + path + relativePath + " has disappeared");
        }
        lock.requireHeld();
        marked.setAttributes(file, attributes);
        if (attributes.policy() != 0) {
            nameNode.setStoragePolicy(file, marked.policyName(attributes.policy()));
        } else if (now.getStoragePolicy() != 0 && now.getStoragePolicy() != inheritedPolicy(relativePath)) {
            // An earlier round found one.
            nameNode.unsetStoragePolicy(file);
        }
        if (isDirectory && !tree.quotas(now, path + relativePath).equals(attributes.quotas())) {
            paths.setQuota(
                    path + relativePath, quota(attributes, HdfsTree.NAMES), quota(attributes, HdfsTree.BYTES), null);
        }
        if (!isDirectory && now.getReplication() != attributes.replication()) {
            nameNode.setReplication(file, (short) attributes.replication());
        }
        access.setAccess(file, now, attributes);
        nameNode.setTimes(file, attributes.modificationTime(), -1);
    }

    private int inheritedPolicy(String relativePath) throws IOException {
        String around = marked.mutationPath(relativePath.substring(0, relativePath.lastIndexOf('/')));
        HdfsFileStatus directory = nameNode.getFileInfo(around);
        if (directory == null) {
            throw new FileNotFoundException("hdfs://" + nameservice + path + relativePath + " has disappeared");
        }
        return directory.getStoragePolicy();
    }

    private static long quota(TreeNodeAttributes attributes, String kind) {
        Long limit = attributes.quotas().get(kind);
        return limit == null ? HdfsConstants.QUOTA_RESET : limit;
    }

    @Override
    public SortedMap<String, TreeNode> scan() throws IOException {
        followed.begin();
        SortedMap<String, TreeNode> nodes = tree.read(path.text(), Collections.emptySortedMap());
        followed.settleTree();
        followed.adopt(path.text(), nodes);
        return nodes;
    }

    @Override
    public void followChanges() throws IOException {
        directory.prepareQuotas();
        followed.followEdits();
    }

    @Override
    public Set<String> rescanChangedNodes(SortedMap<String, TreeNode> tree, Set<String> touchedPaths)
            throws IOException {
        Optional<Set<String>> changed = followed.update(path.text(), tree, touchedPaths);
        return changed.isPresent() ? changed.get() : readAll(tree, touchedPaths);
    }

    /** Reads the tree in full, without asking again for ACLs, attributes and quotas, as only this process has changed them. */
    private Set<String> readAll(SortedMap<String, TreeNode> tree, Set<String> touchedPaths) throws IOException {
        SortedMap<String, TreeNode> known = new TreeMap<>(tree);
        known.keySet().removeAll(touchedPaths);
        return HdfsTree.replace(tree, this.tree.read(path.text(), known));
    }

    @Override
    public void prepareOpening(MoveRecord record) throws IOException {
        nameNode.delete(asidePath(), true);
        TreeNodeAttributes like = marked.closedTraits()
                .permission(HdfsDirectory.CLOSED.toShort())
                .acl(HdfsTree.acl(original, path.text()))
                .attributes(sourceTree.attributes(path.text()))
                .build();
        marked.setAttributes(like, original.getFileInfo(path.text()).getStoragePolicy());
        marked.setAccess(like);
        former.clearRedirection(record);
    }

    @Override
    public void undoOpening(MoveRecord record) throws IOException {
        marked.setPolicy(0);
        former.redirectClients(record);
    }

    @Override
    public void open(MoveRecord record) throws IOException {
        if (!marked.isFor(record)) {
            return;
        }
        // What clients change here must not be undone by a process that carries on. With the permission they work here;
        // the owner, who may change the permission, comes last, unless NameNodes refuse that as long as the directory
        // is closed.
        String owner = record.sourceBefore().get(HdfsDirectory.OWNER);
        if (directory.isClosed()) {
            restoreQuotasAndTime(record);
            if (seal.isMark()) {
                directory.setOwner(owner, null);
            }
            directory.restorePermission(record.sourceBefore());
        }
        if (!directory.status().getOwner().equals(owner)) {
            directory.setOwner(owner, null);
        }
        marked.removeMark(nameNode);
    }

    private void restoreQuotasAndTime(MoveRecord record) throws IOException {
        // An earlier process may have begun it.
        freeze.checkActive();
        // Earlier releases did not record it.
        String recorded = record.sourceBefore().get(HdfsDirectory.MODIFIED);
        long modified = recorded != null
                ? Long.parseLong(recorded)
                : freeze.callPastFreeze(
                        () -> source.getFileStatus(new Path(path.text())).getModificationTime());
        directory.restoreQuotas(record.sourceBefore());
        // Another process may have set a mark late.
        MovedMarks.remove(nameNode, path.text());
        nameNode.setTimes(marked.mutationPath(""), modified, -1);
        nameNode.setOwner(marked.mutationPath(""), null, record.sourceBefore().get(HdfsDirectory.GROUP));
    }

    @Override
    public void release() throws IOException {
        // As long as the directory has a snapshot, no client can remove it.
        if (table.requireNewest().table().owners().containsKey(path)) {
            if (HdfsFreeze.supportsMarks(target, UUID.randomUUID().toString(), path.text())) {
                EntryMarks.setMark(paths, path.text());
            }
        } else {
            EntryMarks.removeMark(paths, path.text());
        }
        // HDFS visits all that is in a directory when the first of its snapshots is deleted.
        // It also gives the directory the time of now.
        FileStatus before = directory.status();
        int names = entryCount(before);
        seal.remove();
        // A client that has made something meanwhile has given the directory a time of its own.
        FileStatus after = directory.status();
        if (after.getModificationTime() != before.getModificationTime() && entryCount(after) == names) {
            nameNode.setTimes(marked.mutationPath(""), before.getModificationTime(), -1);
        }
    }

    private static int entryCount(FileStatus directory) {
        return ((HdfsFileStatus) directory).getChildrenNum();
    }

    @Override
    public void discard(MoveRecord record) throws IOException {
        former.restore(record);
    }
}
