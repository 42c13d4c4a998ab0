/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.folder.AncestorDirectories;
import io.trefoil.federation.hdfs.folder.EntryMarks;
import io.trefoil.federation.hdfs.folder.HdfsAccess;
import io.trefoil.federation.hdfs.folder.MarkedDirectories;
import io.trefoil.federation.hdfs.folder.MovedMarks;
import io.trefoil.federation.hdfs.limits.ExpectedReplicas;
import io.trefoil.federation.hdfs.limits.NameNodeSettings;
import io.trefoil.federation.hdfs.limits.PolicyStorageTypes;
import io.trefoil.federation.hdfs.limits.TreeLimits;
import io.trefoil.federation.hdfs.tree.CallerContexts;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.ParallelCalls;
import io.trefoil.federation.hdfs.tree.SnapshottableDirectories;
import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveLimits.Question;
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
 * The subtree's folder at the target, in its final place from the beginning: the seal keeps it there, and permissions
 * let in only superusers, which NameNodes with gates see to even if an authorizer would not. A mark tells that what is
 * in it was put there by a move ({@link StagingDirectory}). What was there before is given back if the move is given up
 * ({@link TargetBackup}).
 */
final class HdfsMoveTarget implements MoveTarget {

    private final TableStore table;
    private final String nameservice;
    private final SubtreePath path;
    private final DistributedFileSystem source;
    private final DistributedFileSystem target;
    private final MoveLock lock;
    /** The NameNode for calls by the number of the folder: without the lock they find nothing. */
    private final ClientProtocol nameNode;
    /** The NameNode for calls by paths: without the lock they would change what clients have made. */
    private final ClientProtocol paths;

    private final ClientProtocol original;
    private final HdfsDirectory folder;
    private final HdfsFreeze freeze;
    private final HdfsTree sourceTree;
    private final HdfsTree tree;
    private final TrackedTree followed;
    private final LinkedFile links;
    private final AncestorDirectories above;
    private final StagingDirectory marked;
    private final TargetBackup former;
    private final HdfsAccess access;
    private final ParallelCalls parallel;
    private final MoveCounts counts;
    private final DirectorySeal seal;
    private final long slice;
    private final Consumer<String> progress;

    HdfsMoveTarget(
            TableStore table,
            MoveRecord record,
            MoveConnections ends,
            String user,
            String seal,
            Consumer<String> progress) {
        this.table = table;
        this.nameservice = record.target();
        this.path = record.path();
        this.source = ends.source();
        this.target = ends.target();
        this.lock = ends.lock();
        this.nameNode = ends.targetNode(lock::require);
        this.paths = ends.targetNode(lock::requireNow);
        this.original = ends.sourceNode(lock::requireNow);
        this.folder = new HdfsDirectory(target, path.text(), lock);
        this.freeze = ends.freeze();
        this.sourceTree = ends.sourceTree();
        this.tree = ends.targetTree();
        this.followed = new TrackedTree(target, tree, path.text(), ends.editPollTimeout(), progress);
        this.links = ends.links(record);
        this.access = new HdfsAccess(target.getUri(), nameNode);
        this.above = AncestorDirectories.alike(source, paths, new HdfsAccess(target.getUri(), paths));
        this.marked = new StagingDirectory(path, ends, tree, user, seal);
        this.former = new TargetBackup(table, record, ends, marked, tree, above, seal);
        this.parallel = ends.parallel();
        this.counts = ends.counts();
        this.seal = new DirectorySeal(target, path.text(), seal, lock::requireNow);
        this.slice = ends.slice();
        this.progress = progress;
    }

    @Override
    public List<MoveBlocker> blockers(SubtreeSize size) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        DirectoryState there = table.inspect(nameservice, path);
        if (there == DirectoryState.IN_USE) {
            blockers.add(MoveBlocker.of("hdfs://" + nameservice + path + " is not an empty folder"));
        }
        for (String one : table.sealObstacles(nameservice, path)) {
            blockers.add(MoveBlocker.of(one));
        }
        NameNodeSettings settings = NameNodeSettings.of(target);
        blockers.addAll(inheritedBlockers(size, settings.limits()));
        blockers.addAll(settings.tooManyObjects(size));
        if (there != DirectoryState.SEALED && !DirectorySeal.canBeMark(target, path.text(), settings)) {
            blockers.addAll(settings.tooManySnapshots(SnapshottableDirectories.counts(target), path.text(), 1));
        }
        if (HdfsFreeze.knowsMarks(target, UUID.randomUUID().toString(), path.text())) {
            blockers.addAll(quotasAround(size));
            blockers.addAll(marks(settings));
        }
        // A seal has one, and an earlier owner's stays; others would be there without what they are of.
        if (there != DirectoryState.SEALED
                && SnapshottableDirectories.overlapping(target, path.text()).contains(path.text())) {
            blockers.add(MoveBlocker.of("Snapshots are allowed in hdfs://" + nameservice + path
                    + ", which is to get everything of the subtree: disallow them first"));
        }
        upgrade().ifPresent(blockers::add);
        Set<String> known = new HashSet<>();
        for (DatanodeInfo one : target.getDataNodeStats(DatanodeReportType.LIVE)) {
            known.add(one.getDatanodeUuid());
        }
        for (DatanodeInfo one : source.getDataNodeStats(DatanodeReportType.LIVE)) {
            if (!known.contains(one.getDatanodeUuid())) {
                blockers.add(MoveBlocker.of("DataNode " + one + " does not serve " + nameservice));
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
     * The blockers due to missing room for the marks by which NameNodes keep the folder while it is closed, and
     * afterwards if it is an entry.
     */
    private List<MoveBlocker> marks(NameNodeSettings settings) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        List<XAttr> ofRoot = nameNode.getXAttrs(FrozenMark.FOLDER, null);
        String root = "hdfs://" + nameservice + FrozenMark.FOLDER;
        if (DirectorySeal.canBeMark(target, path.text(), settings)) {
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
                    .beyond(MarkedDirectories.ENTRIES.with(nameNode, ofRoot, path.text()), 0, root)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
        }
        return blockers;
    }

    /** The blockers due to properties that files would get from the folders around the subtree at the target, and not at the source. */
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
        // What is missing in it, and the folder that is then put in the place of the subtree's own.
        int more = (nearest.equals(path) ? 0 : 1) + (around.equals(path.parent()) ? 1 : 0);
        limits.beyond(nameNode.getFileInfo(around.text()), more, "hdfs://" + nameservice + around, path.text())
                .map(MoveBlocker::of)
                .ifPresent(blockers::add);
        List<XAttr> ofRoot = nameNode.getXAttrs(FrozenMark.FOLDER, null);
        limits.beyond(ofRoot, MovedMarks.roomAtRoot(ofRoot), "hdfs://" + nameservice + FrozenMark.FOLDER)
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
        // A folder at the path itself is replaced, and what is above it holds.
        SubtreePath above = nearest.equals(path) ? path.parent() : nearest;
        if (size.bytes() > 0) {
            PolicyStorageTypes.of(nameNode, above.text())
                    .lacking("hdfs://" + nameservice + above)
                    .map(MoveBlocker::of)
                    .ifPresent(blockers::add);
        }
        int policy = marked.policy(above);
        if (policy != 0 && original != null && original.getStoragePolicy() != policy) {
            blockers.add(MoveBlocker.of(there + " is in a folder with storage policy " + marked.policyName(policy)
                    + ", which would hold for the subtree, and holds for it at hdfs://"
                    + source.getUri().getHost()
                    + " not; make them the same: hdfs storagepolicies -fs hdfs://" + nameservice
                    + " -unsetStoragePolicy -path FOLDER, or -setStoragePolicy -policy " + marked.policyName(policy)
                    + " at the source"));
        }
        return blockers;
    }

    /**
     * Quotas of folders above that the subtree does not fit into. By their numbers NameNodes with gates do not count
     * what is in folders without quotas, as stock ones would.
     */
    private List<MoveBlocker> quotasAround(SubtreeSize size) throws IOException {
        List<MoveBlocker> blockers = new ArrayList<>();
        for (SubtreePath above = path; !above.equals(above.parent()); ) {
            above = above.parent();
            HdfsFileStatus folder = nameNode.getFileInfo(above.text());
            if (folder != null) {
                String number = HdfsTree.byNumber(folder.getFileId());
                QuotaUsage usage = CallerContexts.with(SubtreeCaller.QUOTAS, () -> nameNode.getQuotaUsage(number));
                String there = "hdfs://" + nameservice + above;
                blockers.addAll(fullQuotaBlockers(there, usage, size));
            }
        }
        return blockers;
    }

    private static List<MoveBlocker> fullQuotaBlockers(String there, QuotaUsage usage, SubtreeSize size) {
        List<MoveBlocker> blockers = new ArrayList<>();
        // With a folder for what is on its way, another that is put in the place of the first, and those above.
        long names = size.files() + size.folders() + 2;
        fullQuotaBlockers(there, usage.getQuota(), usage.getFileAndDirectoryCount(), names, "names")
                .ifPresent(blockers::add);
        fullQuotaBlockers(there, usage.getSpaceQuota(), usage.getSpaceConsumed(), size.bytesOnDisks(), "bytes on disks")
                .ifPresent(blockers::add);
        return blockers;
    }

    private static Optional<MoveBlocker> fullQuotaBlockers(
            String there, long quota, long used, long more, String what) {
        return quota >= 0 && quota - used < more
                ? Optional.of(MoveBlocker.of(there + " has a quota of " + quota + " " + what + ", of which " + used
                        + " are used: the subtree and the move need " + more))
                : Optional.empty();
    }

    @Override
    public Optional<MoveBlocker> upgrade() throws IOException {
        return MoveConnections.upgrade(target);
    }

    @Override
    public Map<String, String> state() throws IOException {
        return former.state();
    }

    @Override
    public void prepare(MoveRecord record) throws IOException {
        lock.requireNow();
        if (marked.isFor(record)) {
            marked.close();
            folder.deleteContents(slice, () -> {});
        } else {
            claimPlace(record);
        }
        marked.renew();
        marked.close();
        undoOpening(record);
    }

    /** Closes a folder that clients could use, or that is missing, and marks it. */
    private void claimPlace(MoveRecord record) throws IOException {
        DirectoryState before = table.inspect(nameservice, path);
        requireNotInUse(before);
        above.make(path, UnaryOperator.identity());
        sealFolder();
        DirectoryState now = table.inspect(nameservice, path);
        if (now == DirectoryState.IN_USE && before != DirectoryState.SEALED) {
            // Whoever uses it needs room.
            table.unseal(nameservice, path, lock::requireNow);
        }
        requireNotInUse(now);
        marked.take(record);
    }

    /** HDFS takes no numbers for it. So if another process has gone on meanwhile, and clients work here, it is taken back. */
    private void sealFolder() throws IOException {
        try {
            table.seal(nameservice, path, lock::requireNow);
            lock.requireNow();
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

    private void requireNotInUse(DirectoryState there) throws TableRefusedException {
        if (there == DirectoryState.IN_USE) {
            throw new TableRefusedException("hdfs://" + nameservice + path + " is not empty any more");
        }
    }

    /** A change of what the move itself has made here. */
    private interface Change {
        void run() throws IOException;
    }

    private void change(Change change) throws IOException {
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
        lock.requireNow();
        return new IOException(
                "A superuser changed hdfs://" + nameservice + path
                        + ", which is closed to others until the subtree has moved. NameNodes that empty a trash in it"
                        + " do so (fs.trash.interval). Repeat the command, which copies everything again: "
                        + missing.toString().split("\n", 2)[0],
                missing);
    }

    @Override
    public void moveAside(String inside, long id) throws IOException {
        change(() -> {
            nameNode.mkdirs(asidePath(), new FsPermission((short) 0700), true);
            nameNode.rename2(marked.mutationPath(inside), asidePath(id));
        });
    }

    @Override
    public void moveIn(long id, String inside) throws IOException {
        change(() -> nameNode.rename2(asidePath(id), marked.mutationPath(inside)));
    }

    private String asidePath() throws IOException {
        return marked.mutationPath("/" + HdfsTree.ASIDE);
    }

    private String asidePath(long id) throws IOException {
        return asidePath() + "/" + id;
    }

    @Override
    public void delete(String inside) throws IOException {
        nameNode.delete(marked.mutationPath(inside), true);
    }

    @Override
    public void mkdir(String inside, TreeNode node) throws IOException {
        change(() -> nameNode.mkdirs(marked.mutationPath(inside), new FsPermission((short) 0700), false));
        if (!node.traits().quotas().isEmpty()) {
            // Its own come when everything is in it, which HDFS would count then, all at once.
            change(() -> paths.setQuota(path + inside, HdfsDirectory.ANY_ROOM, HdfsConstants.QUOTA_DONT_SET, null));
        }
    }

    @Override
    public List<String> copy(SortedMap<String, TreeNode> files) throws IOException {
        List<String> left = Collections.synchronizedList(new ArrayList<>());
        List<Callable<Void>> copies = new ArrayList<>();
        files.forEach((inside, node) -> copies.add(() -> {
            try {
                // By its number it is found even if it was renamed meanwhile.
                if (links.make(HdfsTree.byNumber(node.id()), node, marked.mutationPath(inside))) {
                    counts.add(node.amount());
                } else {
                    left.add(inside);
                }
            } catch (SilentDataNodeException e) {
                throw e;
            } catch (IOException e) {
                // Without the lock, not for each of a million files.
                lock.require();
                progress.accept(path + inside + " was not copied: " + e.getMessage());
                left.add(inside);
            }
            return null;
        }));
        parallel.all(copies);
        return left;
    }

    @Override
    public Question lackingReplicas(long newest) {
        return new ReplicaCheck(tree, this::findPlace, path.text(), () -> ExpectedReplicas.of(source, target), newest);
    }

    @Override
    public long newestBlock() {
        return links.newestBlock();
    }

    /** Clients may remove it when it is theirs. */
    private Optional<String> findPlace() throws IOException {
        try {
            return Optional.of(marked.mutationPath(""));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public void setTraits(SortedMap<String, TreeNode> nodes) throws IOException {
        List<Callable<Void>> calls = new ArrayList<>();
        // Files first: their traits change no times of folders, but those of folders come after everything in them.
        nodes.forEach((inside, node) -> calls.add(() -> {
            change(() -> setTraits(inside, node.isFolder(), node.traits()));
            counts.add(node.amount().withoutBlocks());
            return null;
        }));
        parallel.all(calls);
    }

    private void setTraits(String inside, boolean isFolder, TreeNodeAttributes wanted) throws IOException {
        String file = marked.mutationPath(inside);
        HdfsFileStatus now = nameNode.getFileInfo(file);
        if (now == null) {
            throw new FileNotFoundException("hdfs://" + nameservice + path + inside + " has disappeared");
        }
        lock.require();
        marked.setAttributes(file, wanted);
        if (wanted.policy() != 0) {
            nameNode.setStoragePolicy(file, marked.policyName(wanted.policy()));
        } else if (now.getStoragePolicy() != 0 && now.getStoragePolicy() != policyAround(inside)) {
            // An earlier round found one.
            nameNode.unsetStoragePolicy(file);
        }
        if (isFolder && !tree.quotas(now, path + inside).equals(wanted.quotas())) {
            paths.setQuota(path + inside, quota(wanted, HdfsTree.NAMES), quota(wanted, HdfsTree.BYTES), null);
        }
        if (!isFolder && now.getReplication() != wanted.replication()) {
            nameNode.setReplication(file, (short) wanted.replication());
        }
        access.set(file, now, wanted);
        nameNode.setTimes(file, wanted.modified(), -1);
    }

    private int policyAround(String inside) throws IOException {
        String around = marked.mutationPath(inside.substring(0, inside.lastIndexOf('/')));
        HdfsFileStatus folder = nameNode.getFileInfo(around);
        if (folder == null) {
            throw new FileNotFoundException("hdfs://" + nameservice + path + inside + " has disappeared");
        }
        return folder.getStoragePolicy();
    }

    private static long quota(TreeNodeAttributes wanted, String kind) {
        Long limit = wanted.quotas().get(kind);
        return limit == null ? HdfsConstants.QUOTA_RESET : limit;
    }

    @Override
    public SortedMap<String, TreeNode> scan() throws IOException {
        followed.begin();
        SortedMap<String, TreeNode> found = tree.read(path.text(), Collections.emptySortedMap());
        followed.settle();
        followed.adopt(path.text(), found);
        return found;
    }

    @Override
    public void follow() throws IOException {
        folder.prepareQuotas();
        followed.follow();
    }

    @Override
    public Set<String> scanChanged(SortedMap<String, TreeNode> tree, Set<String> touched) throws IOException {
        Optional<Set<String>> changed = followed.update(path.text(), tree, touched);
        return changed.isPresent() ? changed.get() : readAll(tree, touched);
    }

    /** Reads the tree in full, without asking again for ACLs, attributes and quotas, which only this process has changed. */
    private Set<String> readAll(SortedMap<String, TreeNode> tree, Set<String> touched) throws IOException {
        SortedMap<String, TreeNode> known = new TreeMap<>(tree);
        known.keySet().removeAll(touched);
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
        // What clients change here must not be undone by whoever carries on. With the permission they work here; the
        // owner, who may change the permission, comes last, unless NameNodes refuse that as long as the folder is
        // closed.
        String owner = record.sourceWas().get(HdfsDirectory.OWNER);
        if (folder.isClosed()) {
            restoreQuotasAndTime(record);
            if (seal.isMark()) {
                folder.setOwner(owner, null);
            }
            folder.restorePermission(record.sourceWas());
        }
        if (!folder.status().getOwner().equals(owner)) {
            folder.setOwner(owner, null);
        }
        marked.removeMark(nameNode);
    }

    private void restoreQuotasAndTime(MoveRecord record) throws IOException {
        // An earlier process may have begun it.
        freeze.checkStanding();
        // Earlier releases did not record it.
        String recorded = record.sourceWas().get(HdfsDirectory.MODIFIED);
        long modified = recorded != null
                ? Long.parseLong(recorded)
                : freeze.callPastFreeze(
                        () -> source.getFileStatus(new Path(path.text())).getModificationTime());
        folder.restoreQuotas(record.sourceWas());
        // Somebody may have set one late.
        MovedMarks.remove(nameNode, path.text());
        nameNode.setTimes(marked.mutationPath(""), modified, -1);
        nameNode.setOwner(marked.mutationPath(""), null, record.sourceWas().get(HdfsDirectory.GROUP));
    }

    @Override
    public void release() throws IOException {
        // As long as the folder has a snapshot, nobody can remove it.
        if (table.requireNewest().table().owners().containsKey(path)) {
            if (HdfsFreeze.knowsMarks(target, UUID.randomUUID().toString(), path.text())) {
                EntryMarks.set(paths, path.text());
            }
        } else {
            EntryMarks.remove(paths, path.text());
        }
        // HDFS visits all that is in a folder when the first of its snapshots is deleted.
        // It also gives the folder the time of now.
        FileStatus before = folder.status();
        int names = listed(before);
        seal.remove();
        // A client who has made something meanwhile has given it a time of its own.
        FileStatus after = folder.status();
        if (after.getModificationTime() != before.getModificationTime() && listed(after) == names) {
            nameNode.setTimes(marked.mutationPath(""), before.getModificationTime(), -1);
        }
    }

    private static int listed(FileStatus folder) {
        return ((HdfsFileStatus) folder).getChildrenNum();
    }

    @Override
    public void discard(MoveRecord record) throws IOException {
        former.restore(record);
    }
}
