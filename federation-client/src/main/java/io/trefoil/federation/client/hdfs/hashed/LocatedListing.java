/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.hashed;

import io.trefoil.federation.client.hashed.HashedLayout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * The entries of a directory by name, with the blocks of its files. Each nameservice lists its part page by page, a page with its locations
 * by one call: so a file has the locations of the moment at which it was listed, whatever becomes of it afterwards. All first pages
 * are read at the beginning, and the others when they are wanted, as those of HDFS are. Parts are listed by id, also if the directory
 * gets another name meanwhile.
 *
 * <p>For one thread, as all iterators are; its calls wait for the nameservices.
 */
final class LocatedListing implements RemoteIterator<LocatedFileStatus> {

    /** Finds a file that is in a nameservice other than its name's. */
    interface RelocatedFileFinder {
        /** The file at a path; empty if it no longer exists. */
        Optional<LocatedFileStatus> find(Path path) throws IOException;
    }

    /** The part of the directory in one nameservice. */
    private static final class Part {
        final int group;
        final String path;
        final List<HdfsEntry> marks = new ArrayList<>();

        /** The rest of the last page read. */
        final Deque<LocatedFileStatus> entries = new ArrayDeque<>();

        byte[] last = HdfsFileStatus.EMPTY_NAME;
        boolean hasMore = true;

        Part(int group, long number) {
            this.group = group;
            this.path = HashedLayout.inodePath(number);
        }

        /** The name of the next entry. */
        String name() {
            return entries.getFirst().getPath().getName();
        }
    }

    private final NameservicesFileSystem.ResolvedPath resolvedPath;
    private final Path directory;
    private final PathFilter filter;
    private final RelocatedFileFinder relocatedFiles;
    private final List<Part> parts = new ArrayList<>();
    private boolean isOver;

    private LocatedListing(
            NameservicesFileSystem.ResolvedPath resolvedPath,
            Path directory,
            PathFilter filter,
            RelocatedFileFinder relocatedFiles) {
        this.resolvedPath = resolvedPath;
        this.directory = directory;
        this.filter = filter;
        this.relocatedFiles = relocatedFiles;
    }

    /**
     * @param directory the whole path
     * @param filter of the paths that are wanted
     * @return empty if there is no such directory
     */
    static Optional<RemoteIterator<LocatedFileStatus>> of(
            NameservicesFileSystem.ResolvedPath resolvedPath,
            Path directory,
            PathFilter filter,
            RelocatedFileFinder relocatedFiles)
            throws IOException {
        LocatedListing all = new LocatedListing(resolvedPath, directory, filter, relocatedFiles);
        for (int group = 0; group < resolvedPath.directory.groups.size(); group++) {
            OptionalLong number = resolvedPath.directory.tree.findPartId(group, resolvedPath.path);
            if (!number.isPresent()) {
                return Optional.empty();
            }
            all.parts.add(new Part(group, number.getAsLong()));
        }
        all.nextPart();
        return Optional.of(all);
    }

    @Override
    public boolean hasNext() throws IOException {
        return nextPart().isPresent();
    }

    @Override
    public LocatedFileStatus next() throws IOException {
        return nextPart()
                .orElseThrow(() -> new NoSuchElementException("No more entries in " + directory))
                .entries
                .removeFirst();
    }

    /** The part that contains the next entry. */
    private Optional<Part> nextPart() throws IOException {
        for (Part part : parts) {
            while (part.entries.isEmpty() && part.hasMore) {
                readPage(part);
            }
        }
        Optional<Part> first =
                parts.stream().filter(one -> !one.entries.isEmpty()).min(Comparator.comparing(Part::name));
        if (!first.isPresent() && !isOver) {
            isOver = true;
            resolvedPath.directory.tree.complete(
                    resolvedPath.path, parts.stream().map(one -> one.marks).collect(Collectors.toList()));
        }
        return first;
    }

    private void readPage(Part part) throws IOException {
        DirectoryListing page = resolvedPath
                .directory
                .groups
                .get(part.group)
                .listLocatedPage(part.path, part.last)
                .orElseThrow(() -> new FileNotFoundException("File does not exist: " + directory));
        part.last = page.getLastName();
        part.hasMore = page.hasMore();
        for (HdfsFileStatus status : page.getPartialListing()) {
            toStatusIfAccepted(part, (HdfsLocatedFileStatus) status).ifPresent(part.entries::add);
        }
    }

    private Optional<LocatedFileStatus> toStatusIfAccepted(Part part, HdfsLocatedFileStatus status) throws IOException {
        HdfsEntry entry = new HdfsEntry(status);
        if (HashedLayout.isMark(entry.name())) {
            part.marks.add(entry);
        }
        Path path = new Path(directory, entry.name());
        Optional<HdfsEntry> listed = filter.accept(path)
                ? resolvedPath.directory.tree.resolveEntry(resolvedPath.path, part.group, entry)
                : Optional.empty();
        if (!listed.isPresent()) {
            return Optional.empty();
        }
        return status.isDirectory() && !listed.get().isDirectory()
                ? relocatedFiles.find(path)
                : Optional.of(status.makeQualifiedLocated(directory.toUri(), directory));
    }

    /**
     * Reads a file with its blocks in one call.
     *
     * @param there where the nameservice has it
     * @param path that its caller knows
     * @throws FileNotFoundException also for a directory, as a name is one whose file is elsewhere
     */
    static LocatedFileStatus fetchLocatedStatus(DistributedFileSystem nameservice, Path there, Path path)
            throws IOException {
        HdfsLocatedFileStatus file = nameservice.getClient().getLocatedFileInfo(there.toString(), false);
        if (file == null || file.isDirectory()) {
            throw new FileNotFoundException("File does not exist: " + path);
        }
        LocatedFileStatus located = file.makeQualifiedLocated(nameservice.getUri(), there);
        located.setPath(path);
        return located;
    }
}
