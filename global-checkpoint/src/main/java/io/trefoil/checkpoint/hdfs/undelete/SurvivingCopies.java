/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.undelete;

import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.undelete.SurvivingCopy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffReportEntry;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffType;
import org.apache.hadoop.hdfs.protocol.SnapshotException;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Finds where files of a subtree still are, by their inodes: in the trash, in snapshots, or elsewhere. Used by one thread.
 *
 * <p>Uses {@code DistributedFileSystem} with {@code getTrashRoots}, {@code getSnapshottableDirListing} and
 * {@code getSnapshotDiffReport}, {@code HdfsFileStatus.getFileId}.
 */
final class SurvivingCopies {

    private static final String SNAPSHOTS = ".snapshot";
    private static final String INODES = "/.reserved/.inodes/";

    private final DistributedFileSystem past;
    private final DistributedFileSystem fileSystem;
    private final String root;
    /** The paths at which the trash may have the root: the root's name behind a directory of the trash. */
    private final List<String> trashedRoots = new ArrayList<>();
    /** The directories with snapshots, and the snapshots of each, the newest first. */
    private final Map<String, List<String>> snapshots = new LinkedHashMap<>();

    /** The entries that each snapshot has under another path than the past namespace, by their path in that namespace. */
    private final Map<String, Map<String, String>> renames = new HashMap<>();

    /** The snapshots whose renames could not be read, with the reasons. */
    private final Map<String, String> unreadSnapshots = new LinkedHashMap<>();

    private Optional<String> lastHit = Optional.empty();

    /** @param past the file system of then, which knows what was renamed since its snapshots */
    SurvivingCopies(DistributedFileSystem past, DistributedFileSystem fileSystem, String root) throws IOException {
        this.past = past;
        this.fileSystem = fileSystem;
        this.root = root;
        findTrash();
        findSnapshots();
    }

    private void findTrash() throws IOException {
        for (FileStatus trash : fileSystem.getTrashRoots(true)) {
            for (FileStatus directory : list(trash.getPath())) {
                Path place = new Path(text(directory.getPath()) + root);
                // Of what is deleted again, the trash has the time behind the name.
                for (FileStatus sibling : list(place.getParent())) {
                    if (sibling.getPath().getName().matches("\\Q" + place.getName() + "\\E[0-9]*")) {
                        trashedRoots.add(text(sibling.getPath()));
                    }
                }
            }
        }
    }

    private void findSnapshots() throws IOException {
        SnapshottableDirectoryStatus[] directories = fileSystem.getSnapshottableDirListing();
        if (directories == null) {
            return;
        }
        for (SnapshottableDirectoryStatus directory : directories) {
            String path = text(directory.getFullPath());
            if (isAtOrBelow(root, path) || isAtOrBelow(path, root)) {
                List<FileStatus> found = list(new Path(directory.getFullPath(), SNAPSHOTS));
                found.sort((a, b) -> Long.compare(b.getModificationTime(), a.getModificationTime()));
                List<String> paths = new ArrayList<>();
                found.forEach(one -> paths.add(text(one.getPath())));
                snapshots.put(path, paths);
            }
        }
    }

    private List<FileStatus> list(Path directory) throws IOException {
        List<FileStatus> found = new ArrayList<>();
        try {
            Collections.addAll(found, fileSystem.listStatus(directory));
        } catch (IOException e) {
            requireAbsence(e);
        }
        return found;
    }

    /** The status of a path; empty if nothing is there. */
    static Optional<FileStatus> findStatus(DistributedFileSystem fileSystem, Path path) throws IOException {
        try {
            return Optional.of(fileSystem.getFileStatus(path));
        } catch (IOException e) {
            requireAbsence(e);
            return Optional.empty();
        }
    }

    /** Accepts an answer that nothing is at a path, also because a file is where a directory above it was. */
    private static void requireAbsence(IOException answer) throws IOException {
        IOException cause =
                answer instanceof RemoteException ? ((RemoteException) answer).unwrapRemoteException() : answer;
        boolean isAbsence = cause instanceof FileNotFoundException
                || cause instanceof ParentNotDirectoryException
                // Readers are told so, whichever users they are.
                || (cause instanceof AccessControlException
                        && String.valueOf(cause.getMessage()).contains("(is not a directory)"))
                || isUnresolvable(cause);
        if (!isAbsence) {
            throw answer;
        }
    }

    /** Whether a NameNode could not resolve an inode id: it fails on the ids of some inodes that only snapshots have. */
    private static boolean isUnresolvable(IOException answer) {
        return answer instanceof RemoteException
                && ((RemoteException) answer).getClassName().equals(IllegalArgumentException.class.getName());
    }

    private static boolean isAtOrBelow(String path, String directory) {
        return path.equals(directory) || path.startsWith(directory.equals("/") ? "/" : directory + "/");
    }

    /** Returns where a file still is, the best first; empty if nowhere. */
    List<SurvivingCopy> find(HistoricalFile past) throws IOException {
        List<SurvivingCopy> copies = new ArrayList<>();
        for (String trashed : trashedRoots) {
            addIfSame(copies, past, SurvivingCopy.Keeper.TRASH, trashed + relativeToRoot(past.path()));
        }
        if (!addFromSnapshot(copies, past, snapshot -> Optional.of(snapshot + relativePath(snapshot, past.path())))) {
            addFromSnapshot(copies, past, snapshot -> formerPath(snapshot, relativePath(snapshot, past.path())));
        }
        if (copies.isEmpty() || copies.get(0).keeper() != SurvivingCopy.Keeper.TRASH) {
            addIfSame(copies, past, SurvivingCopy.Keeper.OTHER_PATH, INODES + past.inode());
        }
        return copies;
    }

    /** The path in a snapshot. */
    private interface SnapshotPath {
        Optional<String> in(String snapshot) throws IOException;
    }

    /** Adds the copy in the first snapshot that has the file as it was, and returns whether there is one. */
    private boolean addFromSnapshot(List<SurvivingCopy> copies, HistoricalFile past, SnapshotPath path)
            throws IOException {
        for (String snapshot : candidates(past.path())) {
            Optional<String> copy = path.in(snapshot);
            if (copy.isPresent() && addIfSame(copies, past, SurvivingCopy.Keeper.SNAPSHOT, copy.get())) {
                lastHit = Optional.of(snapshot);
                return true;
            }
        }
        return false;
    }

    /**
     * The path in a snapshot of an entry that was renamed, itself or with a directory above, between it and the instant;
     * empty if it was not.
     */
    private Optional<String> formerPath(String snapshot, String path) throws IOException {
        Map<String, String> renamed = renames.get(snapshot);
        if (renamed == null) {
            renamed = readRenames(snapshot);
            renames.put(snapshot, renamed);
        }
        for (String at = path; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
            if (renamed.containsKey(at)) {
                return Optional.of(snapshot + renamed.get(at) + path.substring(at.length()));
            }
        }
        return Optional.empty();
    }

    private Map<String, String> readRenames(String snapshot) throws IOException {
        Map<String, String> renamed = new HashMap<>();
        Path place = new Path(snapshot);
        try {
            for (DiffReportEntry entry : past.getSnapshotDiffReport(
                            place.getParent().getParent(), place.getName(), "")
                    .getDiffList()) {
                if (entry.getType() == DiffType.RENAME) {
                    renamed.put("/" + text(entry.getTargetPath()), "/" + text(entry.getSourcePath()));
                }
            }
        } catch (SnapshotException | FileNotFoundException e) {
            // It was made after the instant: then, there was no such snapshot.
            return Collections.emptyMap();
        } catch (IOException e) {
            // Other snapshots may have what is looked for.
            unreadSnapshots.put(snapshot, String.valueOf(e.getMessage()).split("\n", 2)[0]);
            return Collections.emptyMap();
        }
        return renamed;
    }

    /** Returns the snapshots in which a file with another path was not looked for, each with the reason, as far as files were looked for. */
    Map<String, String> unreadSnapshots() {
        return Collections.unmodifiableMap(unreadSnapshots);
    }

    private static String text(byte[] path) {
        return DFSUtilClient.bytes2String(path);
    }

    private String relativeToRoot(String path) {
        return root.equals("/") ? path : path.substring(root.length());
    }

    /** The snapshots that may have a path; that which had the file before first. */
    private List<String> candidates(String path) {
        List<String> paths = new ArrayList<>();
        snapshots.forEach((directory, some) -> {
            if (isAtOrBelow(path, directory)) {
                paths.addAll(some);
            }
        });
        lastHit.filter(paths::remove).ifPresent(hit -> paths.add(0, hit));
        return paths;
    }

    /** The part of a path behind the directory that a snapshot is of. */
    private static String relativePath(String snapshot, String path) {
        String directory = snapshot.substring(0, snapshot.indexOf("/" + SNAPSHOTS + "/"));
        return path.substring(directory.length());
    }

    /** Adds the copy at a path if it is the past file, and returns whether it is as it was. */
    private boolean addIfSame(List<SurvivingCopy> copies, HistoricalFile past, SurvivingCopy.Keeper keeper, String path)
            throws IOException {
        Optional<FileStatus> status = findStatus(fileSystem, new Path(path));
        if (!status.isPresent()
                || !status.get().isFile()
                || ((HdfsFileStatus) status.get()).getFileId() != past.inode()) {
            return false;
        }
        FileStatus found = status.get();
        copies.add(SurvivingCopy.of(keeper, path, found.getLen(), found.getModificationTime()));
        return found.getLen() == past.bytes() && found.getModificationTime() == past.modifiedMillis();
    }

    private static String text(Path path) {
        return Path.getPathWithoutSchemeAndAuthority(path).toString();
    }
}
