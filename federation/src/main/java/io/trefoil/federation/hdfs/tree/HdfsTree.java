/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.hdfs.limits.ExpectedReplicas;
import io.trefoil.federation.hdfs.limits.TreeLimits;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.TreeNodeAttributes;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.TableRefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.StringUtils;

/**
 * Reads trees of one nameservice. Thread-safe.
 *
 * <p>Uses {@code DFSClient.getNamenode}, {@code XAttrHelper}.
 */
public final class HdfsTree {

    /** The folder in a target for what is on its way from one name to another; never a part of the tree. */
    public static final String ASIDE = ".trefoil-moving";

    public static final String NAMES = "names";
    public static final String BYTES = "bytes";

    /** A quota of names that refuses nothing: a move's own, which is not a part of the tree. */
    public static final long ANY_ROOM = HdfsConstants.QUOTA_DONT_SET - 1;

    /** The prefix of Trefoil's own marks on the folders of subtrees, which stay where they are. */
    private static final String OURS = "trusted.trefoil.";

    /** The content of a file that is being written; files that are closed have another. */
    private static final String WRITTEN = "being written";

    private static final int MOST_FINDINGS = 10;

    /** Pages asked for at a time, of a thousand names each with the default of HDFS. */
    private static final int LISTINGS = 64;

    private final ClientProtocol nameNode;
    private final ParallelCalls parallel;
    private final MoveCounts counts;
    private final Set<String> leftOut;
    private final Replicas replicas;
    /** The folders in which {@link #ANY_ROOM} was found. */
    private final Set<String> withAnyRoom = ConcurrentHashMap.newKeySet();

    /** Whether a file is of use only with a sound replica of each block. */
    private enum Replicas {
        WANTED,
        IGNORED
    }

    private HdfsTree(
            DistributedFileSystem fileSystem,
            ParallelCalls parallel,
            MoveCounts counts,
            Set<String> leftOut,
            Replicas replicas) {
        this.nameNode = fileSystem.getClient().getNamenode();
        this.parallel = parallel;
        this.counts = counts;
        this.leftOut = leftOut;
        this.replicas = replicas;
    }

    /** Trees of clients. */
    public static HdfsTree of(DistributedFileSystem fileSystem, ParallelCalls parallel, MoveCounts counts) {
        return new HdfsTree(fileSystem, parallel, counts, Collections.emptySet(), Replicas.WANTED);
    }

    /** Trees that a move makes: {@link #ASIDE} is not a part of them. */
    public static HdfsTree ofTarget(DistributedFileSystem fileSystem, ParallelCalls parallel, MoveCounts counts) {
        return new HdfsTree(fileSystem, parallel, counts, Collections.singleton("/" + ASIDE), Replicas.WANTED);
    }

    /** Trees of clients that are only compared with what was moved, for which no replica is needed. */
    public static HdfsTree ofMoved(DistributedFileSystem fileSystem, ParallelCalls parallel, MoveCounts counts) {
        return new HdfsTree(fileSystem, parallel, counts, Collections.emptySet(), Replicas.IGNORED);
    }

    /** Paths that are not a part of a tree, with everything below. */
    Set<String> leftOut() {
        return leftOut;
    }

    /**
     * The nodes below a folder, but for files being written. What disappears meanwhile is missing.
     *
     * @param root where to look, perhaps in a snapshot
     * @param known nodes whose ACL, attributes and quotas have not changed since they were read: each would cost a call or more
     */
    public SortedMap<String, TreeNode> read(String root, SortedMap<String, TreeNode> known) throws IOException {
        return readBelow(root, "", known);
    }

    /** The nodes below one folder in the tree; paths are still relative to the root. */
    SortedMap<String, TreeNode> readBelow(String root, String top, SortedMap<String, TreeNode> known)
            throws IOException {
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        walk(root, top, (folder, policy, page) -> {
            List<Callable<TreeNode>> reads = new ArrayList<>();
            List<String> paths = new ArrayList<>();
            for (HdfsFileStatus one : page) {
                String path = folder + "/" + one.getLocalName();
                TreeNode before = known.get(path);
                if (isBeingWritten(one)) {
                    continue;
                }
                if (before != null && before.id() == one.getFileId()) {
                    requireFit(one, root + path);
                    tree.put(path, node(one, withKnownAttributes(one, before.traits(), policy)));
                } else {
                    paths.add(path);
                    reads.add(() -> node(one, root + path, policy));
                }
            }
            readInto(tree, paths, reads);
        });
        return tree;
    }

    /** Reads nodes into the tree; leaves out those that have disappeared, which are null. */
    private void readInto(SortedMap<String, TreeNode> tree, List<String> paths, List<Callable<TreeNode>> reads)
            throws IOException {
        List<TreeNode> nodes = parallel.all(reads);
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i) != null) {
                tree.put(paths.get(i), nodes.get(i));
            }
        }
    }

    /**
     * The nodes of one folder in the tree, without what is in folders there; paths are relative to the root. A file
     * that is being written is no node that a tree has.
     */
    public SortedMap<String, TreeNode> readNames(String root, String folder) throws IOException {
        int policy = policy(root + folder);
        List<String> paths = new ArrayList<>();
        List<Callable<TreeNode>> reads = new ArrayList<>();
        byte[] after = HdfsFileStatus.EMPTY_NAME;
        DirectoryListing page;
        do {
            page = list(root + folder, after);
            if (page == null) {
                throw new FileNotFoundException("There is no " + root + folder);
            }
            for (HdfsFileStatus one : page.getPartialListing()) {
                String path = folder + "/" + one.getLocalName();
                if (!leftOut.contains(path)) {
                    paths.add(path);
                    reads.add(() -> isBeingWritten(one)
                            ? TreeNode.file(
                                    one.getFileId(),
                                    WRITTEN,
                                    listed(one, policy).build())
                            : node(one, root + path, policy));
                }
            }
            after = page.getLastName();
        } while (page.hasMore());
        SortedMap<String, TreeNode> names = new TreeMap<>();
        readInto(names, paths, reads);
        return names;
    }

    /** Makes one tree the same as another; returns the paths at which they differed. */
    public static Set<String> replace(SortedMap<String, TreeNode> tree, SortedMap<String, TreeNode> by) {
        Set<String> differ = new TreeSet<>();
        tree.forEach((path, node) -> {
            if (!node.equals(by.get(path))) {
                differ.add(path);
            }
        });
        by.keySet().stream().filter(path -> !tree.containsKey(path)).forEach(differ::add);
        tree.clear();
        tree.putAll(by);
        return differ;
    }

    /** Receives files, by paths that begin at the root. */
    public interface FileVisitor {
        void file(HdfsLocatedFileStatus file, String inside);
    }

    /** All files below a folder, also those that are being written; none if there is no such folder any more. */
    public void files(String root, FileVisitor visitor) throws IOException {
        walk(root, "", 0, (folder, policy, page) -> {
            for (HdfsFileStatus one : page) {
                if (!one.isDirectory() && !one.isSymlink()) {
                    visitor.file((HdfsLocatedFileStatus) one, folder + "/" + one.getLocalName());
                }
            }
        });
    }

    /** Files by their numbers, wherever they are now; null where one was deleted. */
    public List<HdfsLocatedFileStatus> files(Collection<Long> numbers) throws IOException {
        List<Callable<HdfsLocatedFileStatus>> calls = new ArrayList<>();
        numbers.forEach(number -> calls.add(() -> file(number)));
        return parallel.all(calls);
    }

    private HdfsLocatedFileStatus file(long number) throws IOException {
        try {
            // Does not count as an access, unlike the call that readers make.
            return nameNode.getLocatedFileInfo(byNumber(number), false);
        } catch (RemoteException e) {
            if (isDeletedInode(e)) {
                return null;
            }
            throw e;
        }
    }

    /**
     * The blockers in a tree, up to a number of each kind that has to be known to copy the tree instead.
     *
     * @param limits where it is to be
     * @param own where it is: attributes, which cost a call each, are looked at only if these let more in
     */
    public List<MoveBlocker> blockersIn(String root, ExpectedReplicas wanted, TreeLimits limits, TreeLimits own)
            throws IOException {
        List<MoveBlocker> findings = new ArrayList<>();
        Map<String, Integer> alike = new HashMap<>();
        boolean looksAtAttributes = limits.refusesAttributesOf(own);
        walk(root, "", (folder, policy, page) -> {
            List<MoveBlocker> found = new ArrayList<>();
            for (HdfsFileStatus one : page) {
                String inside = folder + "/" + one.getLocalName();
                found.addAll(blockers(one, root + inside, wanted, limits));
                TreeLimits.tooDeep(inside, root + inside).map(MoveBlocker::of).ifPresent(found::add);
            }
            if (looksAtAttributes) {
                found.addAll(attributesBeyond(limits, root + folder, page));
            }
            for (MoveBlocker why : found) {
                if (alike.merge(why.alike(), 1, Integer::sum) <= MOST_FINDINGS) {
                    findings.add(why);
                }
            }
        });
        return findings;
    }

    private List<MoveBlocker> attributesBeyond(TreeLimits limits, String folder, HdfsFileStatus[] page)
            throws IOException {
        List<Callable<Optional<String>>> calls = new ArrayList<>();
        for (HdfsFileStatus one : page) {
            String path = folder + "/" + one.getLocalName();
            calls.add(() -> limits.beyond(readAttributes(path), 0, path));
        }
        List<MoveBlocker> found = new ArrayList<>();
        for (Optional<String> why : parallel.all(calls)) {
            why.map(MoveBlocker::of).ifPresent(found::add);
        }
        return found;
    }

    private List<XAttr> readAttributes(String path) throws IOException {
        try {
            return nameNode.getXAttrs(path, null);
        } catch (RemoteException e) {
            if (isDeletedInode(e)) {
                return Collections.emptyList();
            }
            throw e;
        }
    }

    private List<MoveBlocker> blockers(HdfsFileStatus one, String path, ExpectedReplicas wanted, TreeLimits limits) {
        List<MoveBlocker> all = new ArrayList<>();
        MoveBlocker blocker = blockerOf(one, path);
        MoveBlocker why = blocker == null ? notOnDisk(one, path) : blocker;
        if (why != null) {
            all.add(why);
        } else if (!one.isDirectory() && !isBeingWritten(one)) {
            wanted.lack((HdfsLocatedFileStatus) one, path)
                    .map(MoveBlocker::replicas)
                    .ifPresent(all::add);
        }
        if (why == null) {
            limits.beyond(one, path).map(MoveBlocker::of).ifPresent(all::add);
        }
        return all;
    }

    /** The reason why a file or folder cannot be moved; null if it can. */
    private MoveBlocker blockerOf(HdfsFileStatus one, String path) {
        if (one.isSymlink()) {
            return MoveBlocker.unlinkable(path + " is a symbolic link");
        }
        if (one.isErasureCoded()) {
            return erasureCoding(one, path);
        }
        if (one.isEncrypted() || one.getFileEncryptionInfo() != null) {
            return MoveBlocker.encrypted(path + " is in an encryption zone");
        }
        if (one.getLocalName().equals(ASIDE)) {
            return MoveBlocker.of(path + " has the name of the folder that a move uses");
        }
        if (!one.isDirectory()) {
            for (LocatedBlock block :
                    ((HdfsLocatedFileStatus) one).getLocatedBlocks().getLocatedBlocks()) {
                boolean isWhole =
                        replicas == Replicas.IGNORED || (block.getLocations().length > 0 && !block.isCorrupt());
                if (!isWhole && !isBeingWritten(one)) {
                    return MoveBlocker.of(path + " has a block without a sound replica: " + block.getBlock());
                }
                if (block.getBlock().getBlockId() < 0) {
                    return MoveBlocker.unlinkable(path + " has a block with an id from before HDFS 2.3");
                }
            }
        }
        return null;
    }

    /**
     * The reason why a file's replicas cannot be linked; null if all are on disks, where they can. Asked only before a
     * move begins: what clients write into memory meanwhile is on disks before long, or is left to the next round.
     */
    private static MoveBlocker notOnDisk(HdfsFileStatus one, String path) {
        if (one.isDirectory() || isBeingWritten(one)) {
            return null;
        }
        for (LocatedBlock block :
                ((HdfsLocatedFileStatus) one).getLocatedBlocks().getLocatedBlocks()) {
            for (StorageType type : block.getStorageTypes()) {
                if (type.isTransient()) {
                    return MoveBlocker.unlinkable(path + " has a replica in the memory of a DataNode (LAZY_PERSIST)");
                }
                if (type == StorageType.PROVIDED) {
                    return MoveBlocker.unlinkable(path + " is in provided storage");
                }
            }
        }
        return null;
    }

    private static MoveBlocker erasureCoding(HdfsFileStatus one, String path) {
        return MoveBlocker.erasureCoding(
                path + " is erasure-coded", one.getErasureCodingPolicy().getName());
    }

    static boolean isBeingWritten(HdfsFileStatus one) {
        return !one.isDirectory()
                && !one.isSymlink()
                && ((HdfsLocatedFileStatus) one).getLocatedBlocks().isUnderConstruction();
    }

    /** Receives the names of a folder, some at a time. */
    private interface Visitor {
        void page(String folder, int policy, HdfsFileStatus[] page) throws IOException;
    }

    private void walk(String root, String top, Visitor visitor) throws IOException {
        walk(root, top, policy(root + top), visitor);
    }

    private void walk(String root, String top, int policy, Visitor visitor) throws IOException {
        Deque<Place> places = new ArrayDeque<>();
        places.add(new Place(top, policy, HdfsFileStatus.EMPTY_NAME));
        while (!places.isEmpty()) {
            List<Place> some = new ArrayList<>();
            List<Callable<DirectoryListing>> listings = new ArrayList<>();
            while (!places.isEmpty() && some.size() < LISTINGS) {
                Place place = places.remove();
                some.add(place);
                listings.add(() -> list(root + place.folder, place.after));
            }
            List<DirectoryListing> found = parallel.all(listings);
            for (int i = 0; i < some.size(); i++) {
                if (found.get(i) != null) {
                    visit(some.get(i), found.get(i), places, visitor);
                }
            }
        }
    }

    /** The id of the storage policy in force in a folder; 0 if there is none. */
    int policy(String folder) throws IOException {
        HdfsFileStatus status = nameNode.getFileInfo(folder);
        if (status == null) {
            throw new FileNotFoundException("There is no " + folder);
        }
        return status.getStoragePolicy();
    }

    /** The status of each path below a root; null for a path that does not exist. */
    List<HdfsFileStatus> statuses(String root, List<String> paths) throws IOException {
        List<Callable<HdfsFileStatus>> calls = new ArrayList<>();
        // Does not count as an access, unlike the call that readers make.
        paths.forEach(path -> calls.add(() -> nameNode.getLocatedFileInfo(root + path, false)));
        return parallel.all(calls);
    }

    /** The nodes of some paths below a root; null where one has disappeared. */
    List<TreeNode> nodes(String root, List<String> paths, List<HdfsFileStatus> statuses, List<Integer> policiesAround)
            throws IOException {
        List<Callable<TreeNode>> reads = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            String path = root + paths.get(i);
            HdfsFileStatus status = statuses.get(i);
            int policyAround = policiesAround.get(i);
            reads.add(() -> node(status, path, policyAround));
        }
        return parallel.all(reads);
    }

    private void visit(Place place, DirectoryListing listing, Deque<Place> places, Visitor visitor) throws IOException {
        HdfsFileStatus[] page = Arrays.stream(listing.getPartialListing())
                .filter(one -> !leftOut.contains(place.folder + "/" + one.getLocalName()))
                .toArray(HdfsFileStatus[]::new);
        if (listing.hasMore()) {
            places.add(new Place(place.folder, place.policy, listing.getLastName()));
        }
        for (HdfsFileStatus one : page) {
            if (one.isDirectory()) {
                places.add(new Place(
                        place.folder + "/" + one.getLocalName(), one.getStoragePolicy(), HdfsFileStatus.EMPTY_NAME));
            }
        }
        visitor.page(place.folder, place.policy, page);
        long folders = Arrays.stream(page).filter(HdfsFileStatus::isDirectory).count();
        counts.add(
                Amount.builder().files(page.length - folders).folders(folders).build());
    }

    /** The place where a listing begins. */
    private static final class Place {
        final String folder;
        final int policy;
        final byte[] after;

        Place(String folder, int policy, byte[] after) {
            this.folder = folder;
            this.policy = policy;
            this.after = after;
        }
    }

    /** A page of a folder's listing; null if the folder has disappeared. */
    private DirectoryListing list(String folder, byte[] after) throws IOException {
        try {
            return nameNode.getListing(folder, after, true);
        } catch (RemoteException e) {
            if (isDeletedInode(e)) {
                return null;
            }
            throw e;
        }
    }

    /** The node of a file or folder; null if it has disappeared. */
    private TreeNode node(HdfsFileStatus status, String path, int policyAround) throws IOException {
        requireFit(status, path);
        try {
            return node(status, traits(status, path, policyAround));
        } catch (RemoteException e) {
            if (e.unwrapRemoteException() instanceof FileNotFoundException) {
                return null;
            }
            throw e;
        }
    }

    private void requireFit(HdfsFileStatus status, String path) throws TableRefusedException {
        MoveBlocker blocker = blockerOf(status, path);
        if (blocker != null) {
            throw new TableRefusedException(blocker.text());
        }
    }

    private static TreeNode node(HdfsFileStatus status, TreeNodeAttributes traits) {
        return status.isDirectory()
                ? TreeNode.folder(status.getFileId(), traits)
                : TreeNode.file(
                        status.getFileId(), content(((HdfsLocatedFileStatus) status).getLocatedBlocks()), traits);
    }

    private TreeNodeAttributes traits(HdfsFileStatus status, String path, int policyAround) throws IOException {
        TreeNodeAttributes.Builder traits = listed(status, policyAround).attributes(attributes(path));
        if (status.hasAcl()) {
            traits.acl(acl(nameNode, path));
        }
        if (status.isDirectory()) {
            traits.quotas(quotas(status, path));
        }
        return traits.build();
    }

    /** The traits of a node that still has the ACL, attributes and quotas of before. */
    private static TreeNodeAttributes withKnownAttributes(
            HdfsFileStatus status, TreeNodeAttributes before, int policyAround) {
        return listed(status, policyAround)
                .acl(before.acl())
                .attributes(before.attributes())
                .quotas(before.quotas())
                .build();
    }

    /** The traits that a listing tells. */
    private static TreeNodeAttributes.Builder listed(HdfsFileStatus status, int policyAround) {
        int policy = status.getStoragePolicy();
        TreeNodeAttributes.Builder traits = TreeNodeAttributes.builder()
                .owner(status.getOwner())
                .group(status.getGroup())
                .permission(status.getPermission().toShort())
                .modified(status.getModificationTime())
                .policy(policy == policyAround ? 0 : policy);
        return status.isDirectory()
                ? traits
                : traits.length(status.getLen())
                        .replication(status.getReplication())
                        .blockSize(status.getBlockSize());
    }

    /** The entries beyond the permission, as HDFS writes them. */
    public static List<String> acl(ClientProtocol nameNode, String path) throws IOException {
        List<String> entries = new ArrayList<>();
        for (AclEntry one : nameNode.getAclStatus(path).getEntries()) {
            entries.add(one.toString());
        }
        return entries;
    }

    public SortedMap<String, String> attributes(String path) throws IOException {
        SortedMap<String, String> attributes = new TreeMap<>();
        for (XAttr one : nameNode.getXAttrs(path, null)) {
            String name = XAttrHelper.getPrefixedName(one);
            if (!name.startsWith(OURS)) {
                byte[] value = one.getValue() == null ? new byte[0] : one.getValue();
                attributes.put(name, StringUtils.byteToHexString(value));
            }
        }
        return attributes;
    }

    public SortedMap<String, Long> quotas(String folder) throws IOException {
        return quotas(folder, folder);
    }

    /**
     * The quotas of a folder, which is found by its number even if it was renamed meanwhile. Asked in this way,
     * NameNodes with {@code trefoil.federation.gate} do not count what is in it.
     *
     * @param path of the folder, perhaps in a snapshot, which has no quotas
     */
    public SortedMap<String, Long> quotas(HdfsFileStatus folder, String path) throws IOException {
        try {
            return quotas(byNumber(folder.getFileId()), path);
        } catch (RemoteException e) {
            if (isInSnapshot(path) && isDeletedInode(e)) {
                return Collections.emptySortedMap();
            }
            throw e;
        }
    }

    /** The folders with {@link #ANY_ROOM} that were found since the last call, by the paths at which they were read. */
    public Set<String> takeFoldersWithAnyRoom() {
        Set<String> taken = new TreeSet<>(withAnyRoom);
        withAnyRoom.removeAll(taken);
        return taken;
    }

    /** Examines the quotas of all folders below one, for {@link #takeFoldersWithAnyRoom}. */
    public void readQuotas(String root) throws IOException {
        walk(root, "", 0, (folder, policy, page) -> {
            List<Callable<Void>> calls = new ArrayList<>();
            for (HdfsFileStatus one : page) {
                if (one.isDirectory()) {
                    String path = root + folder + "/" + one.getLocalName();
                    calls.add(() -> {
                        readQuotasOf(one, path);
                        return null;
                    });
                }
            }
            parallel.all(calls);
        });
    }

    private void readQuotasOf(HdfsFileStatus folder, String path) throws IOException {
        try {
            quotas(folder, path);
        } catch (RemoteException e) {
            if (!isDeletedInode(e)) {
                throw e;
            }
        }
    }

    /** A path by which HDFS finds a file or folder wherever it was renamed to. */
    public static String byNumber(long id) {
        return "/.reserved/.inodes/" + id;
    }

    private static boolean isInSnapshot(String path) {
        return path.contains("/" + HdfsConstants.DOT_SNAPSHOT_DIR + "/");
    }

    /**
     * Whether a call by a number says that the file or folder was deleted. If a snapshot still has it, HDFS knows the number, and fails to
     * put a path together.
     */
    public static boolean isDeletedInode(RemoteException e) {
        return e.getClassName().equals(IllegalArgumentException.class.getName())
                || e.unwrapRemoteException() instanceof FileNotFoundException;
    }

    private SortedMap<String, Long> quotas(String asked, String folder) throws IOException {
        QuotaUsage usage = CallerContexts.with(SubtreeCaller.QUOTAS, () -> nameNode.getQuotaUsage(asked));
        if (usage.isTypeQuotaSet()) {
            throw new TableRefusedException(folder + " has a quota for a type of storage");
        }
        SortedMap<String, Long> quotas = new TreeMap<>();
        if (usage.getQuota() == ANY_ROOM) {
            if (!isInSnapshot(folder)) {
                withAnyRoom.add(folder);
            }
        } else if (usage.getQuota() > 0) {
            quotas.put(NAMES, usage.getQuota());
        }
        if (usage.getSpaceQuota() > 0) {
            quotas.put(BYTES, usage.getSpaceQuota());
        }
        return quotas;
    }

    /**
     * A text that changes whenever the bytes of a closed file may: appends, truncations and concatenations change it.
     */
    public static String content(LocatedBlocks blocks) {
        List<LocatedBlock> all = blocks.getLocatedBlocks();
        String last = all.isEmpty()
                ? ""
                : all.get(all.size() - 1).getBlock().getLocalBlock().toString();
        return blocks.getFileLength() + " " + all.size() + " " + last;
    }
}
