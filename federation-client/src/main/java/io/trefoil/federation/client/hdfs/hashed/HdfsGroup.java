/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.hashed;

import io.trefoil.federation.client.hashed.Access;
import io.trefoil.federation.client.hashed.Group;
import io.trefoil.federation.client.hashed.HashedLayout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.XAttrCodec;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** A nameservice, called through HDFS's own client, with its failovers, and its retries that the NameNode recognizes. Thread-safe. */
final class HdfsGroup implements Group<HdfsEntry> {
    /** The permission bits with which all users who can reach a directory may read it. */
    private static final int READABLE = 0555;

    /** A client that has been paused for this long does nothing more. */
    private static final long ABANDONED_AFTER_MILLIS = 3_600_000;

    static final String USER_XATTR_PREFIX = "user.";

    /** The setting of extended attributes, which is named only in the exception for when they are disabled. */
    private static final String HAS_ATTRIBUTES = "dfs.namenode.xattrs.enabled";

    /** The end of the message with which HDFS refuses a path below a file. */
    private static final String NOT_DIRECTORY_SUFFIX = " (is not a directory)";

    private final DistributedFileSystem fileSystem;

    HdfsGroup(DistributedFileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    DistributedFileSystem fileSystem() {
        return fileSystem;
    }

    private DFSClient client() {
        return fileSystem.getClient();
    }

    @Override
    public Optional<HdfsEntry> stat(String path) throws IOException {
        try {
            return Optional.ofNullable(client().getFileInfo(path))
                    .filter(found -> !isOtherInode(path, found))
                    .map(HdfsEntry::new);
        } catch (IOException e) {
            throwUnlessMissing(e);
            return Optional.empty();
        }
    }

    /**
     * Whether an answer is for another inode: one that was removed but is in a snapshot still has its id, which resolves to its former
     * place.
     */
    private static boolean isOtherInode(String path, HdfsFileStatus status) {
        return HashedLayout.isInodePath(path) && !path.equals(HashedLayout.inodePath(status.getFileId()));
    }

    @Override
    public Optional<List<HdfsEntry>> list(String path) throws IOException {
        List<HdfsEntry> all = new ArrayList<>();
        byte[] startAfter = HdfsFileStatus.EMPTY_NAME;
        try {
            while (true) {
                DirectoryListing some = client().listPaths(path, startAfter, false);
                if (some == null) {
                    return Optional.empty();
                }
                for (HdfsFileStatus status : some.getPartialListing()) {
                    all.add(new HdfsEntry(status));
                }
                if (!some.hasMore()) {
                    return Optional.of(all);
                }
                startAfter = some.getLastName();
            }
        } catch (IOException e) {
            throwUnlessMissing(e);
            return Optional.empty();
        }
    }

    /**
     * The entries of a directory after a name, with the blocks of files, as many as HDFS returns at once; empty if the directory does not
     * exist.
     */
    Optional<DirectoryListing> listLocatedPage(String path, byte[] startAfter) throws IOException {
        try {
            return Optional.ofNullable(client().listPaths(path, startAfter, true));
        } catch (IOException e) {
            throwUnlessMissing(e);
            return Optional.empty();
        }
    }

    @Override
    public boolean mkdir(String path, int mode) throws IOException {
        try {
            return client().primitiveMkdir(path, new FsPermission((short) mode), false);
        } catch (IOException e) {
            throwUnlessMissing(e);
            return false;
        }
    }

    @Override
    public boolean mkdirLike(String path, Access otherAccess) throws IOException {
        if (!mkdir(path, otherAccess.mode())) {
            return false;
        }
        // It has inherited the default ACL of the one around it.
        Optional<Access> made = access(path);
        if (!made.isPresent()) {
            return false;
        }
        setAccess(path, made.get(), otherAccess);
        return true;
    }

    @Override
    public Optional<Access> access(String path) throws IOException {
        Optional<HdfsEntry> entry = stat(path);
        if (!entry.isPresent()) {
            return Optional.empty();
        }
        HdfsFileStatus status = entry.get().status();
        List<String> acl = new ArrayList<>();
        if (status.hasAcl()) {
            try {
                fileSystem.getAclStatus(new Path(path)).getEntries().forEach(aclEntry -> acl.add(aclEntry.toString()));
            } catch (IOException e) {
                throwUnlessMissing(e);
                return Optional.empty();
            }
        }
        return Optional.of(Access.of(
                status.getOwner(), status.getGroup(), status.getPermission().toShort(), acl));
    }

    @Override
    public void setAccess(String path, Access from, Access to) throws IOException {
        Path at = new Path(path);
        FsPermission permission = permission(to.mode());
        try {
            int mode = setOwner(at, from, to);
            if (!from.acl().equals(to.acl())) {
                if (!from.acl().isEmpty()) {
                    // An ACL without default entries leaves those that are there.
                    fileSystem.removeDefaultAcl(at);
                }
                List<AclEntry> entries = new ArrayList<>();
                to.acl().forEach(aclEntry -> entries.add(AclEntry.parseAclEntry(aclEntry, true)));
                fileSystem.setAcl(at, AclUtil.getAclFromPermAndEntries(permission, entries));
            }
            if (mode != to.mode()) {
                // Also after an ACL, which has no sticky bit.
                fileSystem.setPermission(at, permission);
            }
        } catch (IOException e) {
            throwUnlessMissing(e);
        }
    }

    /** @return the mode that it has now: a new owner, or group, must not have what only the one before was to have */
    private int setOwner(Path path, Access from, Access to) throws IOException {
        String owner = from.owner().equals(to.owner()) ? null : to.owner();
        String group = from.group().equals(to.group()) ? null : to.group();
        if (owner == null && group == null) {
            return from.mode();
        }
        int common = from.mode() & to.mode();
        if (common != from.mode()) {
            fileSystem.setPermission(path, permission(common));
        }
        fileSystem.setOwner(path, owner, group);
        return common;
    }

    private static FsPermission permission(int mode) {
        return new FsPermission((short) mode);
    }

    @Override
    public Optional<Map<String, String>> attributes(String path) throws IOException {
        Map<String, String> attributes = new TreeMap<>();
        try {
            for (Map.Entry<String, byte[]> one :
                    fileSystem.getXAttrs(new Path(path)).entrySet()) {
                if (one.getKey().startsWith(USER_XATTR_PREFIX)) {
                    byte[] value = one.getValue() == null ? new byte[0] : one.getValue();
                    attributes.put(one.getKey(), XAttrCodec.encodeValue(value, XAttrCodec.HEX));
                }
            }
            return Optional.of(attributes);
        } catch (IOException e) {
            if (isXAttrsDisabled(e)) {
                return Optional.of(attributes);
            }
            throwUnlessMissing(e);
            return Optional.empty();
        }
    }

    /** Whether an exception is that of a nameservice without extended attributes. */
    private static boolean isXAttrsDisabled(IOException e) {
        return e.getMessage() != null && e.getMessage().contains(HAS_ATTRIBUTES);
    }

    @Override
    public void setAttributes(String path, Map<String, String> attributes) throws IOException {
        try {
            for (Map.Entry<String, String> entry : attributes.entrySet()) {
                fileSystem.setXAttr(
                        new Path(path),
                        entry.getKey(),
                        XAttrCodec.decodeValue(entry.getValue()),
                        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
            }
        } catch (IOException e) {
            throwUnlessMissing(e);
        }
    }

    @Override
    public boolean isAbandoned(HdfsEntry entry) {
        return System.currentTimeMillis() - entry.status().getModificationTime() > ABANDONED_AFTER_MILLIS;
    }

    @Override
    public boolean mkdirWithAccessFor(String path, HdfsEntry child) throws IOException {
        if (!mkdir(path, child.status().getPermission().toShort() | READABLE)) {
            return false;
        }
        try {
            client().setOwner(path, child.status().getOwner(), null);
            return true;
        } catch (AccessControlException e) {
            // Only superusers give away what is theirs. Others may do something here by the same bits as the caller.
            return true;
        }
    }

    @Override
    public void mkdirs(String path, int mode) throws IOException {
        client().primitiveMkdir(path, new FsPermission((short) mode), true);
    }

    @Override
    public boolean rename(String from, String to) throws IOException {
        try {
            client().rename(from, to, Options.Rename.NONE);
            return true;
        } catch (IOException e) {
            if (!isTaken(e)) {
                throwUnlessMissing(e);
            }
            return false;
        }
    }

    /**
     * Renames by paths, as one of two clients that rename the same file must fail; HDFS renames directories as well. HDFS
     * renames directories as well.
     */
    @Override
    public boolean renameFile(String from, String to) throws IOException {
        return rename(from, to);
    }

    @Override
    public boolean replaceFile(String from, String to) throws IOException {
        try {
            client().rename(from, to, Options.Rename.OVERWRITE);
            return true;
        } catch (IOException e) {
            // HDFS refuses a file and a directory with an exception that says nothing else.
            if (!isTaken(e) && !isMissing(e) && !isDirectory(from) && !isDirectory(to)) {
                throw e;
            }
            return false;
        }
    }

    private boolean isDirectory(String path) throws IOException {
        return stat(path).filter(HdfsEntry::isDirectory).isPresent();
    }

    @Override
    public HdfsEntry withName(HdfsEntry entry, String name) {
        return entry.withName(name);
    }

    @Override
    public Removal removeIfEmpty(String path) throws IOException {
        try {
            return client().delete(path, false) ? Removal.REMOVED : Removal.ABSENT;
        } catch (IOException e) {
            if (isCausedBy(e, PathIsNotEmptyDirectoryException.class)) {
                return Removal.NOT_EMPTY;
            }
            throwUnlessMissing(e);
            return Removal.ABSENT;
        }
    }

    @Override
    public void removeRecursively(String path) throws IOException {
        try {
            client().delete(path, true);
        } catch (IOException e) {
            throwUnlessMissing(e);
        }
    }

    private static void throwUnlessMissing(IOException e) throws IOException {
        // HDFS refuses in the last way the number of what was renamed and then removed, and is left in a snapshot.
        if (!isMissing(e) && !isCausedBy(e, IllegalArgumentException.class)) {
            throw e;
        }
    }

    /** Whether an error means that a path, or one of its parents, does not exist. */
    static boolean isMissing(IOException e) {
        return isCausedBy(e, FileNotFoundException.class, ParentNotDirectoryException.class) || isBelowFile(e);
    }

    /**
     * Whether an error means that a parent is a file: HDFS reports this as denied access in calls that create nothing. The path comes
     * first, and after the first line the stack of the server; what denies access begins with other words, whatever names are in it.
     */
    private static boolean isBelowFile(IOException e) {
        String message = String.valueOf(e.getMessage());
        return isCausedBy(e, AccessControlException.class)
                && message.startsWith(Path.SEPARATOR)
                && message.split("\n", 2)[0].endsWith(NOT_DIRECTORY_SUFFIX);
    }

    /** Whether an error means that the path already exists. */
    static boolean isTaken(IOException e) {
        return isCausedBy(e, FileAlreadyExistsException.class);
    }

    /** Whether an error is of one of these types; Hadoop's client unwraps some errors of each call and leaves others unchanged. */
    private static boolean isCausedBy(IOException e, Class<?>... types) {
        String name = e instanceof RemoteException
                ? ((RemoteException) e).getClassName()
                : e.getClass().getName();
        return Arrays.stream(types)
                .anyMatch(type -> type.isInstance(e) || type.getName().equals(name));
    }
}
