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

    /** The directory in a target for inodes that are being renamed; never a part of the tree. */
    public static final String ASIDE = ".trefoil-moving";

    public static final String NAMES = "names";
    public static final String BYTES = "bytes";

    /** A name quota that refuses nothing: it is set by moves, and not a part of the tree. */
    public static final long ANY_ROOM = HdfsConstants.QUOTA_DONT_SET - 1;

    /** The prefix of Trefoil's own marks on the directories of subtrees, which stay where they are. */
    private static final String OURS = "trusted.trefoil.";

    /** The content of a file that is being written; closed files have a different one. */
    private static final String WRITTEN = "being written";

    private static final int MAX_FINDINGS = 10;

    /** The number of pages that are requested at a time, with a thousand names each by HDFS's default. */
    private static final int LISTINGS = 64;

    private final ClientProtocol nameNode;
    private final ParallelCaller parallel;
    private final MoveCounts counts;
    private final Set<String> leftOut;
    private final Replicas replicas;
    /** The directories on which {@link #ANY_ROOM} was found. */
    private final Set<String> withAnyRoom = ConcurrentHashMap.newKeySet();

    /** Whether a file is usable only with a sound replica of each block. */
    private enum Replicas {
        WANTED,
        IGNORED
    }

    private HdfsTree(
            DistributedFileSystem fileSystem,
            ParallelCaller parallel,
            MoveCounts counts,
            Set<String> leftOut,
            Replicas replicas) {
        this.nameNode = fileSystem.getClient().getNamenode();
        this.parallel = parallel;
        this.counts = counts;
        this.leftOut = leftOut;
        this.replicas = replicas;
    }

    /** Returns the trees that clients see. */
    public static HdfsTree of(DistributedFileSystem fileSystem, ParallelCaller parallel, MoveCounts counts) {
        return new HdfsTree(fileSystem, parallel, counts, Collections.emptySet(), Replicas.WANTED);
    }

    /** Reads trees created by a move: {@link #ASIDE} is not a part of them. */
    public static HdfsTree ofTarget(DistributedFileSystem fileSystem, ParallelCaller parallel, MoveCounts counts) {
        return new HdfsTree(fileSystem, parallel, counts, Collections.singleton("/" + ASIDE), Replicas.WANTED);
    }

    /** Reads trees of clients that are only compared with the moved tree, for which no replica is needed. */
    public static HdfsTree ofMoved(DistributedFileSystem fileSystem, ParallelCaller parallel, MoveCounts counts) {
        return new HdfsTree(fileSystem, parallel, counts, Collections.emptySet(), Replicas.IGNORED);
    }

    /** The paths that are excluded from a tree, with everything below them. */
    Set<String> excludedPaths() {
        return leftOut;
    }

    /**
     * The nodes below a directory, except files being written. What disappears meanwhile is missing.
     *
     * @param root where to look, perhaps in a snapshot
     * @param knownNodes nodes whose ACL, attributes and quotas have not changed since they were read: each would cost a call or more
     */
    public SortedMap<String, TreeNode> read(String root, SortedMap<String, TreeNode> knownNodes) throws IOException {
        return readBelow(root, "", knownNodes);
    }

    /** The nodes below one directory in the tree; paths are still relative to the root. */
    SortedMap<String, TreeNode> readBelow(String root, String topPath, SortedMap<String, TreeNode> knownNodes)
            throws IOException {
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        walkTree(root, topPath, (directory, policy, page) -> {
            List<Callable<TreeNode>> reads = new ArrayList<>();
            List<String> paths = new ArrayList<>();
            for (HdfsFileStatus status : page) {
                String path = directory + "/" + status.getLocalName();
                TreeNode before = knownNodes.get(path);
                if (isBeingWritten(status)) {
                    continue;
                }
                if (before != null && before.id() == status.getFileId()) {
                    requireSupported(status, root + path);
                    tree.put(path, node(status, withKnownAttributes(status, before.traits(), policy)));
                } else {
                    paths.add(path);
                    reads.add(() -> node(status, root + path, policy));
                }
            }
            readInto(tree, paths, reads);
        });
        return tree;
    }

    /** Reads nodes into the tree; leaves out those that have disappeared, which are null. */
    private void readInto(SortedMap<String, TreeNode> tree, List<String> paths, List<Callable<TreeNode>> reads)
            throws IOException {
        List<TreeNode> nodes = parallel.callAll(reads);
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i) != null) {
                tree.put(paths.get(i), nodes.get(i));
            }
        }
    }

    /**
     * The nodes of one directory in the tree, without the content of its directories; paths are relative to the root. A file
     * that is being written is no node that a tree has.
     */
    public SortedMap<String, TreeNode> readDirectory(String root, String directory) throws IOException {
        int policy = policy(root + directory);
        List<String> paths = new ArrayList<>();
        List<Callable<TreeNode>> reads = new ArrayList<>();
        byte[] startAfter = HdfsFileStatus.EMPTY_NAME;
        DirectoryListing page;
        do {
            page = list(root + directory, startAfter);
            if (page == null) {
                throw new FileNotFoundException("There is no " + root + directory);
            }
            for (HdfsFileStatus status : page.getPartialListing()) {
                String path = directory + "/" + status.getLocalName();
                if (!leftOut.contains(path)) {
                    paths.add(path);
                    reads.add(() -> isBeingWritten(status)
                            ? TreeNode.newFile(
                                    status.getFileId(),
                                    WRITTEN,
                                    listedTraits(status, policy).build())
                            : node(status, root + path, policy));
                }
            }
            startAfter = page.getLastName();
        } while (page.hasMore());
        SortedMap<String, TreeNode> names = new TreeMap<>();
        readInto(names, paths, reads);
        return names;
    }

    /** Makes one tree equal to another; returns the paths at which they differed. */
    public static Set<String> replace(SortedMap<String, TreeNode> tree, SortedMap<String, TreeNode> replacement) {
        Set<String> differ = new TreeSet<>();
        tree.forEach((path, node) -> {
            if (!node.equals(replacement.get(path))) {
                differ.add(path);
            }
        });
        replacement.keySet().stream().filter(path -> !tree.containsKey(path)).forEach(differ::add);
        tree.clear();
        tree.putAll(replacement);
        return differ;
    }

    /** Receives files, by paths that begin at the root. */
    public interface FileVisitor {
        void visitFile(HdfsLocatedFileStatus file, String relativePath);
    }

    /** All files below a directory, including those being written; none if the directory no longer exists. */
    public void visitFiles(String root, FileVisitor visitor) throws IOException {
        walkTree(root, "", 0, (directory, policy, page) -> {
            for (HdfsFileStatus status : page) {
                if (!status.isDirectory() && !status.isSymlink()) {
                    visitor.visitFile((HdfsLocatedFileStatus) status, directory + "/" + status.getLocalName());
                }
            }
        });
    }

    /** The files with certain ids, wherever they are now; null where one was deleted. */
    public List<HdfsLocatedFileStatus> files(Collection<Long> numbers) throws IOException {
        List<Callable<HdfsLocatedFileStatus>> calls = new ArrayList<>();
        numbers.forEach(number -> calls.add(() -> findFile(number)));
        return parallel.callAll(calls);
    }

    private HdfsLocatedFileStatus findFile(long number) throws IOException {
        try {
            // Does not count as an access, unlike the call that readers make.
            return nameNode.getLocatedFileInfo(inodePath(number), false);
        } catch (RemoteException e) {
            if (isDeletedInode(e)) {
                return null;
            }
            throw e;
        }
    }

    /**
     * The blockers in a tree, up to the number of each kind that must be known to copy the tree instead.
     *
     * @param limits where it is to be
     * @param ownLimits where it is: attributes, which cost a call each, are looked at only if these let more in
     */
    public List<MoveBlocker> blockersIn(
            String root, ExpectedReplicas expectedReplicas, TreeLimits limits, TreeLimits ownLimits)
            throws IOException {
        List<MoveBlocker> findings = new ArrayList<>();
        Map<String, Integer> alike = new HashMap<>();
        boolean looksAtAttributes = limits.refusesAttributesOf(ownLimits);
        walkTree(root, "", (directory, policy, page) -> {
            List<MoveBlocker> blockers = new ArrayList<>();
            for (HdfsFileStatus status : page) {
                String relativePath = directory + "/" + status.getLocalName();
                blockers.addAll(blockers(status, root + relativePath, expectedReplicas, limits));
                TreeLimits.findExceededDepth(relativePath, root + relativePath)
                        .map(MoveBlocker::of)
                        .ifPresent(blockers::add);
            }
            if (looksAtAttributes) {
                blockers.addAll(attributeBlockers(limits, root + directory, page));
            }
            for (MoveBlocker reason : blockers) {
                if (alike.merge(reason.commandKey(), 1, Integer::sum) <= MAX_FINDINGS) {
                    findings.add(reason);
                }
            }
        });
        return findings;
    }

    private List<MoveBlocker> attributeBlockers(TreeLimits limits, String directory, HdfsFileStatus[] page)
            throws IOException {
        List<Callable<Optional<String>>> calls = new ArrayList<>();
        for (HdfsFileStatus status : page) {
            String path = directory + "/" + status.getLocalName();
            calls.add(() -> limits.findExceededLimit(readAttributes(path), 0, path));
        }
        List<MoveBlocker> blockers = new ArrayList<>();
        for (Optional<String> reason : parallel.callAll(calls)) {
            reason.map(MoveBlocker::of).ifPresent(blockers::add);
        }
        return blockers;
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

    private List<MoveBlocker> blockers(
            HdfsFileStatus status, String path, ExpectedReplicas expectedReplicas, TreeLimits limits) {
        List<MoveBlocker> all = new ArrayList<>();
        MoveBlocker blocker = blockerOf(status, path);
        MoveBlocker reason = blocker == null ? storageTypeBlocker(status, path) : blocker;
        if (reason != null) {
            all.add(reason);
        } else if (!status.isDirectory() && !isBeingWritten(status)) {
            expectedReplicas
                    .findMissingReplica((HdfsLocatedFileStatus) status, path)
                    .map(MoveBlocker::unavailableReplicas)
                    .ifPresent(all::add);
        }
        if (reason == null) {
            limits.findExceededLimit(status, path).map(MoveBlocker::of).ifPresent(all::add);
        }
        return all;
    }

    /** The reason why a file or directory cannot be moved; null if it can. */
    private MoveBlocker blockerOf(HdfsFileStatus status, String path) {
        if (status.isSymlink()) {
            return MoveBlocker.unlinkable(path + " is a symbolic link");
        }
        if (status.isErasureCoded()) {
            return erasureCodingBlocker(status, path);
        }
        if (status.isEncrypted() || status.getFileEncryptionInfo() != null) {
            return MoveBlocker.inEncryptionZone(path + " is in an encryption zone");
        }
        if (status.getLocalName().equals(ASIDE)) {
            return MoveBlocker.of(path + " has the name of the directory that a move uses");
        }
        if (!status.isDirectory()) {
            for (LocatedBlock block :
                    ((HdfsLocatedFileStatus) status).getLocatedBlocks().getLocatedBlocks()) {
                boolean isWhole =
                        replicas == Replicas.IGNORED || (block.getLocations().length > 0 && !block.isCorrupt());
                if (!isWhole && !isBeingWritten(status)) {
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
     * The reason why a file's replicas cannot be linked; null if all are on disks, where that is possible. Asked only before a
     * move begins: what clients write into memory meanwhile is on disks before long, or is left to the next round.
     */
    private static MoveBlocker storageTypeBlocker(HdfsFileStatus status, String path) {
        if (status.isDirectory() || isBeingWritten(status)) {
            return null;
        }
        for (LocatedBlock block :
                ((HdfsLocatedFileStatus) status).getLocatedBlocks().getLocatedBlocks()) {
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

    private static MoveBlocker erasureCodingBlocker(HdfsFileStatus status, String path) {
        return MoveBlocker.erasureCoding(
                path + " is erasure-coded", status.getErasureCodingPolicy().getName());
    }

    static boolean isBeingWritten(HdfsFileStatus status) {
        return !status.isDirectory()
                && !status.isSymlink()
                && ((HdfsLocatedFileStatus) status).getLocatedBlocks().isUnderConstruction();
    }

    /** Receives the names of a directory, a page at a time. */
    private interface Visitor {
        void visitPage(String directory, int policy, HdfsFileStatus[] page) throws IOException;
    }

    private void walkTree(String root, String topPath, Visitor visitor) throws IOException {
        walkTree(root, topPath, policy(root + topPath), visitor);
    }

    private void walkTree(String root, String topPath, int policy, Visitor visitor) throws IOException {
        Deque<ListingPosition> places = new ArrayDeque<>();
        places.add(new ListingPosition(topPath, policy, HdfsFileStatus.EMPTY_NAME));
        while (!places.isEmpty()) {
            List<ListingPosition> some = new ArrayList<>();
            List<Callable<DirectoryListing>> listings = new ArrayList<>();
            while (!places.isEmpty() && some.size() < LISTINGS) {
                ListingPosition position = places.remove();
                some.add(position);
                listings.add(() -> list(root + position.directory, position.startAfter));
            }
            List<DirectoryListing> found = parallel.callAll(listings);
            for (int i = 0; i < some.size(); i++) {
                if (found.get(i) != null) {
                    visit(some.get(i), found.get(i), places, visitor);
                }
            }
        }
    }

    /** The id of the effective storage policy of a directory; 0 if there is none. */
    int policy(String directory) throws IOException {
        HdfsFileStatus status = nameNode.getFileInfo(directory);
        if (status == null) {
            throw new FileNotFoundException("There is no " + directory);
        }
        return status.getStoragePolicy();
    }

    /** The status of each path below a root; null for a path that does not exist. */
    List<HdfsFileStatus> statuses(String root, List<String> paths) throws IOException {
        List<Callable<HdfsFileStatus>> calls = new ArrayList<>();
        // Does not count as an access, unlike the call that readers make.
        paths.forEach(path -> calls.add(() -> nameNode.getLocatedFileInfo(root + path, false)));
        return parallel.callAll(calls);
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
        return parallel.callAll(reads);
    }

    private void visit(
            ListingPosition position, DirectoryListing listing, Deque<ListingPosition> places, Visitor visitor)
            throws IOException {
        HdfsFileStatus[] page = Arrays.stream(listing.getPartialListing())
                .filter(entry -> !leftOut.contains(position.directory + "/" + entry.getLocalName()))
                .toArray(HdfsFileStatus[]::new);
        if (listing.hasMore()) {
            places.add(new ListingPosition(position.directory, position.policy, listing.getLastName()));
        }
        for (HdfsFileStatus status : page) {
            if (status.isDirectory()) {
                places.add(new ListingPosition(
                        position.directory + "/" + status.getLocalName(),
                        status.getStoragePolicy(),
                        HdfsFileStatus.EMPTY_NAME));
            }
        }
        visitor.visitPage(position.directory, position.policy, page);
        long directories =
                Arrays.stream(page).filter(HdfsFileStatus::isDirectory).count();
        counts.add(Amount.builder()
                .files(page.length - directories)
                .directories(directories)
                .build());
    }

    /** The name after which a listing begins. */
    private static final class ListingPosition {
        final String directory;
        final int policy;
        final byte[] startAfter;

        ListingPosition(String directory, int policy, byte[] startAfter) {
            this.directory = directory;
            this.policy = policy;
            this.startAfter = startAfter;
        }
    }

    /** A page of a directory's listing; null if the directory has disappeared. */
    private DirectoryListing list(String directory, byte[] startAfter) throws IOException {
        try {
            return nameNode.getListing(directory, startAfter, true);
        } catch (RemoteException e) {
            if (isDeletedInode(e)) {
                return null;
            }
            throw e;
        }
    }

    /** The node of a file or directory; null if it has disappeared. */
    private TreeNode node(HdfsFileStatus status, String path, int policyAround) throws IOException {
        requireSupported(status, path);
        try {
            return node(status, traits(status, path, policyAround));
        } catch (RemoteException e) {
            if (e.unwrapRemoteException() instanceof FileNotFoundException) {
                return null;
            }
            throw e;
        }
    }

    private void requireSupported(HdfsFileStatus status, String path) throws TableRefusedException {
        MoveBlocker blocker = blockerOf(status, path);
        if (blocker != null) {
            throw new TableRefusedException(blocker.text());
        }
    }

    private static TreeNode node(HdfsFileStatus status, TreeNodeAttributes attributes) {
        return status.isDirectory()
                ? TreeNode.newDirectory(status.getFileId(), attributes)
                : TreeNode.newFile(
                        status.getFileId(),
                        contentText(((HdfsLocatedFileStatus) status).getLocatedBlocks()),
                        attributes);
    }

    private TreeNodeAttributes traits(HdfsFileStatus status, String path, int policyAround) throws IOException {
        TreeNodeAttributes.Builder traits = listedTraits(status, policyAround).attributes(attributes(path));
        if (status.hasAcl()) {
            traits.acl(acl(nameNode, path));
        }
        if (status.isDirectory()) {
            traits.quotas(quotas(status, path));
        }
        return traits.build();
    }

    /** The traits of a node whose ACL, attributes and quotas have not changed. */
    private static TreeNodeAttributes withKnownAttributes(
            HdfsFileStatus status, TreeNodeAttributes earlierAttributes, int policyAround) {
        return listedTraits(status, policyAround)
                .acl(earlierAttributes.acl())
                .attributes(earlierAttributes.attributes())
                .quotas(earlierAttributes.quotas())
                .build();
    }

    /** The traits that a listing contains. */
    private static TreeNodeAttributes.Builder listedTraits(HdfsFileStatus status, int policyAround) {
        int policy = status.getStoragePolicy();
        TreeNodeAttributes.Builder traits = TreeNodeAttributes.builder()
                .owner(status.getOwner())
                .group(status.getGroup())
                .permission(status.getPermission().toShort())
                .modificationTime(status.getModificationTime())
                .policy(policy == policyAround ? 0 : policy);
        return status.isDirectory()
                ? traits
                : traits.length(status.getLen())
                        .replication(status.getReplication())
                        .blockSize(status.getBlockSize());
    }

    /** The ACL entries beyond the permission, as HDFS writes them. */
    public static List<String> acl(ClientProtocol nameNode, String path) throws IOException {
        List<String> entries = new ArrayList<>();
        for (AclEntry entry : nameNode.getAclStatus(path).getEntries()) {
            entries.add(entry.toString());
        }
        return entries;
    }

    public SortedMap<String, String> attributes(String path) throws IOException {
        SortedMap<String, String> attributes = new TreeMap<>();
        for (XAttr attr : nameNode.getXAttrs(path, null)) {
            String name = XAttrHelper.getPrefixedName(attr);
            if (!name.startsWith(OURS)) {
                byte[] value = attr.getValue() == null ? new byte[0] : attr.getValue();
                attributes.put(name, StringUtils.byteToHexString(value));
            }
        }
        return attributes;
    }

    public SortedMap<String, Long> quotas(String directory) throws IOException {
        return quotas(directory, directory);
    }

    /**
     * The quotas of a directory, which is found by its id even if it has been renamed. Asked in this way,
     * NameNodes with {@code trefoil.federation.gate} do not count what is in it.
     *
     * @param path of the directory, perhaps in a snapshot, which has no quotas
     */
    public SortedMap<String, Long> quotas(HdfsFileStatus directory, String path) throws IOException {
        try {
            return quotas(inodePath(directory.getFileId()), path);
        } catch (RemoteException e) {
            if (isInSnapshot(path) && isDeletedInode(e)) {
                return Collections.emptySortedMap();
            }
            throw e;
        }
    }

    /** The directories with {@link #ANY_ROOM} that were found since the last call, by the paths under which they were read. */
    public Set<String> drainDirectoriesWithMarkerQuota() {
        Set<String> taken = new TreeSet<>(withAnyRoom);
        withAnyRoom.removeAll(taken);
        return taken;
    }

    /** Examines the quotas of all directories below a directory, for {@link #drainDirectoriesWithMarkerQuota}. */
    public void readQuotas(String root) throws IOException {
        walkTree(root, "", 0, (directory, policy, page) -> {
            List<Callable<Void>> calls = new ArrayList<>();
            for (HdfsFileStatus status : page) {
                if (status.isDirectory()) {
                    String path = root + directory + "/" + status.getLocalName();
                    calls.add(() -> {
                        readQuotasOf(status, path);
                        return null;
                    });
                }
            }
            parallel.callAll(calls);
        });
    }

    private void readQuotasOf(HdfsFileStatus directory, String path) throws IOException {
        try {
            quotas(directory, path);
        } catch (RemoteException e) {
            if (!isDeletedInode(e)) {
                throw e;
            }
        }
    }

    /** A path by which HDFS finds a file or directory wherever it has been renamed to. */
    public static String inodePath(long id) {
        return "/.reserved/.inodes/" + id;
    }

    private static boolean isInSnapshot(String path) {
        return path.contains("/" + HdfsConstants.DOT_SNAPSHOT_DIR + "/");
    }

    /**
     * Whether the failure of a call by inode id shows that the file or directory was deleted. If a snapshot still has it, HDFS knows the
     * number, and fails to put a path together.
     */
    public static boolean isDeletedInode(RemoteException e) {
        return e.getClassName().equals(IllegalArgumentException.class.getName())
                || e.unwrapRemoteException() instanceof FileNotFoundException;
    }

    private SortedMap<String, Long> quotas(String queriedDirectory, String directory) throws IOException {
        QuotaUsage usage =
                CallerContexts.callWithContext(SubtreeCaller.QUOTAS, () -> nameNode.getQuotaUsage(queriedDirectory));
        if (usage.isTypeQuotaSet()) {
            throw new TableRefusedException(directory + " has a quota for a type of storage");
        }
        SortedMap<String, Long> quotas = new TreeMap<>();
        if (usage.getQuota() == ANY_ROOM) {
            if (!isInSnapshot(directory)) {
                withAnyRoom.add(directory);
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
    public static String contentText(LocatedBlocks blocks) {
        List<LocatedBlock> all = blocks.getLocatedBlocks();
        String last = all.isEmpty()
                ? ""
                : all.get(all.size() - 1).getBlock().getLocalBlock().toString();
        return blocks.getFileLength() + " " + all.size() + " " + last;
    }
}
