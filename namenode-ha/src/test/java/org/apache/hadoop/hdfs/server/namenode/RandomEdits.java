/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import io.trefoil.journal.hdfs.tailing.EditsObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.apache.hadoop.ipc.RpcConstants;

/** Edits as an active could have written them, drawn one by one from what is in the namespace that applies them. */
final class RandomEdits extends EditLogInputStream {
    private static final int BLOCK_SIZE = 1 << 20;
    private static final int MAX_NODES = 150;
    private static final byte EC_POLICY = 1;
    private static final int KINDS_EXCEPT_SNAPSHOTS = 29;
    private static final int ALL_KINDS = 35;
    private static final byte[] STORAGE_POLICIES = {0, 2, 5, 7, 10, 12};
    private static final StorageType[] TYPES = {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE};
    private static final PermissionStatus PERMISSIONS =
            PermissionStatus.createImmutable("user", "group", FsPermission.getDirDefault());

    /** Which edits there are. */
    enum Kind {
        WITHOUT_SNAPSHOTS,
        WITH_SNAPSHOTS
    }

    private final FSNamesystem namesystem;
    private final Random random;
    private final Kind kind;
    private final EditsObserver watcher;
    private final List<String> told = new ArrayList<>();
    private Optional<FSEditLogOp> given = Optional.empty();
    private long firstTxId;
    private long nextTxId;
    private long lastTxId;
    private long blocks = 1L << 30;
    private long striped = Long.MIN_VALUE + 16;
    private long snapshots;
    private long names;

    RandomEdits(FSNamesystem namesystem, long seed, Kind kind, EditsObserver watcher) {
        this.namesystem = namesystem;
        this.random = new Random(seed);
        this.kind = kind;
        this.watcher = watcher;
        this.nextTxId = namesystem.getFSImage().getLastAppliedTxId() + 1;
        this.firstTxId = nextTxId;
    }

    /** The stream gives this many edits more. */
    RandomEdits withCount(int count) {
        firstTxId = nextTxId;
        lastTxId = nextTxId + count - 1;
        return this;
    }

    /** The stream gives this edit, and no other. */
    RandomEdits withSingleEdit(FSEditLogOp edit) {
        given = Optional.of(edit);
        return withCount(1);
    }

    /** What there was since it was asked last. */
    List<String> takeRecorded() {
        List<String> result = new ArrayList<>(told);
        told.clear();
        return result;
    }

    @Override
    protected FSEditLogOp nextOp() {
        if (nextTxId > lastTxId) {
            return null;
        }
        FSEditLogOp edit = given.orElseGet(this::drawEdit);
        given = Optional.empty();
        edit.setTransactionId(nextTxId++);
        edit.setRpcCallId(RpcConstants.INVALID_CALL_ID);
        edit.setRpcClientId(RpcConstants.DUMMY_CLIENT_ID);
        told.add(edit.toString());
        watcher.onEdit(edit);
        return edit;
    }

    private FSEditLogOp drawEdit() {
        while (true) {
            Optional<FSEditLogOp> edit =
                    drawEdit(random.nextInt(kind == Kind.WITH_SNAPSHOTS ? ALL_KINDS : KINDS_EXCEPT_SNAPSHOTS));
            if (edit.isPresent()) {
                return edit.get();
            }
        }
    }

    private Optional<FSEditLogOp> drawEdit(int which) {
        return switch (which) {
            case 0, 1 -> anyDirectory().map(this::mkdir);
            case 2, 3, 4 -> anyDirectory().map(this::create);
            case 5 -> anyFile(file -> true).map(file -> add(file.getFullPathName(), true));
            case 6, 7, 8, 9 -> anyFile(INodeFile::isUnderConstruction).map(this::addBlock);
            case 10 -> anyFile(RandomEdits::hasOpenBlock).map(this::abandon);
            case 11 -> anyFile(RandomEdits::hasOpenBlock).map(this::sync);
            case 12, 13 -> anyFile(INodeFile::isUnderConstruction).map(this::closeFile);
            case 14 -> anyFile(RandomEdits::isClosed).map(this::append);
            case 15 ->
                anyFile(file -> isClosed(file) && !file.isStriped() && file.computeFileSize() > 0)
                        .map(this::truncate);
            case 16 ->
                anyFile(file -> !file.isStriped()).map(file -> new FSEditLogOp.SetReplicationOp()
                        .setPath(file.getFullPathName())
                        .setReplication((short) (1 + random.nextInt(4))));
            case 17 ->
                anyDirectory().map(directory -> new FSEditLogOp.SymlinkOp()
                        .setId(nextInode())
                        .setPath(childPath(directory, newName()))
                        .setValue("elsewhere")
                        .setModificationTime(1)
                        .setAccessTime(1)
                        .setPermissionStatus(PERMISSIONS));
            case 18 -> isCrowded() || random.nextInt(4) == 0 ? anyRemovable().map(this::delete) : Optional.empty();
            case 19, 20 -> anyMovable().flatMap(this::rename);
            case 21 -> anyMovable().flatMap(this::renameOld);
            case 22 -> anyFile(RandomEdits::isClosed).flatMap(this::concat);
            case 23 ->
                pickOne(findAll(node -> !node.isSymlink() && !node.isReference()))
                        .map(node -> new FSEditLogOp.SetStoragePolicyOp()
                                .setPath(node.getFullPathName())
                                .setPolicyId(STORAGE_POLICIES[random.nextInt(STORAGE_POLICIES.length)]));
            case 24 -> anyDirectory().map(this::setQuota);
            case 25 ->
                anyRemovable().filter(node -> !node.isSymlink()).map(node -> new FSEditLogOp.SetPermissionsOp()
                        .setSource(node.getFullPathName())
                        .setPermissions(FsPermission.createImmutable((short) random.nextInt(01000))));
            case 26 ->
                anyRemovable().filter(node -> !node.isSymlink()).map(node -> new FSEditLogOp.TimesOp()
                        .setPath(node.getFullPathName())
                        .setModificationTime(2)
                        .setAccessTime(2));
            case 27 -> anyRemovable().filter(node -> !node.isSymlink()).map(this::setAttribute);
            case 28 ->
                anyFile(INodeFile::isUnderConstruction).map(file -> new FSEditLogOp.ReassignLeaseOp()
                        .setLeaseHolder(file.getFileUnderConstructionFeature().getClientName())
                        .setPath(file.getFullPathName())
                        .setNewHolder("recovery"));
            case 29 ->
                anyDirectory()
                        .filter(directory -> random.nextInt(directory.isRoot() ? 6 : 3) == 0 && !isNested(directory))
                        .map(directory -> new FSEditLogOp.AllowSnapshotOp(directory.getFullPathName()));
            case 30, 31 ->
                pickOne(findAll(node -> isSnapshottable(node))).map(node -> new FSEditLogOp.CreateSnapshotOp()
                        .setSnapshotName("s" + snapshots++)
                        .setSnapshotRoot(node.getFullPathName())
                        .setSnapshotMTime(1));
            case 32 ->
                pickOne(findAll(RandomEdits::hasSnapshots)).map(node -> new FSEditLogOp.DeleteSnapshotOp()
                        .setSnapshotName(oldestSnapshotOf(node))
                        .setSnapshotRoot(node.getFullPathName())
                        .setSnapshotMTime(1));
            case 33 ->
                pickOne(findAll(RandomEdits::hasSnapshots)).map(node -> new FSEditLogOp.RenameSnapshotOp()
                        .setSnapshotOldName(anySnapshotOf(node))
                        .setSnapshotNewName("s" + snapshots++)
                        .setSnapshotRoot(node.getFullPathName())
                        .setSnapshotMTime(1));
            default ->
                pickOne(findAll(node -> isSnapshottable(node) && !hasSnapshots(node)))
                        .map(node -> new FSEditLogOp.DisallowSnapshotOp(node.getFullPathName()));
        };
    }

    private String anySnapshotOf(INode directory) {
        ReadOnlyList<Snapshot> all =
                directory.asDirectory().getDirectorySnapshottableFeature().getSnapshotList();
        return all.get(random.nextInt(all.size())).getRoot().getLocalName();
    }

    /** As HDFS advises: what it has of renamed directories is broken by other orders, until it fails (HDFS-13101). */
    private static String oldestSnapshotOf(INode directory) {
        return directory
                .asDirectory()
                .getDirectorySnapshottableFeature()
                .getSnapshotList()
                .get(0)
                .getRoot()
                .getLocalName();
    }

    private FSEditLogOp setAttribute(INode node) {
        FSEditLogOp.SetXAttrOp edit = new FSEditLogOp.SetXAttrOp();
        edit.src = node.getFullPathName();
        edit.xAttrs =
                Collections.singletonList(XAttrHelper.buildXAttr("user.a", new byte[] {(byte) random.nextInt(100)}));
        return edit;
    }

    private FSEditLogOp mkdir(INodeDirectory directory) {
        return new FSEditLogOp.MkdirOp()
                .setInodeId(nextInode())
                .setPath(childPath(directory, newName()))
                .setTimestamp(1)
                .setPermissionStatus(PERMISSIONS);
    }

    /** A replicated file. */
    FSEditLogOp createEdit(String path) {
        return ((FSEditLogOp.AddOp) add(path, false)).setErasureCodingPolicyId((byte) 0);
    }

    FSEditLogOp addBlockEdit(String path) {
        return addBlock(fileAt(path));
    }

    FSEditLogOp closeEdit(String path) {
        return closeFile(fileAt(path));
    }

    private INodeFile fileAt(String path) {
        return anyFile(file -> file.getFullPathName().equals(path))
                .orElseThrow(() -> new IllegalArgumentException(path));
    }

    private FSEditLogOp create(INodeDirectory directory) {
        return add(childPath(directory, newName()), false);
    }

    private FSEditLogOp add(String path, boolean overwrite) {
        FSEditLogOp.AddOp edit = new FSEditLogOp.AddOp();
        edit.setInodeId(nextInode())
                .setPath(path)
                .setReplication((short) (1 + random.nextInt(3)))
                .setModificationTime(1)
                .setAccessTime(1)
                .setBlockSize(BLOCK_SIZE)
                .setBlocks(new Block[0])
                .setPermissionStatus(PERMISSIONS)
                .setClientName("client" + random.nextInt(3))
                .setClientMachine("machine")
                .setOverwrite(overwrite)
                .setStoragePolicyId((byte) (random.nextInt(4) == 0 ? 12 : 0))
                .setErasureCodingPolicyId(random.nextInt(5) == 0 ? EC_POLICY : 0);
        return edit;
    }

    private FSEditLogOp addBlock(INodeFile file) {
        FSEditLogOp.AddBlockOp edit = new FSEditLogOp.AddBlockOp().setPath(file.getFullPathName());
        BlockInfo last = file.getLastBlock();
        if (last != null) {
            edit.setPenultimateBlock(asWritten(last));
        }
        long id = file.isStriped() ? (striped += 16) : blocks++;
        return edit.setLastBlock(new Block(id, 0, 1001));
    }

    private FSEditLogOp abandon(INodeFile file) {
        BlockInfo[] all = file.getBlocks();
        return new FSEditLogOp.UpdateBlocksOp()
                .setPath(file.getFullPathName())
                .setBlocks(Arrays.copyOf(all, all.length - 1, Block[].class));
    }

    private FSEditLogOp sync(INodeFile file) {
        Block[] all = Arrays.stream(file.getBlocks()).map(Block::new).toArray(Block[]::new);
        all[all.length - 1].setNumBytes(1 + random.nextInt(BLOCK_SIZE));
        return new FSEditLogOp.UpdateBlocksOp().setPath(file.getFullPathName()).setBlocks(all);
    }

    private FSEditLogOp closeFile(INodeFile file) {
        FSEditLogOp.CloseOp edit = new FSEditLogOp.CloseOp();
        edit.setPath(file.getFullPathName())
                .setReplication(file.isStriped() ? 1 : file.getFileReplication())
                .setModificationTime(1)
                .setAccessTime(1)
                .setBlockSize(BLOCK_SIZE)
                .setBlocks(Arrays.stream(file.getBlocks()).map(this::asWritten).toArray(Block[]::new))
                .setPermissionStatus(PERMISSIONS);
        return edit;
    }

    /** With the length that it has, or gets when it is finished. */
    private Block asWritten(BlockInfo block) {
        long length = block.isComplete() ? block.getNumBytes() : 1 + random.nextInt(BLOCK_SIZE);
        return new Block(block.getBlockId(), length, block.getGenerationStamp());
    }

    private FSEditLogOp append(INodeFile file) {
        return new FSEditLogOp.AppendOp()
                .setPath(file.getFullPathName())
                .setClientName("client")
                .setClientMachine("machine")
                .setNewBlock(file.isStriped() || random.nextBoolean());
    }

    private FSEditLogOp truncate(INodeFile file) {
        long length = file.computeFileSize();
        long left = random.nextInt((int) length);
        FSEditLogOp.TruncateOp edit = new FSEditLogOp.TruncateOp()
                .setPath(file.getFullPathName())
                .setClientName("client")
                .setClientMachine("machine")
                .setNewLength(left)
                .setTimestamp(1);
        long before = 0;
        for (BlockInfo block : file.getBlocks()) {
            if (left > before && left < before + block.getNumBytes()) {
                // In a snapshot the block stays, and a new one takes its place.
                boolean copied = file.isBlockInLatestSnapshot(block);
                edit.setTruncateBlock(new Block(
                        copied ? blocks++ : block.getBlockId(), block.getNumBytes(), block.getGenerationStamp() + 1));
            }
            before += block.getNumBytes();
        }
        return edit;
    }

    private FSEditLogOp delete(INode node) {
        return new FSEditLogOp.DeleteOp().setPath(node.getFullPathName()).setTimestamp(1);
    }

    /** With and without something in the place. */
    private Optional<FSEditLogOp> rename(INode node) {
        Optional<String> over = Optional.empty();
        if (random.nextBoolean()) {
            over = pickOne(findAll(other -> !other.isRoot()
                            && !other.equals(node)
                            && other.isDirectory() == node.isDirectory()
                            && other.isSymlink() == node.isSymlink()
                            && (!other.isDirectory()
                                    || other.asDirectory()
                                            .getChildrenList(Snapshot.CURRENT_STATE_ID)
                                            .isEmpty())
                            && !isDescendant(other, node)
                            && !isDescendant(node, other)
                            && !other.isReference()
                            && !hasSnapshotsBelow(other)))
                    .map(INode::getFullPathName);
        }
        Optional<String> target = over.isPresent() ? over : renameTarget(node);
        boolean replaces = over.isPresent();
        return target.map(path -> new FSEditLogOp.RenameOp()
                .setSource(node.getFullPathName())
                .setDestination(path)
                .setTimestamp(1)
                .setOptions(replaces ? new Rename[] {Rename.OVERWRITE} : new Rename[0]));
    }

    private Optional<FSEditLogOp> renameOld(INode node) {
        return renameTarget(node).map(path -> new FSEditLogOp.RenameOldOp()
                .setSource(node.getFullPathName())
                .setDestination(path)
                .setTimestamp(1));
    }

    private Optional<String> renameTarget(INode node) {
        return anyDirectory()
                .filter(directory -> !isDescendant(directory, node))
                .map(directory -> childPath(directory, newName()));
    }

    private Optional<FSEditLogOp> concat(INodeFile target) {
        List<String> sources = findAll(node -> node.isFile()
                        && !node.equals(target)
                        && node.getParent().equals(target.getParent())
                        && isClosed(node.asFile())
                        && node.asFile().isStriped() == target.isStriped()
                        && node.asFile().getBlocks().length > 0
                        && !node.asFile().isWithSnapshot()
                        && !node.isReference()
                        && !isInLatestSnapshot(node))
                .stream()
                .limit(2)
                .map(INode::getFullPathName)
                .collect(Collectors.toList());
        return sources.isEmpty() || target.isStriped()
                ? Optional.empty()
                : Optional.of(new FSEditLogOp.ConcatDeleteOp()
                        .setTarget(target.getFullPathName())
                        .setSources(sources.toArray(new String[0]))
                        .setTimestamp(1));
    }

    private FSEditLogOp setQuota(INodeDirectory directory) {
        String path = directory.getFullPathName();
        boolean reset = random.nextInt(4) == 0 && !directory.isRoot();
        if (random.nextInt(3) == 0) {
            return new FSEditLogOp.SetQuotaByStorageTypeOp()
                    .setQuotaByStorageType(reset ? -1 : 1L << 50, TYPES[random.nextInt(TYPES.length)])
                    .setSource(path);
        }
        return new FSEditLogOp.SetQuotaOp()
                .setSource(path)
                .setNSQuota(reset ? -1 : 1_000_000 + random.nextInt(10))
                .setDSQuota(random.nextBoolean() ? -1 : 1L << 50);
    }

    private long nextInode() {
        return namesystem.getFSDirectory().getLastInodeId() + 1;
    }

    private String newName() {
        return "n" + names++;
    }

    private static String childPath(INodeDirectory directory, String name) {
        return directory.isRoot() ? "/" + name : directory.getFullPathName() + "/" + name;
    }

    private static boolean isInLatestSnapshot(INode node) {
        return node.isInLatestSnapshot(INodesInPath.fromINode(node).getLatestSnapshotId());
    }

    private static boolean isClosed(INodeFile file) {
        return !file.isUnderConstruction();
    }

    private static boolean hasOpenBlock(INodeFile file) {
        return file.isUnderConstruction()
                && file.getLastBlock() != null
                && !file.getLastBlock().isComplete();
    }

    private static boolean hasSnapshots(INode node) {
        return isSnapshottable(node)
                && node.asDirectory().getDirectorySnapshottableFeature().getNumSnapshots() > 0;
    }

    private static boolean isSnapshottable(INode node) {
        return node.isDirectory()
                && node.asDirectory().isSnapshottable()
                && node.asDirectory().getDirectorySnapshottableFeature().getSnapshotQuota() > 0;
    }

    private static boolean isDescendant(INode inner, INode outer) {
        for (INode each = inner; each != null; each = each.getParent()) {
            if (each.getId() == outer.getId()) {
                return true;
            }
        }
        return false;
    }

    private boolean hasSnapshotsBelow(INode directory) {
        return findAll(RandomEdits::hasSnapshots).stream().anyMatch(node -> isDescendant(node, directory));
    }

    private boolean isCrowded() {
        return findAll(node -> true).size() > MAX_NODES;
    }

    private Optional<INodeFile> anyFile(Predicate<INodeFile> condition) {
        return pickOne(findAll(node -> node.isFile() && condition.test(node.asFile())))
                .map(INode::asFile);
    }

    private Optional<INodeDirectory> anyDirectory() {
        return pickOne(findAll(INode::isDirectory)).map(INode::asDirectory);
    }

    /** HDFS neither deletes nor renames a directory with snapshots. */
    private Optional<INode> anyRemovable() {
        return pickOne(findAll(node -> !node.isRoot())).filter(node -> !hasSnapshotsBelow(node));
    }

    /** HDFS moves no directory of which snapshots may be made into another one; and what was moved once out of a snapshot stays. */
    private Optional<INode> anyMovable() {
        return anyRemovable().filter(node -> findAll(each -> isSnapshottable(each) || each.isReference()).stream()
                .noneMatch(each -> isDescendant(each, node)));
    }

    private boolean isNested(INode directory) {
        return findAll(RandomEdits::isSnapshottable).stream()
                .anyMatch(each -> isDescendant(each, directory) || isDescendant(directory, each));
    }

    private <T> Optional<T> pickOne(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(random.nextInt(list.size())));
    }

    private List<INode> findAll(Predicate<INode> condition) {
        List<INode> found = new ArrayList<>();
        collect(namesystem.getFSDirectory().getRoot(), condition, found);
        return found;
    }

    private static void collect(INode node, Predicate<INode> condition, List<INode> found) {
        if (condition.test(node)) {
            found.add(node);
        }
        if (node.isDirectory()) {
            for (INode child : node.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                collect(child, condition, found);
            }
        }
    }

    @Override
    public String getName() {
        return "random edits";
    }

    @Override
    public long getFirstTxId() {
        return firstTxId;
    }

    @Override
    public long getLastTxId() {
        return lastTxId;
    }

    @Override
    public void close() {
        watcher.onStreamFinished();
    }

    @Override
    public int getVersion(boolean verifyVersion) {
        return HdfsServerConstants.NAMENODE_LAYOUT_VERSION;
    }

    @Override
    public long getPosition() {
        return nextTxId;
    }

    @Override
    public long length() {
        return -1;
    }

    @Override
    public boolean isInProgress() {
        return false;
    }

    @Override
    public void setMaxOpSize(int maxOpSize) {}

    @Override
    public boolean isLocalLog() {
        return true;
    }
}
