/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.subtree;

import io.trefoil.foundation.subtrees.MovedMark;
import io.trefoil.tools.hdfs.folder.FoldersAbove;
import io.trefoil.tools.hdfs.folder.HdfsAccess;
import io.trefoil.tools.hdfs.folder.MovedMarks;
import io.trefoil.tools.hdfs.tree.FollowedTree;
import io.trefoil.tools.hdfs.tree.HdfsTree;
import io.trefoil.tools.hdfs.tree.InParallel;
import io.trefoil.tools.hdfs.tree.SnapshotFolders;
import io.trefoil.tools.subtree.model.MoveRecord;
import io.trefoil.tools.subtree.model.MoveTarget;
import io.trefoil.tools.subtree.model.Obstacle;
import io.trefoil.tools.subtree.model.SubtreeSize;
import io.trefoil.tools.subtree.model.Traits;
import io.trefoil.tools.subtree.model.TreeNode;
import io.trefoil.tools.subtree.progress.MoveCounts;
import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.SubtreeTable;
import io.trefoil.tools.table.model.TableRecord;
import io.trefoil.tools.table.model.TableRefusedException;
import io.trefoil.tools.table.model.TableStore;
import io.trefoil.tools.table.model.TableStore.Folder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.util.StringUtils;

/**
 * The subtree's folder at the target, in its final place from the beginning: the seal keeps it there, and permissions keep everybody out
 * but superusers. A mark tells that what is in it was put there by a move.
 *
 * <p>Uses {@code XAttrHelper}.
 */
final class HdfsMoveTarget implements MoveTarget {

    private static final String MARK = "trusted.trefoil.moving";
    private static final String WAS = "was";
    private static final String ACL = "acl";
    private static final String POLICY = "policy";
    /** Whose the subtree is, as clients are told who come to a target that gave it away before. */
    private static final String MOVED = "moved";

    private static final String ATTRIBUTE = "attribute.";

    private final TableStore table;
    private final String nameservice;
    private final SubtreePath path;
    private final DistributedFileSystem source;
    private final DistributedFileSystem target;
    private final HeldLock lock;
    /** For calls by the number of the folder: without the lock they find nothing. */
    private final ClientProtocol nameNode;
    /** For calls by paths: without the lock they would change what clients have made. */
    private final ClientProtocol paths;

    private final ClientProtocol original;
    private final HdfsFolder folder;
    private final HdfsFreeze freeze;
    private final HdfsTree sourceTree;
    private final HdfsTree tree;
    private final FollowedTree followed;
    private final LinkedFile links;
    private final FoldersAbove above;
    private final HdfsAccess access;
    private final InParallel parallel;
    private final MoveCounts counts;
    private final String user;
    private final String seal;
    private final Consumer<String> progress;
    /** Names of storage policies by their ids: asked for once, as NameNodes send all of them, and have the same until they restart. */
    private final Map<Integer, String> policies = new ConcurrentHashMap<>();

    /** The folder by its number; empty until it is known. */
    private volatile Optional<String> place = Optional.empty();

    HdfsMoveTarget(
            TableStore table, MoveRecord record, HdfsEnds ends, String user, String seal, Consumer<String> progress) {
        this.table = table;
        this.nameservice = record.target();
        this.path = record.path();
        this.source = ends.source();
        this.target = ends.target();
        this.lock = ends.lock();
        this.nameNode = ends.targetNode(lock::require);
        this.paths = ends.targetNode(lock::requireNow);
        this.original = ends.sourceNode(lock::requireNow);
        this.folder = new HdfsFolder(target, path.text(), lock);
        this.freeze = ends.freeze();
        this.sourceTree = ends.sourceTree();
        this.tree = ends.targetTree();
        this.followed = new FollowedTree(target, tree, path.text(), ends.toldWithin(), progress);
        this.links = ends.links(record);
        this.access = new HdfsAccess(target.getUri(), nameNode);
        this.above = FoldersAbove.alike(source, paths, new HdfsAccess(target.getUri(), paths));
        this.parallel = ends.parallel();
        this.counts = ends.counts();
        this.user = user;
        this.seal = seal;
        this.progress = progress;
    }

    @Override
    public List<Obstacle> obstacles(SubtreeSize size) throws IOException {
        List<Obstacle> obstacles = new ArrayList<>();
        Folder there = table.look(nameservice, path);
        if (there == Folder.IN_USE) {
            obstacles.add(Obstacle.of("hdfs://" + nameservice + path + " is not an empty folder"));
        }
        for (String one : table.sealObstacles(nameservice, path)) {
            obstacles.add(Obstacle.of(one));
        }
        // A seal has one, and an earlier owner's stays; others would be there without what they are of.
        if (there != Folder.SEALED
                && SnapshotFolders.around(target, path.text()).contains(path.text())) {
            obstacles.add(Obstacle.of("Snapshots are allowed in hdfs://" + nameservice + path
                    + ", which is to get everything of the subtree: disallow them first"));
        }
        upgrade().ifPresent(obstacles::add);
        Set<String> known = new HashSet<>();
        for (DatanodeInfo one : target.getDataNodeStats(DatanodeReportType.LIVE)) {
            known.add(one.getDatanodeUuid());
        }
        for (DatanodeInfo one : source.getDataNodeStats(DatanodeReportType.LIVE)) {
            if (!known.contains(one.getDatanodeUuid())) {
                obstacles.add(Obstacle.of("DataNode " + one + " does not serve " + nameservice));
            }
        }
        // Unless they measure shared space, the DataNodes count each linked replica twice until the source is deleted.
        FsStatus space = target.getStatus();
        if (space.getRemaining() < size.bytesOnDisks()) {
            obstacles.add(Obstacle.of(
                    "hdfs://" + nameservice + " has " + space.getRemaining() + " bytes left, and the replicas of "
                            + size.bytesOnDisks() + " bytes may count twice during the move"));
        }
        return obstacles;
    }

    @Override
    public Optional<Obstacle> upgrade() throws IOException {
        return HdfsEnds.upgrade(target);
    }

    @Override
    public Map<String, String> state() throws IOException {
        Folder was = table.look(nameservice, path);
        if (was == Folder.IN_USE) {
            throw new TableRefusedException("hdfs://" + nameservice + path + " is not an empty folder");
        }
        Map<String, String> state = new TreeMap<>();
        state.put(WAS, was.name());
        if (was != Folder.ABSENT) {
            FileStatus status = folder.status();
            HdfsMoveSource.putOwner(state, status);
            if (status.hasAcl()) {
                state.put(ACL, String.join(",", HdfsTree.acl(nameNode, path.text())));
            }
            tree.attributes(path.text()).forEach((name, value) -> state.put(ATTRIBUTE + name, value));
            Long bytes = tree.quotas(path.text()).get(HdfsTree.BYTES);
            if (bytes != null) {
                state.put(HdfsTree.BYTES, bytes.toString());
            }
            int policy = policy(path);
            if (policy != policy(path.parent())) {
                state.put(POLICY, Integer.toString(policy));
            }
            MovedMarks.of(nameNode, path.text())
                    .ifPresent(mark -> state.put(MOVED, new String(mark.value(), StandardCharsets.UTF_8)));
        }
        return state;
    }

    /** The id of the storage policy in force in a folder; 0 if there is none. */
    private int policy(SubtreePath one) throws IOException {
        return nameNode.getFileInfo(one.text()).getStoragePolicy();
    }

    @Override
    public void prepare(MoveRecord record) throws IOException {
        lock.requireNow();
        if (isMarked(record)) {
            closeMarked();
            folder.deleteContents();
        } else {
            takePlace(record);
        }
        renew();
        closeMarked();
        undoReady(record);
    }

    /** Closes a folder that clients could use, or that is missing, and marks it. */
    private void takePlace(MoveRecord record) throws IOException {
        Folder before = table.look(nameservice, path);
        requireNotInUse(before);
        above.make(path, UnaryOperator.identity());
        sealFolder();
        Folder now = table.look(nameservice, path);
        if (now == Folder.IN_USE && before != Folder.SEALED) {
            // Whoever uses it needs room.
            table.unseal(nameservice, path, lock::requireNow);
        }
        requireNotInUse(now);
        folder.setOwner(user, null);
        folder.setPermission(HdfsFolder.CLOSED);
        setAttribute(paths, number(), MARK, record.id().getBytes(StandardCharsets.UTF_8));
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

    /**
     * Puts a new folder in the place of the closed, empty one, whose number all calls of the move go by. So a call of a process that had the
     * lock before, or of an earlier move, finds none of its number from now on, however late it arrives.
     */
    private void renew() throws IOException {
        String draft = draft();
        paths.delete(draft, false);
        paths.mkdirs(draft, HdfsFolder.CLOSED, false);
        for (Map.Entry<String, byte[]> one :
                target.getXAttrs(new Path(path.text())).entrySet()) {
            // What clients are told is in the record: here it may have come late, from a time before the move.
            if (!one.getKey().equals(MovedMark.NAME)) {
                setAttribute(paths, draft, one.getKey(), one.getValue());
            }
        }
        // HDFS replaces no folder with snapshots. Both are closed to all but superusers, and marked.
        folder.deleteSnapshots(seal);
        // Whoever has the lock later deletes the draft first, so this finds none.
        paths.rename2(draft, path.text(), Options.Rename.OVERWRITE);
        folder.makeSnapshot(seal);
        place = Optional.of(numberWithLock());
    }

    private String draft() {
        return FoldersAbove.draft(path.text());
    }

    private String number() throws IOException {
        HdfsFileStatus now = nameNode.getFileInfo(path.text());
        if (now == null) {
            throw new FileNotFoundException("There is no hdfs://" + nameservice + path);
        }
        return HdfsTree.byNumber(now.getFileId());
    }

    /** The folder that was there when this process had the lock. */
    private String numberWithLock() throws IOException {
        String number = number();
        lock.requireNow();
        return number;
    }

    /** What is in the folder, or that itself, for calls that change something; but not for quotas, for which HDFS takes no numbers. */
    private String placed(String inside) throws IOException {
        if (!place.isPresent()) {
            place = Optional.of(numberWithLock());
        }
        return place.get() + inside;
    }

    private static void setAttribute(ClientProtocol nameNode, String file, String name, byte[] value)
            throws IOException {
        nameNode.setXAttr(
                file, XAttrHelper.buildXAttr(name, value), EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }

    private void requireNotInUse(Folder there) throws TableRefusedException {
        if (there == Folder.IN_USE) {
            throw new TableRefusedException("hdfs://" + nameservice + path + " is not empty any more");
        }
    }

    private void closeMarked() throws IOException {
        folder.setOwner(user, null);
        folder.setPermission(HdfsFolder.CLOSED);
        folder.setQuotas(HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
    }

    private boolean isMarked(MoveRecord record) throws IOException {
        if (!folder.isThere()) {
            return false;
        }
        byte[] mark = target.getXAttrs(new Path(path.text())).get(MARK);
        return mark != null && record.id().equals(new String(mark, StandardCharsets.UTF_8));
    }

    @Override
    public void moveAside(String inside, long id) throws IOException {
        nameNode.mkdirs(aside(), new FsPermission((short) 0700), true);
        nameNode.rename2(placed(inside), aside(id));
    }

    @Override
    public void moveIn(long id, String inside) throws IOException {
        nameNode.rename2(aside(id), placed(inside));
    }

    private String aside() throws IOException {
        return placed("/" + HdfsTree.ASIDE);
    }

    private String aside(long id) throws IOException {
        return aside() + "/" + id;
    }

    @Override
    public void delete(String inside) throws IOException {
        nameNode.delete(placed(inside), true);
    }

    @Override
    public void makeFolder(String inside, TreeNode node) throws IOException {
        nameNode.mkdirs(placed(inside), new FsPermission((short) 0700), false);
    }

    @Override
    public List<String> copy(SortedMap<String, TreeNode> files) throws IOException {
        List<String> left = Collections.synchronizedList(new ArrayList<>());
        List<Callable<Void>> copies = new ArrayList<>();
        files.forEach((inside, node) -> copies.add(() -> {
            try {
                // By its number it is found even if it was renamed meanwhile.
                if (links.make(HdfsTree.byNumber(node.id()), node, placed(inside))) {
                    counts.add(node.amount());
                } else {
                    left.add(inside);
                }
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
    public void setTraits(SortedMap<String, TreeNode> nodes) throws IOException {
        List<Callable<Void>> calls = new ArrayList<>();
        // Files first: their traits change no times of folders, but those of folders come after everything in them.
        nodes.forEach((inside, node) -> calls.add(() -> {
            setTraits(inside, node.isFolder(), node.traits());
            counts.add(node.amount().withoutBlocks());
            return null;
        }));
        parallel.all(calls);
    }

    private void setTraits(String inside, boolean isFolder, Traits wanted) throws IOException {
        String file = placed(inside);
        HdfsFileStatus now = nameNode.getFileInfo(file);
        if (now == null) {
            throw new FileNotFoundException("hdfs://" + nameservice + path + inside + " has disappeared");
        }
        lock.require();
        setAttributes(file, wanted);
        if (wanted.policy() != 0) {
            nameNode.setStoragePolicy(file, policyName(wanted.policy()));
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

    private void setAttributes(String file, Traits wanted) throws IOException {
        SortedMap<String, String> now = tree.attributes(file);
        for (String name : now.keySet()) {
            if (!wanted.attributes().containsKey(name)) {
                nameNode.removeXAttr(file, XAttrHelper.buildXAttr(name));
            }
        }
        for (Map.Entry<String, String> one : wanted.attributes().entrySet()) {
            if (!one.getValue().equals(now.get(one.getKey()))) {
                setAttribute(nameNode, file, one.getKey(), StringUtils.hexStringToByte(one.getValue()));
            }
        }
    }

    private static long quota(Traits wanted, String kind) {
        Long limit = wanted.quotas().get(kind);
        return limit == null ? HdfsConstants.QUOTA_RESET : limit;
    }

    private String policyName(int id) throws IOException {
        if (policies.isEmpty()) {
            for (BlockStoragePolicy one : nameNode.getStoragePolicies()) {
                policies.put((int) one.getId(), one.getName());
            }
        }
        String name = policies.get(id);
        if (name == null) {
            throw new TableRefusedException("hdfs://" + nameservice + " has no storage policy with the id " + id);
        }
        return name;
    }

    @Override
    public SortedMap<String, TreeNode> look() throws IOException {
        followed.begin();
        SortedMap<String, TreeNode> found = tree.read(path.text(), Collections.emptySortedMap());
        followed.settle();
        followed.have(path.text(), found);
        return found;
    }

    @Override
    public void follow() throws IOException {
        folder.prepareQuotas();
        followed.follow();
    }

    @Override
    public Set<String> lookAgain(SortedMap<String, TreeNode> tree, Set<String> touched) throws IOException {
        Optional<Set<String>> changed = followed.update(path.text(), tree, touched);
        return changed.isPresent() ? changed.get() : readAll(tree, touched);
    }

    /** Nobody but this has changed ACLs, attributes and quotas. */
    private Set<String> readAll(SortedMap<String, TreeNode> tree, Set<String> touched) throws IOException {
        SortedMap<String, TreeNode> known = new TreeMap<>(tree);
        known.keySet().removeAll(touched);
        return HdfsTree.replace(tree, this.tree.read(path.text(), known));
    }

    @Override
    public void makeReady(MoveRecord record) throws IOException {
        nameNode.delete(aside(), true);
        Traits like = Traits.builder()
                .owner(user)
                .group(folder.status().getGroup())
                .permission(HdfsFolder.CLOSED.toShort())
                .modified(0)
                .acl(HdfsTree.acl(original, path.text()))
                .attributes(sourceTree.attributes(path.text()))
                .build();
        setAttributes(placed(""), like);
        setPolicy(original.getFileInfo(path.text()).getStoragePolicy());
        access.set(placed(""), nameNode.getFileInfo(path.text()), like);
        if (record.targetWas().containsKey(MOVED) || wasSealed(record)) {
            MovedMarks.remove(paths, path.text());
        }
    }

    @Override
    public void undoReady(MoveRecord record) throws IOException {
        setPolicy(0);
        mark(record);
    }

    private void mark(MoveRecord record) throws IOException {
        Optional<MovedMark> mark = wasMarked(record);
        if (mark.isPresent()) {
            MovedMarks.set(paths, path.text(), mark.get());
        }
    }

    /**
     * What clients were told here before the move. Earlier releases did not record it. A mark that is found in the folder may have come late;
     * so it is what the table says of a folder that was given away.
     */
    private Optional<MovedMark> wasMarked(MoveRecord record) throws IOException {
        String moved = record.targetWas().get(MOVED);
        if (moved != null) {
            return Optional.of(MovedMark.parse(moved.getBytes(StandardCharsets.UTF_8)));
        }
        return wasSealed(record)
                        && HdfsFreeze.knowsMarks(target, UUID.randomUUID().toString(), path.text())
                ? Optional.of(markByTable())
                : Optional.empty();
    }

    private static boolean wasSealed(MoveRecord record) {
        return Folder.SEALED.name().equals(record.targetWas().get(WAS));
    }

    /** The present owner, and the version since which it is. */
    private MovedMark markByTable() throws IOException {
        String owner = nameservice;
        int since = 1;
        for (TableRecord one : table.history()) {
            SubtreeTable then = one.table();
            if (!then.ownerOf(path).equals(owner)) {
                owner = then.ownerOf(path);
                since = then.version();
            }
        }
        return MovedMark.of(owner, since);
    }

    /** Not asked of NameNodes without need: with {@code dfs.storage.policy.enabled=false} they refuse it. */
    private void setPolicy(int wanted) throws IOException {
        if (policy(path) == wanted) {
            return;
        }
        if (wanted == 0) {
            nameNode.unsetStoragePolicy(placed(""));
        } else {
            nameNode.setStoragePolicy(placed(""), policyName(wanted));
        }
    }

    @Override
    public void open(MoveRecord record) throws IOException {
        if (!isMarked(record)) {
            return;
        }
        // What clients change here must not be undone by whoever carries on. With the permission they work here; the
        // owner, who may change the permission, comes last.
        if (folder.isClosed()) {
            openClosed(record);
        }
        String owner = record.sourceWas().get(HdfsMoveSource.OWNER);
        if (!folder.status().getOwner().equals(owner)) {
            folder.setOwner(owner, null);
        }
        nameNode.removeXAttr(placed(""), XAttrHelper.buildXAttr(MARK));
    }

    private void openClosed(MoveRecord record) throws IOException {
        // An earlier process may have begun it.
        freeze.look();
        long modified =
                freeze.past(() -> source.getFileStatus(new Path(path.text())).getModificationTime());
        HdfsMoveSource.restoreQuotas(folder, record.sourceWas());
        // Somebody may have set one late.
        MovedMarks.remove(nameNode, path.text());
        nameNode.setTimes(placed(""), modified, -1);
        nameNode.setOwner(placed(""), null, record.sourceWas().get(HdfsMoveSource.GROUP));
        HdfsMoveSource.restorePermission(folder, record.sourceWas());
    }

    @Override
    public void release() throws IOException {
        // HDFS visits all that is in a folder when the first of its snapshots is deleted.
        folder.deleteSnapshots(seal);
    }

    @Override
    public void giveUp(MoveRecord record) throws IOException {
        Map<String, String> was = record.targetWas();
        Folder before = Folder.valueOf(was.get(WAS));
        above.deleteDrafts(path);
        paths.delete(draft(), false);
        if (!folder.isThere()) {
            return;
        }
        boolean isOurs = isMarked(record);
        if (isOurs) {
            folder.deleteContents();
            folder.setQuotas(HdfsFolder.NO_ROOM, HdfsConstants.QUOTA_DONT_SET);
            // It may have ended while the folder was being replaced.
            folder.makeSnapshot(seal);
        }
        Folder now = table.look(nameservice, path);
        if (now != Folder.SEALED) {
            if (isOurs) {
                throw new IOException("A superuser made something in hdfs://" + nameservice + path
                        + " although it was closed; repeat the command to delete it");
            }
            // The move ended before the folder was sealed, or giving up ended after its seal was removed.
            if (before != Folder.SEALED) {
                // Its quota, too, if it is a seal yet.
                table.unseal(nameservice, path, lock::requireNow);
                folder.deleteSnapshots(seal);
            }
            if (before == Folder.ABSENT && now == Folder.EMPTY) {
                paths.delete(number(), false);
            }
            return;
        }
        if (before != Folder.ABSENT) {
            if (isOurs) {
                restoreTraits(record);
            }
            HdfsMoveSource.restorePermission(folder, was);
            HdfsMoveSource.restoreOwner(folder, was);
        }
        if (isOurs) {
            paths.removeXAttr(placed(""), XAttrHelper.buildXAttr(MARK));
        }
        if (before != Folder.SEALED) {
            table.unseal(nameservice, path, lock::requireNow);
        }
        if (before == Folder.ABSENT) {
            paths.delete(number(), false);
        }
    }

    /** What {@link #prepare} and {@link #makeReady} replaced; nobody but superusers can do anything with the folder meanwhile. */
    private void restoreTraits(MoveRecord record) throws IOException {
        Map<String, String> was = record.targetWas();
        SortedMap<String, String> attributes = new TreeMap<>();
        was.forEach((key, value) -> {
            if (key.startsWith(ATTRIBUTE)) {
                attributes.put(key.substring(ATTRIBUTE.length()), value);
            }
        });
        Traits wanted = Traits.builder()
                .owner(user)
                .group(folder.status().getGroup())
                .permission(HdfsMoveSource.permission(was).toShort())
                .modified(0)
                .acl(was.containsKey(ACL) ? Arrays.asList(was.get(ACL).split(",")) : Collections.emptyList())
                .attributes(attributes)
                .build();
        setAttributes(placed(""), wanted);
        setPolicy(Integer.parseInt(was.getOrDefault(POLICY, "0")));
        mark(record);
        if (was.containsKey(HdfsTree.BYTES)) {
            folder.setQuotas(HdfsConstants.QUOTA_DONT_SET, Long.parseLong(was.get(HdfsTree.BYTES)));
        }
        access.set(placed(""), nameNode.getFileInfo(path.text()), wanted);
    }
}
