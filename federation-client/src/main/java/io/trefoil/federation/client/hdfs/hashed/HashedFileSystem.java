/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.hashed;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.client.hashed.HashedTree;
import io.trefoil.federation.client.hashed.HashedTree.MkdirResult;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code FileSystem} of the hashed directories of a table: files are spread over the directory's nameservices by their
 * names, and one call for a file is one call to its nameservice. What it cannot do for all nameservices at once, it refuses.
 *
 * <p>Thread-safe. Whatever it answers is in the journals of the nameservices; what it left half done when it ended, the next
 * client of the same user that meets it completes or undoes. See docs/design/hashed-directories.md.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
public final class HashedFileSystem extends NameservicesFileSystem {

    /** The scheme of hashed directories; only {@link io.trefoil.federation.client.hdfs.version} uses it, inside a table's file system. */
    public static final String SCHEME = "trefoil-hashed";

    /** The prefix in a table's file of the nameservices of a hashed directory, whose path follows. */
    public static final String HASHED = "io.trefoil.subtrees.hashed.";

    private static final Logger LOG = LoggerFactory.getLogger(HashedFileSystem.class);

    private static final int OWNER_MAY_CHANGE = 0300;

    /** The permission with which any user may make directories, but not remove another user's. */
    private static final short STICKY_WORLD_WRITABLE = 01777;

    /** The capabilities of hashed directories; {@code FileSystem} denies all others. */
    private static final Set<String> CAPABILITIES = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
            CommonPathCapabilities.FS_ACLS,
            CommonPathCapabilities.FS_APPEND,
            CommonPathCapabilities.FS_CHECKSUMS,
            CommonPathCapabilities.FS_PERMISSIONS,
            CommonPathCapabilities.FS_TRUNCATE,
            CommonPathCapabilities.FS_XATTRS,
            CommonPathCapabilities.LEASE_RECOVERABLE)));

    /** A call to a file's nameservice. */
    private interface Call<T> {
        T call(DistributedFileSystem nameservice, Path path) throws IOException;
    }

    /** A call without a result. */
    private interface Change extends Call<Boolean> {
        void run(DistributedFileSystem nameservice, Path path) throws IOException;

        @Override
        default Boolean call(DistributedFileSystem nameservice, Path path) throws IOException {
            run(nameservice, path);
            return true;
        }
    }

    /** A way in which a directory is changed. */
    private interface DirectoryCall<T> {
        Optional<T> call(HashedTree<HdfsEntry> tree, String path, HashedTree.FileCall<T> call) throws IOException;
    }

    /** The file system for builders; available after {@link #initialize}. */
    private FileBuilders builders;

    /** Used by Hadoop; ready after {@link #initialize}. */
    public HashedFileSystem() {}

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(uri, conf);
        builders = new FileBuilders(anyNameservice().getUri(), conf, new SpreadFiles());
    }

    @Override
    public void close() throws IOException {
        builders.close();
        super.close();
    }

    private <T> T callOnFile(Path f, Call<T> call) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        if (resolvedPath.isRoot()) {
            throw new FileNotFoundException(f + " is a directory");
        }
        return resolvedPath
                .directory
                .tree
                .callOnFile(resolvedPath.path, (group, path) -> attempt(resolvedPath, group, path, call))
                .orElseThrow(() -> new FileNotFoundException("File does not exist: " + f));
    }

    /** Performs a call on the whole directory or the file; HDFS alone would apply it to one part of a directory, or to a signpost. */
    private <T> T callOnFileOrDirectory(Path f, Call<T> ofFile, DirectoryCall<T> ofDirectory) throws IOException {
        if (getFileStatus(f).isFile()) {
            return callOnKnownFile(f, ofFile);
        }
        ResolvedPath resolvedPath = resolve(f);
        return ofDirectory
                .call(
                        resolvedPath.directory.tree,
                        resolvedPath.path,
                        (group, path) -> attempt(resolvedPath, group, path, ofFile))
                .orElseThrow(() -> new FileNotFoundException("File does not exist: " + f));
    }

    /** Reads attributes of a file or directory. */
    private <T> T read(Path f, Call<T> call) throws IOException {
        return callOnFileOrDirectory(f, call, HashedTree::callOnDirectory);
    }

    /** Changes attributes that a directory has in one place. */
    private void change(Path f, Change call) throws IOException {
        callOnFileOrDirectory(f, call, HashedTree::changeDirectory);
    }

    /** Changes permissions, which are in effect in all nameservices. */
    private void changeAccess(Path f, Change call) throws IOException {
        callOnFileOrDirectory(f, call, HashedTree::changeAccess);
    }

    private <T> T callOnKnownFile(Path f, Call<T> call) throws IOException {
        Optional<T> result = callOnRelocatedFile(f, call);
        return result.isPresent() ? result.get() : callOnFile(f, call);
    }

    /** Performs a call on a file in a nameservice other than its name's; empty if there is no such file. */
    private <T> Optional<T> callOnRelocatedFile(Path f, Call<T> call) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        return resolvedPath.directory.tree.callOnRelocatedFile(
                resolvedPath.path, (group, path) -> attempt(resolvedPath, group, path, call));
    }

    private static <T> Optional<T> attempt(ResolvedPath resolvedPath, int group, String path, Call<T> call)
            throws IOException {
        try {
            return Optional.of(
                    call.call(resolvedPath.directory.groups.get(group).fileSystem(), new Path(path)));
        } catch (IOException e) {
            if (HdfsGroup.isMissing(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return callOnFile(f, (nameservice, path) -> nameservice.open(path, bufferSize));
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return builders.create(
                withoutAuthority(f), permission, overwrite, bufferSize, replication, blockSize, progress);
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksumOpt)
            throws IOException {
        return builders.create(
                withoutAuthority(f), permission, flags, bufferSize, replication, blockSize, progress, checksumOpt);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return builders.createNonRecursive(
                withoutAuthority(f), permission, flags, bufferSize, replication, blockSize, progress);
    }

    @Override
    public DistributedFileSystem.HdfsDataOutputStreamBuilder createFile(Path path) {
        return builders.createFile(withoutAuthority(path));
    }

    @Override
    public DistributedFileSystem.HdfsDataOutputStreamBuilder appendFile(Path path) {
        return builders.appendFile(withoutAuthority(path));
    }

    /**
     * HDFS's own client, restricted to creating files here and appending to them in all of HDFS's ways: for callers that need more than
     * {@code FileSystem} offers. Its paths are those of this one, without a name.
     */
    public DistributedFileSystem fileCreator() {
        return builders;
    }

    private Path withoutAuthority(Path path) {
        return Path.getPathWithoutSchemeAndAuthority(makeQualified(path));
    }

    /** The files that {@link FileBuilders} creates. */
    private final class SpreadFiles implements FileBuilders.Files {

        @Override
        public DFSOutputStream create(
                Path file,
                EnumSet<CreateFlag> flags,
                FileBuilders.MissingParentPolicy parents,
                FileBuilders.Creation creation)
                throws IOException {
            if (!flags.contains(CreateFlag.CREATE)) {
                // HDFS refuses what is missing.
                return callOnFileOrRelocatedFile(file, toFileCall(creation));
            }
            while (true) {
                Optional<DFSOutputStream> out = createInDirectory(file, toFileCall(creation));
                if (out.isPresent()) {
                    return out.get();
                }
                if (parents == FileBuilders.MissingParentPolicy.REQUIRED) {
                    requireNoFile(file.getParent());
                    throw new FileNotFoundException("Parent directory doesn't exist: " + file.getParent());
                }
                mkdirParent(file, FsPermission.getDirDefault());
            }
        }

        @Override
        public DFSOutputStream appendOrCreate(
                Path file,
                EnumSet<CreateFlag> flags,
                FileBuilders.MissingParentPolicy parents,
                FileBuilders.Creation creation)
                throws IOException {
            while (true) {
                try {
                    return callOnFileOrRelocatedFile(file, toFileCall(creation));
                } catch (FileNotFoundException e) {
                    if (!flags.contains(CreateFlag.CREATE)) {
                        throw e;
                    }
                }
                try {
                    return create(file, flags, parents, creation);
                } catch (FileAlreadyExistsException e) {
                    // Another client has made it meanwhile.
                    if (getFileStatus(file).isDirectory()) {
                        throw e;
                    }
                }
            }
        }

        private Call<DFSOutputStream> toFileCall(FileBuilders.Creation creation) {
            return (nameservice, place) -> creation.create(nameservice.getClient(), place.toString());
        }

        @Override
        public FSDataOutputStream append(
                Path file, EnumSet<CreateFlag> flags, int bufferSize, Progressable progress, InetSocketAddress[] nodes)
                throws IOException {
            return callOnFileOrRelocatedFile(
                    file, (nameservice, place) -> nameservice.append(place, flags, bufferSize, progress, nodes));
        }
    }

    /** Makes the parent directory; if a file is in its place, the call fails like HDFS's creation below a file. */
    private void mkdirParent(Path f, FsPermission permission) throws IOException {
        try {
            mkdirs(f.getParent(), permission);
        } catch (FileAlreadyExistsException e) {
            ParentNotDirectoryException refusal = new ParentNotDirectoryException(e.getMessage());
            refusal.initCause(e);
            throw refusal;
        }
    }

    /** Performs a call that creates a file in an existing directory; empty if there is no directory for it. */
    private <T> Optional<T> createInDirectory(Path f, Call<T> call) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        if (resolvedPath.isRoot()) {
            throw new FileAlreadyExistsException(f + " is a directory");
        }
        return resolvedPath.directory.tree.createFile(
                resolvedPath.path, (group, path) -> attempt(resolvedPath, group, path, call), HdfsGroup::isTaken);
    }

    /** Recovers the lease of a dead writer, and returns whether the file is closed, like HDFS's own method. */
    public boolean recoverLease(Path f) throws IOException {
        return callOnKnownFile(requireFile(f), DistributedFileSystem::recoverLease);
    }

    /** Whether a file is closed, as {@code DistributedFileSystem} reports it. */
    public boolean isFileClosed(Path f) throws IOException {
        return callOnKnownFile(requireFile(f), DistributedFileSystem::isFileClosed);
    }

    private Path requireFile(Path f) throws IOException {
        if (getFileStatus(f).isDirectory()) {
            // HDFS's words.
            throw new FileNotFoundException("Path is not a file: " + f);
        }
        return f;
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        String wanted = capability.toLowerCase(Locale.ROOT);
        return CAPABILITIES.contains(wanted) || super.hasPathCapability(path, capability);
    }

    @Override
    public void concat(Path trg, Path[] psrcs) {
        throw newRefusal("files are not joined, as they are in several nameservices: " + trg);
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return callOnFileOrRelocatedFile(f, (nameservice, path) -> nameservice.append(path, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress, boolean appendToNewBlock)
            throws IOException {
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.APPEND);
        if (appendToNewBlock) {
            flags.add(CreateFlag.NEW_BLOCK);
        }
        return callOnFileOrRelocatedFile(
                f, (nameservice, path) -> nameservice.append(path, flags, bufferSize, progress));
    }

    /** Performs a call with one request to a file's nameservice, which refuses it where a directory, or a signpost, has the name. */
    private <T> T callOnFileOrRelocatedFile(Path f, Call<T> call) throws IOException {
        try {
            return callOnFile(f, call);
        } catch (IOException e) {
            if (!HdfsGroup.isTaken(e)) {
                throw e;
            }
            return callOnRelocatedFile(f, call).orElseThrow(() -> e);
        }
    }

    @Override
    public boolean truncate(Path f, long newLength) throws IOException {
        return callOnFile(f, (nameservice, path) -> nameservice.truncate(path, newLength));
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        // As in HDFS, where a directory has none.
        return getFileStatus(f).isFile()
                && callOnKnownFile(f, (nameservice, path) -> nameservice.setReplication(path, replication));
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return callOnFile(f, DistributedFileSystem::getFileChecksum);
    }

    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        return callOnFile(f, (nameservice, path) -> nameservice.getFileChecksum(path, length));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long len) throws IOException {
        if (file == null || file.isDirectory()) {
            return new BlockLocation[0];
        }
        return getFileBlockLocations(file.getPath(), start, len);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path p, long start, long len) throws IOException {
        return callOnFile(p, (nameservice, path) -> nameservice.getFileBlockLocations(path, start, len));
    }

    /** The located blocks of a file, as {@code DistributedFileSystem} reports them. */
    public LocatedBlocks getLocatedBlocks(Path p, long start, long length) throws IOException {
        return callOnFile(
                p, (nameservice, path) -> nameservice.getClient().getLocatedBlocks(path.toString(), start, length));
    }

    @Override
    public void setPermission(Path p, FsPermission permission) throws IOException {
        FileStatus status = getFileStatus(p);
        if (status.isDirectory()) {
            if ((permission.toShort() & OWNER_MAY_CHANGE) != OWNER_MAY_CHANGE) {
                throw ownerOnlyRefusal(p);
            }
            ResolvedPath resolvedPath = resolve(p);
            if (permission.getStickyBit()
                    && !status.getPermission().getStickyBit()
                    && resolvedPath.directory.tree.hasRelocatedFiles(resolvedPath.path)) {
                throw newRefusal(
                        "the sticky bit would not protect files that were renamed to names of other nameservices: " + p
                                + "; copy these files, delete them, and set it then");
            }
        }
        changeAccess(p, (nameservice, path) -> nameservice.setPermission(path, permission));
    }

    private static UnsupportedOperationException ownerOnlyRefusal(Path p) {
        return newRefusal("the owner of a directory must be allowed to write and to enter it: " + p);
    }

    @Override
    public void setOwner(Path p, String username, String groupname) throws IOException {
        changeAccess(p, (nameservice, path) -> nameservice.setOwner(path, username, groupname));
    }

    @Override
    public void setTimes(Path p, long mtime, long atime) throws IOException {
        change(p, (nameservice, path) -> nameservice.setTimes(path, mtime, atime));
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        read(path, (Change) (nameservice, there) -> nameservice.access(there, mode));
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        requireOwnerMayChange(path, aclSpec);
        changeAccess(path, (nameservice, there) -> nameservice.modifyAclEntries(there, aclSpec));
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        changeAccess(path, (nameservice, there) -> nameservice.removeAclEntries(there, aclSpec));
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        changeAccess(path, DistributedFileSystem::removeDefaultAcl);
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        changeAccess(path, DistributedFileSystem::removeAcl);
    }

    @Override
    public void setAcl(Path path, List<AclEntry> aclSpec) throws IOException {
        requireOwnerMayChange(path, aclSpec);
        changeAccess(path, (nameservice, there) -> nameservice.setAcl(there, aclSpec));
    }

    /**
     * Refuses ACL entries that would keep a directory's owner from changing it, including default entries, which directories created in it
     * inherit.
     */
    private void requireOwnerMayChange(Path path, List<AclEntry> aclSpec) throws IOException {
        for (AclEntry entry : aclSpec) {
            boolean isOfOwner = entry.getType() == AclEntryType.USER && entry.getName() == null;
            if (isOfOwner
                    && !entry.getPermission().implies(FsAction.WRITE_EXECUTE)
                    && getFileStatus(path).isDirectory()) {
                throw ownerOnlyRefusal(path);
            }
        }
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return read(path, DistributedFileSystem::getAclStatus);
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag) throws IOException {
        boolean isOfUsers =
                name.regionMatches(true, 0, HdfsGroup.USER_XATTR_PREFIX, 0, HdfsGroup.USER_XATTR_PREFIX.length());
        if (!isOfUsers && getFileStatus(path).isDirectory()) {
            throw newRefusal("only attributes that begin with " + HdfsGroup.USER_XATTR_PREFIX
                    + " stay with a directory that is renamed, and only these can be set: " + name + " of " + path);
        }
        change(path, (nameservice, there) -> nameservice.setXAttr(there, name, value, flag));
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        // Null for one without a value, as by HDFS's own client.
        return read(path, (nameservice, there) -> Optional.ofNullable(nameservice.getXAttr(there, name)))
                .orElse(null);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return read(path, DistributedFileSystem::getXAttrs);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return read(path, (nameservice, there) -> nameservice.getXAttrs(there, names));
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return read(path, DistributedFileSystem::listXAttrs);
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        change(path, (nameservice, there) -> nameservice.removeXAttr(there, name));
    }

    /** The erasure coding policy, as {@code DistributedFileSystem} reports it: null if there is none. */
    public ErasureCodingPolicy getErasureCodingPolicy(Path path) throws IOException {
        return read(path, (nameservice, there) -> Optional.ofNullable(nameservice.getErasureCodingPolicy(there)))
                .orElse(null);
    }

    /**
     * The encryption zone, as {@code DistributedFileSystem} reports it: null if there is none. No call here makes one,
     * but there may be one around the parts.
     */
    public EncryptionZone getEZForPath(Path path) throws IOException {
        return read(path, (nameservice, there) -> Optional.ofNullable(nameservice.getEZForPath(there)))
                .orElse(null);
    }

    /** The encryption info of a file, as {@code DistributedFileSystem} reports it: null for a file that is not encrypted. */
    public FileEncryptionInfo getFileEncryptionInfo(Path path) throws IOException {
        return callOnKnownFile(
                        path, (nameservice, there) -> Optional.ofNullable(nameservice.getFileEncryptionInfo(there)))
                .orElse(null);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path src) throws IOException {
        return read(src, DistributedFileSystem::getStoragePolicy);
    }

    @Override
    public void setStoragePolicy(Path src, String policyName) {
        throw policyRefusal(src);
    }

    @Override
    public void unsetStoragePolicy(Path src) {
        throw policyRefusal(src);
    }

    private static UnsupportedOperationException policyRefusal(Path p) {
        return newRefusal(
                "no storage policy can be set: " + p + "; keep what needs one in a directory that is not hashed");
    }

    /** The status of a path, which is never a link. */
    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return getFileStatus(f);
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        return resolvedPath
                .directory
                .tree
                .lookup(resolvedPath.path)
                .map(entry -> entry.statusIn(getUri(), makeQualified(f)))
                .orElseThrow(() -> new FileNotFoundException("File does not exist: " + f));
    }

    @Override
    public FileStatus[] listStatus(Path f) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        Optional<List<HdfsEntry>> entries = resolvedPath.directory.tree.list(resolvedPath.path);
        if (!entries.isPresent()) {
            FileStatus file = getFileStatus(f);
            if (file.isFile()) {
                return new FileStatus[] {file};
            }
            // It was made since it was not there.
            return new FileStatus[0];
        }
        Path directory = makeQualified(f);
        return entries.get().stream()
                .map(entry -> entry.statusIn(getUri(), directory))
                .toArray(FileStatus[]::new);
    }

    @Override
    protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f, PathFilter filter) throws IOException {
        Optional<RemoteIterator<LocatedFileStatus>> all =
                LocatedListing.of(resolve(f), makeQualified(f), filter, this::findRelocatedFile);
        if (all.isPresent()) {
            return all.get();
        }
        Path path = makeQualified(f);
        LocatedFileStatus file =
                callOnFile(f, (nameservice, there) -> LocatedListing.fetchLocatedStatus(nameservice, there, path));
        return RemoteIterators.filteringRemoteIterator(
                RemoteIterators.remoteIteratorFromSingleton(file), status -> filter.accept(status.getPath()));
    }

    private Optional<LocatedFileStatus> findRelocatedFile(Path path) throws IOException {
        return callOnRelocatedFile(
                path, (nameservice, there) -> LocatedListing.fetchLocatedStatus(nameservice, there, path));
    }

    @Override
    public boolean mkdirs(Path f, FsPermission permission) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        if (resolvedPath.isRoot()) {
            return true;
        }
        while (true) {
            if (tryCreateDirectory(f, resolvedPath, permission)) {
                return true;
            }
            mkdirParent(f, permission);
        }
    }

    /** Makes a directory in one that must exist. */
    public boolean mkdir(Path f, FsPermission permission) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        if (!resolvedPath.isRoot() && !tryCreateDirectory(f, resolvedPath, permission)) {
            throw new FileNotFoundException("Parent directory doesn't exist: " + f.getParent());
        }
        return true;
    }

    private boolean tryCreateDirectory(Path f, ResolvedPath resolvedPath, FsPermission permission) throws IOException {
        // The first user who deletes something makes the trash of all users.
        short mode = resolvedPath.path.equals("/" + TRASH_PREFIX)
                ? STICKY_WORLD_WRITABLE
                : FsCreateModes.applyUMask(permission, FsPermission.getUMask(getConf()))
                        .toShort();
        if ((mode & OWNER_MAY_CHANGE) != OWNER_MAY_CHANGE) {
            throw ownerOnlyRefusal(f);
        }
        MkdirResult made = resolvedPath.directory.tree.mkdir(resolvedPath.path, mode);
        if (made == MkdirResult.TAKEN) {
            throw new FileAlreadyExistsException(f + " is a file");
        }
        if (made == MkdirResult.NO_PARENT) {
            requireNoFile(f.getParent());
        }
        return made != MkdirResult.NO_PARENT;
    }

    private void requireNoFile(Path f) throws IOException {
        ResolvedPath resolvedPath = resolve(f);
        if (resolvedPath
                .directory
                .tree
                .lookup(resolvedPath.path)
                .filter(entry -> !entry.isDirectory())
                .isPresent()) {
            throw new ParentNotDirectoryException(f + " is a file");
        }
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        ResolvedPath resolvedPath;
        try {
            resolvedPath = resolve(f);
        } catch (FileNotFoundException e) {
            return false;
        }
        if (resolvedPath.isRoot()) {
            throw newRefusal("itself is not deleted; the table says that it is there: " + f);
        }
        switch (resolvedPath.directory.tree.delete(resolvedPath.path, recursive)) {
            case DELETED:
                return true;
            case ABSENT:
                return false;
            default:
                throw new PathIsNotEmptyDirectoryException(f + " is non empty");
        }
    }

    @Override
    public boolean rename(Path src, Path dst) throws IOException {
        try {
            return tryRename(src, dst);
        } catch (FileNotFoundException | FileAlreadyExistsException e) {
            requireNoFileAbove(dst);
            return false;
        }
    }

    private boolean tryRename(Path src, Path dst) throws IOException {
        ResolvedPath target = resolve(dst);
        Optional<HdfsEntry> existing = target.directory.tree.lookup(target.path);
        boolean isInto = existing.filter(HdfsEntry::isDirectory).isPresent();
        Path to = isInto ? new Path(dst, src.getName()) : dst;
        if (makeQualified(to).equals(makeQualified(src))) {
            // As in HDFS, where nothing is to be done.
            return exists(src);
        }
        if (existing.isPresent() && !isInto) {
            return false;
        }
        if (isWithin(resolve(to), resolve(src))) {
            requireNoFileAbove(to);
            return false;
        }
        rename(src, to, EnumSet.noneOf(Options.Rename.class));
        return true;
    }

    /** Fails if a file is above a new name, which HDFS checks before anything else. */
    private void requireNoFileAbove(Path f) throws IOException {
        try {
            resolve(f);
        } catch (FileNotFoundException e) {
            // It names snapshots.
            return;
        }
        for (Path above = f.getParent(); !resolve(above).isRoot(); above = above.getParent()) {
            requireNoFile(above);
        }
    }

    private static boolean isWithin(ResolvedPath inner, ResolvedPath outer) {
        return inner.directory == outer.directory && (inner.path + "/").startsWith(outer.path + "/");
    }

    @Override
    protected void rename(Path src, Path dst, Options.Rename... options) throws IOException {
        try {
            rename(src, dst, EnumSet.of(Options.Rename.NONE, options));
        } catch (FileNotFoundException e) {
            requireNoFileAbove(dst);
            throw e;
        }
    }

    /** Checks in HDFS's order, with HDFS's exceptions. */
    private void rename(Path src, Path dst, Set<Options.Rename> options) throws IOException {
        ResolvedPath from = resolve(src);
        ResolvedPath to = resolve(dst);
        if (from.directory != to.directory) {
            throw newRefusal(
                    "nothing can be renamed into another one: " + src + " to " + dst + "; copy it and delete it");
        }
        if (from.isRoot()) {
            throw newRefusal("itself is not renamed; the table says where it is: " + src);
        }
        boolean isDirectory = getFileStatus(src).isDirectory();
        if (from.path.equals(to.path)) {
            throw new FileAlreadyExistsException("The source " + src + " and destination " + dst + " are the same");
        }
        if (isWithin(to, from)) {
            requireNoFileAbove(dst);
            throw new PathIOException(src.toString(), "A directory cannot be renamed into itself: " + dst);
        }
        boolean replaces = options.contains(Options.Rename.OVERWRITE);
        if (replaces || isDirectory) {
            requireSameKind(isDirectory, to, src, dst);
        }
        if (to.isRoot()) {
            throw new FileAlreadyExistsException(dst + " is a directory");
        }
        if (isDirectory) {
            renameDirectory(from, to, src, dst, replaces);
        } else {
            renameFile(from, to, src, dst, replaces);
        }
    }

    private void requireSameKind(boolean isDirectory, ResolvedPath to, Path src, Path dst) throws IOException {
        Optional<HdfsEntry> other = to.directory.tree.lookup(to.path);
        if (other.isPresent() && other.get().isDirectory() != isDirectory) {
            throw new IOException("Source " + src + " and destination " + dst + " must both be "
                    + (isDirectory ? "directories" : "files"));
        }
    }

    private void renameDirectory(ResolvedPath from, ResolvedPath to, Path src, Path dst, boolean replaces)
            throws IOException {
        HashedTree<HdfsEntry> tree = from.directory.tree;
        switch (replaces ? tree.replaceDirectory(from.path, to.path) : tree.renameDirectory(from.path, to.path)) {
            case RENAMED:
                return;
            case TAKEN:
                if (replaces) {
                    throw new IOException("rename cannot overwrite non empty destination directory " + dst);
                }
                throw new FileAlreadyExistsException("rename destination " + dst + " already exists");
            case NO_PARENT:
                requireNoFile(dst.getParent());
                throw new FileNotFoundException("Parent directory doesn't exist: " + dst.getParent());
            default:
                throw new FileNotFoundException("File does not exist: " + src);
        }
    }

    private void renameFile(ResolvedPath from, ResolvedPath to, Path src, Path dst, boolean replaces)
            throws IOException {
        HashedTree<HdfsEntry> tree = from.directory.tree;
        switch (replaces ? tree.replaceFile(from.path, to.path) : tree.renameFile(from.path, to.path)) {
            case RENAMED:
                return;
            case TAKEN:
                throw new FileAlreadyExistsException(
                        replaces
                                ? dst + " exists in another nameservice, and is not replaced by one call: delete it"
                                        + " first"
                                : dst + " exists");
            case STICKY:
                throw newRefusal("a file gets no name of another nameservice in a directory with the sticky bit: " + src
                        + " to " + dst + "; copy it and delete it");
            case NO_PARENT:
                requireNoFile(dst.getParent());
                throw new FileNotFoundException("Parent directory doesn't exist: " + dst.getParent());
            default:
                throw new FileNotFoundException("File does not exist: " + src);
        }
    }

    /** The trash inside the hashed directory, as in HDFS's encryption zones: nothing is renamed out of either. */
    @Override
    public Path getTrashRoot(Path path) {
        try {
            String whole = makeQualified(path).toUri().getPath();
            String root = whole.substring(0, whole.length() - resolve(path).path.length());
            return new Path(sharedTrashRoot(root), user());
        } catch (IOException e) {
            return super.getTrashRoot(path);
        }
    }

    private Path sharedTrashRoot(String root) {
        return makeQualified(new Path(root, TRASH_PREFIX));
    }

    private String user() {
        return anyNameservice().getHomeDirectory().getName();
    }

    @Override
    public Collection<FileStatus> getTrashRoots(boolean allUsers) {
        List<FileStatus> trashes = new ArrayList<>();
        for (String root : roots()) {
            try {
                for (FileStatus status : listStatus(sharedTrashRoot(root))) {
                    if (status.isDirectory()
                            && (allUsers || status.getPath().getName().equals(user()))) {
                        trashes.add(status);
                    }
                }
            } catch (FileNotFoundException e) {
                // Nothing has been deleted there.
            } catch (IOException e) {
                // As HDFS does: that of others can be emptied all the same.
                LOG.warn(
                        "Cannot list the trash of hashed directory={}; do: run expunge again when all its "
                                + "nameservices answer",
                        root,
                        e);
            }
        }
        return trashes;
    }

    @Override
    public ContentSummary getContentSummary(Path f) throws IOException {
        FileStatus status = getFileStatus(f);
        if (status.isFile()) {
            return callOnKnownFile(f, DistributedFileSystem::getContentSummary);
        }
        ResolvedPath resolvedPath = resolve(f);
        long length = 0;
        long files = 0;
        long directories = 0;
        long space = 0;
        int count = resolvedPath.directory.groups.size();
        for (int group = 0; group < count; group++) {
            OptionalLong contents = resolvedPath.directory.tree.findPartId(group, resolvedPath.path);
            if (!contents.isPresent()) {
                throw new FileNotFoundException("File does not exist: " + f);
            }
            ContentSummary part = resolvedPath
                    .directory
                    .groups
                    .get(group)
                    .fileSystem()
                    .getContentSummary(new Path(HashedLayout.inodePath(contents.getAsLong())));
            length += part.getLength();
            files += part.getFileCount();
            directories += part.getDirectoryCount() - 1;
            space += part.getSpaceConsumed();
        }
        return new ContentSummary.Builder()
                .length(length)
                .fileCount(files)
                // Each is one in each nameservice, and one more in its home.
                .directoryCount(1 + directories / (count + 1))
                .spaceConsumed(space)
                .build();
    }

    @Override
    public String toString() {
        return "Hashed" + roots();
    }
}
