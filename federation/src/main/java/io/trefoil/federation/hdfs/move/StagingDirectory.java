/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.directory.AncestorDirectories;
import io.trefoil.federation.hdfs.directory.HdfsAccess;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.TreeNodeAttributes;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.util.StringUtils;

/**
 * The directory at the target while it belongs to a move: closed to all but superusers, with a mark that names the move, and addressed by
 * its inode id, which no other directory ever has. Thread-safe.
 *
 * <p>Uses {@code XAttrHelper}.
 */
final class StagingDirectory {

    private static final String MARK = "trusted.trefoil.moving";

    private final SubtreePath path;
    private final DistributedFileSystem target;
    private final MoveLock lock;
    /** The NameNode for calls by the id of the directory: without the lock, they find nothing. */
    private final ClientProtocol nameNode;
    /** The NameNode for calls by paths: without the lock, they would change clients' files and directories. */
    private final ClientProtocol paths;

    private final HdfsDirectory directory;
    private final HdfsTree tree;
    private final HdfsAccess access;
    private final String user;
    private final DirectorySeal seal;
    /** Names of storage policies by their ids: read once, as NameNodes send all of them, and do not change them until they restart. */
    private final Map<Integer, String> policies = new ConcurrentHashMap<>();

    /** The directory's inode id; empty until it is known. */
    private volatile Optional<String> place = Optional.empty();

    /**
     * @param tree of the target
     * @param user the owner of what is closed
     * @param seal the name of the snapshot that seals a directory
     */
    StagingDirectory(SubtreePath path, MoveConnections connections, HdfsTree tree, String user, String seal) {
        this.path = path;
        this.target = connections.target();
        this.lock = connections.lock();
        this.nameNode = connections.targetNameNode(lock::requireHeld);
        this.paths = connections.targetNameNode(lock::requireHeldNow);
        this.directory = new HdfsDirectory(target, path.text(), lock);
        this.tree = tree;
        this.access = new HdfsAccess(target.getUri(), nameNode);
        this.user = user;
        this.seal = new DirectorySeal(target, path.text(), seal, lock::requireHeldNow);
    }

    /** Whether the directory exists, and this move has marked it. */
    boolean isFor(MoveRecord record) throws IOException {
        if (!directory.exists()) {
            return false;
        }
        byte[] mark = target.getXAttrs(new Path(path.text())).get(MARK);
        return mark != null && record.id().equals(new String(mark, StandardCharsets.UTF_8));
    }

    /** Closes the existing directory, and marks it. */
    void claim(MoveRecord record) throws IOException {
        restrictAccess();
        setAttribute(paths, inodePath(), MARK, record.id().getBytes(StandardCharsets.UTF_8));
    }

    /** Closes the directory again, and allows the move to create files in it. */
    void close() throws IOException {
        restrictAccess();
        // With a quota from the beginning HDFS counts what is made. Without one it would count all at once when the
        // pause
        // is prepared.
        directory.setQuotas(HdfsDirectory.ANY_ROOM, HdfsConstants.QUOTA_RESET);
    }

    private void restrictAccess() throws IOException {
        directory.setOwner(user, null);
        directory.setPermission(HdfsDirectory.CLOSED);
        if (!directory.isClosed()) {
            lock.requireHeldNow();
            throw new TableRefusedException(target.getUri() + path.text()
                    + " has other permissions than were just set, as its NameNodes' authorizer presents them: name "
                    + user
                    + " in dfs.namenode.inode.attributes.provider.bypass.users at all NameNodes, so that the move sees what"
                    + " is stored");
        }
    }

    /**
     * Replaces the closed, empty directory with a new one, whose inode id all calls of the move use. So a call of a
     * process that had the lock before, or of an earlier move, finds none of its number from now on, however late it
     * arrives.
     */
    void renew() throws IOException {
        deleteDraft();
        paths.mkdirs(draftPath(), HdfsDirectory.CLOSED, false);
        for (Map.Entry<String, byte[]> one :
                target.getXAttrs(new Path(path.text())).entrySet()) {
            // What clients are told is in the record: here it may have come late, from a time before the move.
            if (!one.getKey().equals(MovedMark.NAME)) {
                setAttribute(paths, draftPath(), one.getKey(), one.getValue());
            }
        }
        if (!seal.isMark()) {
            // HDFS replaces no directory with snapshots. Both are closed to all but superusers, and marked.
            seal.remove();
        }
        // A process that has the lock later deletes the draft first, so this call finds none then.
        paths.rename2(draftPath(), path.text(), Options.Rename.OVERWRITE);
        seal.set();
        place = Optional.of(lockedInodePath());
    }

    /** Removes the leftovers of a process that exited while it renewed the directory. */
    void deleteDraft() throws IOException {
        paths.delete(draftPath(), false);
    }

    private String draftPath() {
        return AncestorDirectories.draft(path.text());
    }

    /** The inode id of the directory or file that is now at the path. */
    String inodePath() throws IOException {
        HdfsFileStatus now = nameNode.getFileInfo(path.text());
        if (now == null) {
            throw new FileNotFoundException("There is no " + target.getUri() + path);
        }
        return HdfsTree.inodePath(now.getFileId());
    }

    /** The directory that existed when this process took the lock. */
    private String lockedInodePath() throws IOException {
        String number = inodePath();
        lock.requireHeldNow();
        return number;
    }

    /**
     * The path of the directory, or of something in it, for calls that change something; but not for quotas, for which HDFS does not accept
     * inode ids.
     */
    String mutationPath(String relativePath) throws IOException {
        if (!place.isPresent()) {
            place = Optional.of(lockedInodePath());
        }
        return place.get() + relativePath;
    }

    /** The owner and group of the directory while it is closed, with the traits that it gets before it is opened. */
    TreeNodeAttributes.Builder closedTraits() throws IOException {
        return TreeNodeAttributes.builder()
                .owner(user)
                .group(directory.status().getGroup())
                .modificationTime(0);
    }

    /** Gives the directory the attributes of these traits, and a storage policy. */
    void setAttributes(TreeNodeAttributes attributes, int policy) throws IOException {
        setAttributes(mutationPath(""), attributes);
        setPolicy(policy);
    }

    /** Gives the directory the owner, group, permission and ACL of these traits. */
    void setAccess(TreeNodeAttributes attributes) throws IOException {
        access.setAccess(mutationPath(""), nameNode.getFileInfo(path.text()), attributes);
    }

    /**
     * Removes the mark: the directory no longer belongs to a move.
     *
     * @param client the target's NameNode, which asks for a permit
     */
    void removeMark(ClientProtocol client) throws IOException {
        client.removeXAttr(mutationPath(""), XAttrHelper.buildXAttr(MARK));
    }

    /** Gives the directory, or something in it, exactly the attributes of these traits. */
    void setAttributes(String file, TreeNodeAttributes attributes) throws IOException {
        SortedMap<String, String> now = tree.attributes(file);
        for (String name : now.keySet()) {
            if (!attributes.attributes().containsKey(name)) {
                nameNode.removeXAttr(file, XAttrHelper.buildXAttr(name));
            }
        }
        for (Map.Entry<String, String> entry : attributes.attributes().entrySet()) {
            if (!entry.getValue().equals(now.get(entry.getKey()))) {
                setAttribute(nameNode, file, entry.getKey(), StringUtils.hexStringToByte(entry.getValue()));
            }
        }
    }

    private static void setAttribute(ClientProtocol nameNode, String file, String name, byte[] value)
            throws IOException {
        // HDFS takes this one without a value only.
        boolean hasNoValue = name.equals(HdfsServerConstants.SECURITY_XATTR_UNREADABLE_BY_SUPERUSER);
        nameNode.setXAttr(
                file,
                hasNoValue ? XAttrHelper.buildXAttr(name) : XAttrHelper.buildXAttr(name, value),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }

    /**
     * Sets the storage policy, unless the directory already has it: with {@code dfs.storage.policy.enabled=false}
     * NameNodes refuse the call.
     */
    void setPolicy(int policyId) throws IOException {
        if (policy(path) == policyId) {
            return;
        }
        if (policyId == 0) {
            nameNode.unsetStoragePolicy(mutationPath(""));
        } else {
            nameNode.setStoragePolicy(mutationPath(""), policyName(policyId));
        }
    }

    /** The id of the effective storage policy of a directory; 0 if there is none. */
    int policy(SubtreePath one) throws IOException {
        return nameNode.getFileInfo(one.text()).getStoragePolicy();
    }

    /** @throws TableRefusedException if the target has none with this id */
    String policyName(int id) throws IOException {
        if (policies.isEmpty()) {
            for (BlockStoragePolicy policy : nameNode.getStoragePolicies()) {
                policies.put((int) policy.getId(), policy.getName());
            }
        }
        String name = policies.get(id);
        if (name == null) {
            throw new TableRefusedException(target.getUri() + " has no storage policy with the id " + id);
        }
        return name;
    }
}
