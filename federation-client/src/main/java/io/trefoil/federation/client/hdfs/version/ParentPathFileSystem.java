/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import io.trefoil.client.hdfs.NoActiveNameNodeException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's own client, with corrected calls for directories above an entry: Hadoop's would carry them out on {@code /} of the root's owner,
 * or refuse them, because its tree of mounts contains only the names of entries there. {@link #call} and {@link #run} ask the owner for the
 * directory itself. Overridden are calls that need more than this choice, that throw nothing, or that only subclasses of Hadoop's classes
 * can make. Listings and sums have the entries as well, those in other entries too, and what would take them along is refused. Thread-safe.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
abstract class ParentPathFileSystem extends ViewDistributedFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(ParentPathFileSystem.class);

    private static final String NOT_RENAMED =
            " is not renamed, nor moved to a trash: the table has it, or what is in it, as an entry";

    /** Whether a path is in a hashed directory. */
    abstract boolean isHashed(Path path);

    /** The trash of paths in a hashed directory. */
    abstract Path trashOfHashed(Path path);

    /** Whether the path is in no entry, but has one below it. */
    abstract boolean isAboveEntry(Path path);

    /** Whether the path is that of an entry itself. */
    abstract boolean isEntry(Path path);

    /** The entries below a path that are in another entry. */
    abstract List<Path> nestedBelow(Path path);

    /** Whether both paths have the same owner. */
    abstract boolean haveSameOwner(Path one, Path otherPath);

    /** The client of the nameservice that owns a directory above an entry, where that directory may be missing. */
    abstract DistributedFileSystem ownerOfParent(Path path);

    /** The client of the nameservice that owns a path. */
    abstract DistributedFileSystem ownerClient(Path path) throws IOException;

    /** The path without the name of the federation, which nameservices do not accept. */
    abstract Path withoutAuthority(Path path);

    /**
     * Carries out a call where its path exists: on the owner of a directory above an entry, otherwise through this client.
     *
     * @throws IOException that of the call
     */
    public <T> T call(Path path, PathCall<T> call) throws IOException {
        return isAboveEntry(path) ? call.call(ownerOfParent(path), withoutAuthority(path)) : call.call(this, path);
    }

    /**
     * Performs {@link #call} without a result.
     *
     * @throws IOException that of the call
     */
    public void run(Path path, PathAction action) throws IOException {
        call(path, (client, there) -> {
            action.run(client, there);
            return true;
        });
    }

    /** The owner's status; for a directory that exists only because of its entries, the one that Hadoop makes up. */
    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        if (isAboveEntry(f)) {
            try {
                FileStatus status = ownerOfParent(f).getFileStatus(withoutAuthority(f));
                status.setPath(makeQualified(f));
                return status;
            } catch (FileNotFoundException e) {
                return super.getFileStatus(f);
            }
        }
        return super.getFileStatus(f);
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return isAboveEntry(f) ? getFileStatus(f) : super.getFileLinkStatus(f);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return isAboveEntry(path) && ownerOfParent(path).exists(withoutAuthority(path))
                ? ownerOfParent(path).getAclStatus(withoutAuthority(path))
                : super.getAclStatus(path);
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        if (isAboveEntry(path) && ownerOfParent(path).exists(withoutAuthority(path))) {
            ownerOfParent(path).access(withoutAuthority(path), mode);
        } else {
            super.access(path, mode);
        }
    }

    /** The names from the table in a directory above an entry: entries, and directories above entries. */
    abstract Set<String> tableNamesIn(Path directory);

    /** The owner of a path: a nameservice, or a hashed directory. */
    abstract String ownerName(Path path);

    /**
     * Lists a directory with its entries: above an entry, the owner does not have them, and in one, it has sealed directories in their
     * place.
     */
    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path p) throws IOException {
        if (isAboveEntry(p)) {
            return RemoteIterators.remoteIteratorFromArray(listStatus(p));
        }
        RemoteIterator<FileStatus> iterator = super.listStatusIterator(p);
        return hasNestedIn(p)
                ? RemoteIterators.mappingRemoteIterator(iterator, status -> entryStatusOr(p, status))
                : iterator;
    }

    @Override
    public FileStatus[] listStatus(Path p) throws IOException {
        if (isAboveEntry(p)) {
            return listAboveEntry(p);
        }
        FileStatus[] statuses = super.listStatus(p);
        if (hasNestedIn(p)) {
            for (int i = 0; i < statuses.length; i++) {
                statuses[i] = entryStatusOr(p, statuses[i]);
            }
        }
        return statuses;
    }

    /**
     * The owner's names in a directory, and the table's. An entry whose owner does not answer is listed all the same, as
     * the owner of the directory around it has it, or as Hadoop makes up such directories: one missing directory, or one
     * nameservice that is down, hides no other name.
     */
    private FileStatus[] listAboveEntry(Path directory) throws IOException {
        SortedMap<String, FileStatus> all = new TreeMap<>();
        for (FileStatus status : listFromOwner(directory)) {
            status.setPath(makeQualified(childPath(directory, status)));
            all.put(status.getPath().getName(), status);
        }
        Set<String> silentNameservices = new HashSet<>();
        for (String name : tableNamesIn(directory)) {
            Path path = makeQualified(new Path(directory, name));
            Optional<FileStatus> status = fetchStatusFromOwner(path, silentNameservices);
            if (status.isPresent()) {
                all.put(name, status.get());
            } else if (!all.containsKey(name)) {
                all.put(name, syntheticStatus(path));
            }
        }
        return all.values().toArray(new FileStatus[0]);
    }

    private FileStatus[] listFromOwner(Path directory) throws IOException {
        try {
            return ownerOfParent(directory).listStatus(withoutAuthority(directory));
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    /** @param silentNameservices owners that have not answered in this listing, and are not asked once more: each would let it wait as long again */
    private Optional<FileStatus> fetchStatusFromOwner(Path path, Set<String> silentNameservices) throws IOException {
        String owner = ownerName(path);
        if (silentNameservices.contains(owner)) {
            return Optional.empty();
        }
        try {
            FileStatus status = getFileStatus(path);
            status.setPath(path);
            return Optional.of(status);
        } catch (FileNotFoundException e) {
            LOG.warn(
                    "nameservice={} lacks path={}, which the subtree table assigns to it; do: create it "
                            + "there as a superuser",
                    owner,
                    path);
        } catch (AccessControlException e) {
            LOG.debug("nameservice={} denies access to path={}", owner, path, e);
        } catch (RemoteException | InterruptedIOException e) {
            if (!(e instanceof SocketTimeoutException || e instanceof NoActiveNameNodeException)) {
                throw e;
            }
            recordUnresponsive(owner, path, silentNameservices, e);
        } catch (IOException e) {
            recordUnresponsive(owner, path, silentNameservices, e);
        }
        return Optional.empty();
    }

    private static void recordUnresponsive(String owner, Path path, Set<String> silentNameservices, IOException e) {
        silentNameservices.add(owner);
        LOG.warn(
                "nameservice={} does not answer: path={} is listed as in the subtree table; do: start "
                        + "that nameservice",
                owner,
                path,
                e);
    }

    private static FileStatus syntheticStatus(Path path) throws IOException {
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        return new FileStatus(
                0,
                true,
                0,
                0,
                0,
                0,
                Constants.PERMISSION_555,
                user.getShortUserName(),
                user.getPrimaryGroupName(),
                path);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f, PathFilter filter) throws IOException {
        if (isAboveEntry(f)) {
            return listLocatedAboveEntry(f, filter);
        }
        RemoteIterator<LocatedFileStatus> iterator = super.listLocatedStatus(f, filter);
        return hasNestedIn(f)
                ? RemoteIterators.mappingRemoteIterator(iterator, status -> locatedStatusOfEntryOr(f, status))
                : iterator;
    }

    /** An entry with a located status; entries are directories, which have no blocks. */
    private LocatedFileStatus locatedStatusOfEntryOr(Path directory, LocatedFileStatus listedStatus)
            throws IOException {
        return isEntry(childPath(directory, listedStatus))
                ? new LocatedFileStatus(entryStatusOr(directory, listedStatus), null)
                : listedStatus;
    }

    private static Path childPath(Path directory, FileStatus listedStatus) {
        return new Path(directory, listedStatus.getPath().getName());
    }

    /** Whether one of the names in a directory that is in an entry is an entry itself. */
    private boolean hasNestedIn(Path directory) {
        Path bare = withoutAuthority(directory);
        return nestedBelow(directory).stream()
                .anyMatch(nested -> nested.getParent().equals(bare));
    }

    /** The listed status; for an entry, its own status, unless its owner does not answer. */
    private FileStatus entryStatusOr(Path directory, FileStatus listedStatus) throws IOException {
        Path path = childPath(directory, listedStatus);
        if (!isEntry(path)) {
            return listedStatus;
        }
        try {
            return getFileStatus(path);
        } catch (FileNotFoundException | AccessControlException e) {
            return listedStatus;
        }
    }

    /**
     * The sum with nested entries: Hadoop's sum asks the owner of each entry that is not nested, where nested ones are sealed, empty
     * directories. A quota counts usage at one owner, so a sum of several has none.
     */
    @Override
    public ContentSummary getContentSummary(Path f) throws IOException {
        ContentSummary summary = super.getContentSummary(f);
        for (Path nested : nestedBelow(f)) {
            summary = addNested(f, summary, super.getContentSummary(nested));
        }
        return summary;
    }

    private ContentSummary addNested(Path directory, ContentSummary summary, ContentSummary nested) {
        ContentSummary.Builder all = new ContentSummary.Builder()
                .length(summary.getLength() + nested.getLength())
                .fileCount(summary.getFileCount() + nested.getFileCount())
                // Both have counted its directory.
                .directoryCount(summary.getDirectoryCount() + nested.getDirectoryCount() - 1);
        if (isAboveEntry(directory)) {
            // Hadoop's has no more.
            return all.build();
        }
        return all.snapshotLength(summary.getSnapshotLength() + nested.getSnapshotLength())
                .snapshotFileCount(summary.getSnapshotFileCount() + nested.getSnapshotFileCount())
                .snapshotDirectoryCount(summary.getSnapshotDirectoryCount() + nested.getSnapshotDirectoryCount())
                .snapshotSpaceConsumed(summary.getSnapshotSpaceConsumed() + nested.getSnapshotSpaceConsumed())
                .erasureCodingPolicy(summary.getErasureCodingPolicy())
                .spaceConsumed(summary.getSpaceConsumed() + nested.getSpaceConsumed())
                .build();
    }

    /**
     * Lists a directory with the blocks that its files had when the owner listed them: Hadoop's method requests those of each file
     * afterwards, and fails if the file has been deleted in the meantime. The entries come first, which the owner does not have.
     */
    private RemoteIterator<LocatedFileStatus> listLocatedAboveEntry(Path f, PathFilter filter) throws IOException {
        Deque<LocatedFileStatus> entries = new ArrayDeque<>();
        for (FileStatus status : listStatus(f)) {
            if (isTableEntry(status.getPath()) && filter.accept(status.getPath())) {
                entries.add(new LocatedFileStatus(status, null));
            }
        }
        RemoteIterator<LocatedFileStatus> owners = RemoteIterators.filteringRemoteIterator(
                listLocatedFromOwner(f), one -> !isTableEntry(one.getPath()) && filter.accept(one.getPath()));
        return new RemoteIterator<LocatedFileStatus>() {
            @Override
            public boolean hasNext() throws IOException {
                return !entries.isEmpty() || owners.hasNext();
            }

            @Override
            public LocatedFileStatus next() throws IOException {
                return entries.isEmpty() ? owners.next() : entries.removeFirst();
            }
        };
    }

    private boolean isTableEntry(Path path) {
        return isAboveEntry(path) || isEntry(path);
    }

    /** The owner's located listing of a directory; empty if the owner has no such directory. */
    private RemoteIterator<LocatedFileStatus> listLocatedFromOwner(Path f) throws IOException {
        try {
            return RemoteIterators.mappingRemoteIterator(
                    ownerOfParent(f).listLocatedStatus(withoutAuthority(f)), status -> {
                        status.setPath(
                                makeQualified(new Path(f, status.getPath().getName())));
                        return status;
                    });
        } catch (FileNotFoundException e) {
            return RemoteIterators.remoteIteratorFromArray(new LocatedFileStatus[0]);
        }
    }

    /** Refuses to rename paths that the table names, like the other {@code rename}: the table would then lead nowhere. */
    @Override
    public void rename(Path src, Path dst, Options.Rename... options) throws IOException {
        if (isAboveEntry(src) || isEntry(src)) {
            throw new AccessControlException(src + NOT_RENAMED);
        }
        if (!haveSameOwner(src, dst)) {
            // Hadoop's own exception is none that callers of file systems expect.
            throw new IOException("Renames across Mount points not supported: " + src + ", " + dst);
        }
        if (isAboveEntry(dst)) {
            ownerOfParent(dst).rename(withoutAuthority(src), withoutAuthority(dst), options);
        } else {
            super.rename(src, dst, options);
        }
    }

    /** Creates a directory with exactly this permission, as HDFS does, whatever the user's umask. */
    @Override
    protected boolean primitiveMkdir(Path f, FsPermission absolutePermission) throws IOException {
        return isAboveEntry(f)
                ? ownerOfParent(f)
                        .getClient()
                        .primitiveMkdir(withoutAuthority(f).toString(), absolutePermission)
                : super.primitiveMkdir(f, absolutePermission);
    }

    @Override
    protected Path resolveLink(Path f) throws IOException {
        return isAboveEntry(f) ? ownerOfParent(f).getLinkTarget(withoutAuthority(f)) : super.resolveLink(f);
    }

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
        return isAboveEntry(path) ? ownerOfParent(path).createFile(withoutAuthority(path)) : super.createFile(path);
    }

    @Override
    public HdfsDataOutputStreamBuilder appendFile(Path path) {
        return isAboveEntry(path) ? ownerOfParent(path).appendFile(withoutAuthority(path)) : super.appendFile(path);
    }

    /**
     * The trash of the federation for entries and the directories above them: the owner's trash would accept the directory of an entry,
     * which to the owner is a directory like any other. {@link #rename} then refuses the move into the trash. A hashed directory has a
     * trash of its own.
     */
    @Override
    public Path getTrashRoot(Path path) {
        if (isAboveEntry(path) || isEntry(path)) {
            return makeQualified(new Path(withoutAuthority(getHomeDirectory()), TRASH_PREFIX));
        }
        return isHashed(path) ? trashOfHashed(path) : super.getTrashRoot(path);
    }

    /** Resolves a path for the trash, which follows it to another file system; paths that must stay lead nowhere. */
    @Override
    public Path resolvePath(Path f) throws IOException {
        return isAboveEntry(f) || isEntry(f) || isHashed(f)
                ? makeQualified(getFileStatus(f).getPath())
                : super.resolvePath(f);
    }

    /** Returns why a path cannot be renamed to one with another owner; the message says what to do. */
    public String crossOwnerRefusal(Path src, Path dst) {
        if (isAboveEntry(src) || isEntry(src)) {
            return src + NOT_RENAMED;
        }
        // The wording of ViewFs, which its users know.
        return "Renames across Mount points not supported: " + src + ", " + dst;
    }

    @Override
    public long getDefaultBlockSize(Path f) {
        return isAboveEntry(f)
                ? ownerOfParent(f).getDefaultBlockSize(withoutAuthority(f))
                : super.getDefaultBlockSize(f);
    }

    @Override
    public short getDefaultReplication(Path f) {
        return isAboveEntry(f)
                ? ownerOfParent(f).getDefaultReplication(withoutAuthority(f))
                : super.getDefaultReplication(f);
    }
}
