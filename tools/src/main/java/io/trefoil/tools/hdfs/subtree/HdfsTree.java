/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.subtree;

import io.trefoil.tools.subtree.model.Traits;
import io.trefoil.tools.subtree.model.TreeNode;
import io.trefoil.tools.table.model.TableRefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
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
final class HdfsTree {

    /** The folder for what is on its way from one name to another; never a part of a tree. */
    static final String ASIDE = ".trefoil-moving";

    static final String NAMES = "names";
    static final String BYTES = "bytes";

    /** Our marks on the folders of subtrees, which stay where they are. */
    private static final String OURS = "trusted.trefoil.";

    private static final int MOST_FINDINGS = 10;

    /** Pages asked for at a time, of a thousand names each with the default of HDFS. */
    private static final int LISTINGS = 64;

    private final ClientProtocol nameNode;
    private final InParallel parallel;

    HdfsTree(DistributedFileSystem fileSystem, InParallel parallel) {
        this.nameNode = fileSystem.getClient().getNamenode();
        this.parallel = parallel;
    }

    /**
     * The nodes below a folder, but for files being written. What disappears meanwhile is missing.
     *
     * @param root where to look, perhaps in a snapshot
     * @param now where the same tree is now, for what HDFS cannot say of a snapshot
     * @param known nodes whose ACL, attributes and quotas have not changed since they were read: each would cost a call or more
     */
    SortedMap<String, TreeNode> read(String root, String now, SortedMap<String, TreeNode> known) throws IOException {
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        walk(root, (folder, policy, page) -> {
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
                    tree.put(path, node(one, again(one, before.traits(), policy)));
                } else {
                    paths.add(path);
                    reads.add(() -> node(one, root + path, now + path, policy));
                }
            }
            List<TreeNode> nodes = parallel.all(reads);
            for (int i = 0; i < nodes.size(); i++) {
                if (nodes.get(i) != null) {
                    tree.put(paths.get(i), nodes.get(i));
                }
            }
        });
        return tree;
    }

    /** What cannot be moved, a sentence each, up to a number. */
    List<String> unfit(String root) throws IOException {
        List<String> findings = new ArrayList<>();
        walk(root, (folder, policy, page) -> {
            for (HdfsFileStatus one : page) {
                String why = unfit(one);
                if (why != null && findings.size() < MOST_FINDINGS) {
                    findings.add(root + folder + "/" + one.getLocalName() + " " + why);
                }
            }
        });
        return findings;
    }

    private static String unfit(HdfsFileStatus one) {
        if (one.isSymlink()) {
            return "is a symbolic link";
        }
        if (one.isErasureCoded()) {
            return "is erasure-coded";
        }
        if (one.isEncrypted() || one.getFileEncryptionInfo() != null) {
            return "is in an encryption zone";
        }
        if (one.getLocalName().equals(ASIDE)) {
            return "has the name of the folder that a move uses";
        }
        if (!one.isDirectory()) {
            for (LocatedBlock block :
                    ((HdfsLocatedFileStatus) one).getLocatedBlocks().getLocatedBlocks()) {
                boolean isWhole = block.getLocations().length > 0 && !block.isCorrupt();
                if (!isWhole && !isBeingWritten(one)) {
                    return "has a block without a sound replica: " + block.getBlock();
                }
                if (block.getBlock().getBlockId() < 0) {
                    return "has a block with an id of before HDFS 2.3";
                }
            }
        }
        return null;
    }

    private static boolean isBeingWritten(HdfsFileStatus one) {
        return !one.isDirectory()
                && !one.isSymlink()
                && ((HdfsLocatedFileStatus) one).getLocatedBlocks().isUnderConstruction();
    }

    /** Receives the names of a folder, some at a time. */
    private interface Visitor {
        void page(String folder, int policy, HdfsFileStatus[] page) throws IOException;
    }

    private void walk(String root, Visitor visitor) throws IOException {
        HdfsFileStatus top = nameNode.getFileInfo(root);
        if (top == null) {
            throw new FileNotFoundException("There is no " + root);
        }
        Deque<Place> places = new ArrayDeque<>();
        places.add(new Place("", top.getStoragePolicy(), HdfsFileStatus.EMPTY_NAME));
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

    private static void visit(Place place, DirectoryListing listing, Deque<Place> places, Visitor visitor)
            throws IOException {
        HdfsFileStatus[] page = Arrays.stream(listing.getPartialListing())
                .filter(one -> !(place.folder.isEmpty() && one.getLocalName().equals(ASIDE)))
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
    }

    /** Where a listing begins. */
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

    /** Empty if the folder has disappeared. */
    private DirectoryListing list(String folder, byte[] after) throws IOException {
        try {
            return nameNode.getListing(folder, after, true);
        } catch (RemoteException e) {
            if (e.unwrapRemoteException() instanceof FileNotFoundException) {
                return null;
            }
            throw e;
        }
    }

    /** Null if it has disappeared. */
    private TreeNode node(HdfsFileStatus status, String path, String now, int policyAround) throws IOException {
        requireFit(status, path);
        try {
            return node(status, traits(status, path, now, policyAround));
        } catch (RemoteException e) {
            if (e.unwrapRemoteException() instanceof FileNotFoundException) {
                return null;
            }
            throw e;
        }
    }

    private static void requireFit(HdfsFileStatus status, String path) throws TableRefusedException {
        String unfit = unfit(status);
        if (unfit != null) {
            throw new TableRefusedException(path + " " + unfit);
        }
    }

    private static TreeNode node(HdfsFileStatus status, Traits traits) {
        return status.isDirectory()
                ? TreeNode.folder(status.getFileId(), traits)
                : TreeNode.file(
                        status.getFileId(), content(((HdfsLocatedFileStatus) status).getLocatedBlocks()), traits);
    }

    private Traits traits(HdfsFileStatus status, String path, String now, int policyAround) throws IOException {
        Traits.Builder traits = listed(status, policyAround).attributes(attributes(path));
        if (status.hasAcl()) {
            traits.acl(acl(path));
        }
        if (status.isDirectory()) {
            traits.quotas(quotas(now));
        }
        return traits.build();
    }

    /** The traits of a node that still has the ACL, attributes and quotas of before. */
    private static Traits again(HdfsFileStatus status, Traits before, int policyAround) {
        return listed(status, policyAround)
                .acl(before.acl())
                .attributes(before.attributes())
                .quotas(before.quotas())
                .build();
    }

    /** What a listing says. */
    private static Traits.Builder listed(HdfsFileStatus status, int policyAround) {
        int policy = status.getStoragePolicy();
        Traits.Builder traits = Traits.builder()
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

    List<String> acl(String path) throws IOException {
        List<String> entries = new ArrayList<>();
        for (AclEntry one : nameNode.getAclStatus(path).getEntries()) {
            entries.add(one.toString());
        }
        return entries;
    }

    SortedMap<String, String> attributes(String path) throws IOException {
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

    SortedMap<String, Long> quotas(String folder) throws IOException {
        QuotaUsage usage = nameNode.getQuotaUsage(folder);
        if (usage.isTypeQuotaSet()) {
            throw new TableRefusedException(folder + " has a quota for a type of storage");
        }
        SortedMap<String, Long> quotas = new TreeMap<>();
        if (usage.getQuota() > 0) {
            quotas.put(NAMES, usage.getQuota());
        }
        if (usage.getSpaceQuota() > 0) {
            quotas.put(BYTES, usage.getSpaceQuota());
        }
        return quotas;
    }

    /** Differs whenever the bytes of a closed file may: appends, truncations and concatenations change one of these. */
    static String content(LocatedBlocks blocks) {
        List<LocatedBlock> all = blocks.getLocatedBlocks();
        String last = all.isEmpty()
                ? ""
                : all.get(all.size() - 1).getBlock().getLocalBlock().toString();
        return blocks.getFileLength() + " " + all.size() + " " + last;
    }
}
