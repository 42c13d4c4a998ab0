/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.folder.AncestorDirectories;
import io.trefoil.federation.hdfs.folder.HdfsAccess;
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
 * The folder at the target as long as it is a move's: closed to all but superusers, with a mark that names the move, and reached by its
 * number, which no other folder ever has. Thread-safe.
 *
 * <p>Uses {@code XAttrHelper}.
 */
final class StagingDirectory {

    private static final String MARK = "trusted.trefoil.moving";

    private final SubtreePath path;
    private final DistributedFileSystem target;
    private final MoveLock lock;
    /** The NameNode for calls by the number of the folder: without the lock they find nothing. */
    private final ClientProtocol nameNode;
    /** The NameNode for calls by paths: without the lock they would change what clients have made. */
    private final ClientProtocol paths;

    private final HdfsDirectory folder;
    private final HdfsTree tree;
    private final HdfsAccess access;
    private final String user;
    private final DirectorySeal seal;
    /** Names of storage policies by their ids: asked for once, as NameNodes send all of them, and have the same until they restart. */
    private final Map<Integer, String> policies = new ConcurrentHashMap<>();

    /** The folder by its number; empty until it is known. */
    private volatile Optional<String> place = Optional.empty();

    /**
     * @param tree of the target
     * @param user the owner of what is closed
     * @param seal the name of the snapshot that seals a folder
     */
    StagingDirectory(SubtreePath path, MoveConnections ends, HdfsTree tree, String user, String seal) {
        this.path = path;
        this.target = ends.target();
        this.lock = ends.lock();
        this.nameNode = ends.targetNode(lock::require);
        this.paths = ends.targetNode(lock::requireNow);
        this.folder = new HdfsDirectory(target, path.text(), lock);
        this.tree = tree;
        this.access = new HdfsAccess(target.getUri(), nameNode);
        this.user = user;
        this.seal = new DirectorySeal(target, path.text(), seal, lock::requireNow);
    }

    /** Whether the folder exists, and this move has marked it. */
    boolean isFor(MoveRecord record) throws IOException {
        if (!folder.exists()) {
            return false;
        }
        byte[] mark = target.getXAttrs(new Path(path.text())).get(MARK);
        return mark != null && record.id().equals(new String(mark, StandardCharsets.UTF_8));
    }

    /** Closes what is there, and marks it. */
    void take(MoveRecord record) throws IOException {
        restrictAccess();
        setAttribute(paths, number(), MARK, record.id().getBytes(StandardCharsets.UTF_8));
    }

    /** Closes the folder once more, and lets the move make things in it. */
    void close() throws IOException {
        restrictAccess();
        // With a quota from the beginning HDFS counts what is made. Without one it would count all at once when the
        // pause
        // is prepared.
        folder.setQuotas(HdfsDirectory.ANY_ROOM, HdfsConstants.QUOTA_RESET);
    }

    private void restrictAccess() throws IOException {
        folder.setOwner(user, null);
        folder.setPermission(HdfsDirectory.CLOSED);
        if (!folder.isClosed()) {
            lock.requireNow();
            throw new TableRefusedException(target.getUri() + path.text()
                    + " has other permissions than were just set, as its NameNodes' authorizer presents them: name "
                    + user
                    + " in dfs.namenode.inode.attributes.provider.bypass.users at all NameNodes, so that the move sees what"
                    + " is stored");
        }
    }

    /**
     * Puts a new folder in the place of the closed, empty one, whose number all calls of the move go by. So a call of a
     * process that had the lock before, or of an earlier move, finds none of its number from now on, however late it
     * arrives.
     */
    void renew() throws IOException {
        deleteDraft();
        paths.mkdirs(draft(), HdfsDirectory.CLOSED, false);
        for (Map.Entry<String, byte[]> one :
                target.getXAttrs(new Path(path.text())).entrySet()) {
            // What clients are told is in the record: here it may have come late, from a time before the move.
            if (!one.getKey().equals(MovedMark.NAME)) {
                setAttribute(paths, draft(), one.getKey(), one.getValue());
            }
        }
        if (!seal.isMark()) {
            // HDFS replaces no folder with snapshots. Both are closed to all but superusers, and marked.
            seal.remove();
        }
        // Whoever has the lock later deletes the draft first, so this finds none.
        paths.rename2(draft(), path.text(), Options.Rename.OVERWRITE);
        seal.set();
        place = Optional.of(numberWithLock());
    }

    /** Removes what a process left that ended while it renewed the folder. */
    void deleteDraft() throws IOException {
        paths.delete(draft(), false);
    }

    private String draft() {
        return AncestorDirectories.draft(path.text());
    }

    /** The folder or file at the path now, by its number. */
    String number() throws IOException {
        HdfsFileStatus now = nameNode.getFileInfo(path.text());
        if (now == null) {
            throw new FileNotFoundException("There is no " + target.getUri() + path);
        }
        return HdfsTree.byNumber(now.getFileId());
    }

    /** The folder that was there when this process had the lock. */
    private String numberWithLock() throws IOException {
        String number = number();
        lock.requireNow();
        return number;
    }

    /**
     * The path of the folder, or of something in it, for calls that change something; but not for quotas, for which
     * HDFS takes no numbers.
     */
    String mutationPath(String inside) throws IOException {
        if (!place.isPresent()) {
            place = Optional.of(numberWithLock());
        }
        return place.get() + inside;
    }

    /** The owner and group that it has while it is closed, for traits that it gets before it is open. */
    TreeNodeAttributes.Builder closedTraits() throws IOException {
        return TreeNodeAttributes.builder()
                .owner(user)
                .group(folder.status().getGroup())
                .modified(0);
    }

    /** Gives the folder the attributes of these traits, and a storage policy. */
    void setAttributes(TreeNodeAttributes wanted, int policy) throws IOException {
        setAttributes(mutationPath(""), wanted);
        setPolicy(policy);
    }

    /** Gives the folder the owner, group, permission and ACL of these traits. */
    void setAccess(TreeNodeAttributes wanted) throws IOException {
        access.set(mutationPath(""), nameNode.getFileInfo(path.text()), wanted);
    }

    /**
     * Takes the mark away: the folder is no move's any more.
     *
     * @param by the target's NameNode, which asks for a permit
     */
    void removeMark(ClientProtocol by) throws IOException {
        by.removeXAttr(mutationPath(""), XAttrHelper.buildXAttr(MARK));
    }

    /** Gives what is in it, or that itself, the attributes of these traits, and no others. */
    void setAttributes(String file, TreeNodeAttributes wanted) throws IOException {
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
     * Sets the storage policy, unless the folder has it already: with {@code dfs.storage.policy.enabled=false}
     * NameNodes refuse the call.
     */
    void setPolicy(int wanted) throws IOException {
        if (policy(path) == wanted) {
            return;
        }
        if (wanted == 0) {
            nameNode.unsetStoragePolicy(mutationPath(""));
        } else {
            nameNode.setStoragePolicy(mutationPath(""), policyName(wanted));
        }
    }

    /** The id of the storage policy in force in a folder; 0 if there is none. */
    int policy(SubtreePath one) throws IOException {
        return nameNode.getFileInfo(one.text()).getStoragePolicy();
    }

    /** @throws TableRefusedException if the target has none with this id */
    String policyName(int id) throws IOException {
        if (policies.isEmpty()) {
            for (BlockStoragePolicy one : nameNode.getStoragePolicies()) {
                policies.put((int) one.getId(), one.getName());
            }
        }
        String name = policies.get(id);
        if (name == null) {
            throw new TableRefusedException(target.getUri() + " has no storage policy with the id " + id);
        }
        return name;
    }
}
