/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import io.trefoil.federation.client.hdfs.version.SubtreeView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * Listings of directories: an empty listing is repeated with a newer version of the table, and all results have paths of the federation.
 * Thread-safe; an iterator is for one thread.
 */
abstract class ListingFileSystem extends RetryingFileSystem {

    @Override
    public FileStatus[] listStatus(Path p) throws IOException {
        try {
            return table().call(p, view -> view.listStatus(p), found -> found.length == 0);
        } catch (FileNotFoundException e) {
            throw missingDirectoryException(p, e);
        }
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f, PathFilter filter) throws IOException {
        RemoteIterator<LocatedFileStatus> all;
        try {
            all = table().call(f, view -> view.listLocatedStatus(f), found -> !found.hasNext());
        } catch (FileNotFoundException e) {
            throw missingDirectoryException(f, e);
        }
        // Hadoop's forgets the filter where it follows a table.
        return RemoteIterators.filteringRemoteIterator(all, status -> filter.accept(status.getPath()));
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path p) throws IOException {
        RemoteIterator<FileStatus> found;
        try {
            found = table().call(p, view -> view.listStatusIterator(p), all -> !all.hasNext());
        } catch (FileNotFoundException e) {
            throw missingDirectoryException(p, e);
        }
        // Hadoop's names the owner, or what is inside for hashed directories, which callers cannot use with this
        // client.
        return new RemoteIterator<FileStatus>() {
            @Override
            public boolean hasNext() throws IOException {
                return found.hasNext();
            }

            @Override
            public FileStatus next() throws IOException {
                FileStatus status = found.next();
                status.setPath(makeQualified(new Path(status.getPath().toUri().getPath())));
                return status;
            }
        };
    }

    /**
     * An exception for a missing directory, unless the directory is an entry of the table. Callers that expand patterns take
     * a missing directory for an empty one, but an entry exists, whatever its owner has.
     */
    private IOException missingDirectoryException(Path directory, FileNotFoundException missing) {
        SubtreeView view = table().currentView();
        if (table().isFixed() || !view.isEntry(directory)) {
            return missing;
        }
        String owner =
                view.owners().ownerOf(view.withoutAuthority(directory).toUri().getPath());
        PathIOException lost = new PathIOException(
                directory.toString(),
                "is an entry of the table, and its owner, " + owner
                        + ", has no such directory: a superuser makes it there");
        lost.initCause(missing);
        return lost;
    }

    @Override
    public RemoteIterator<PartialListing<FileStatus>> batchedListStatusIterator(List<Path> paths) throws IOException {
        return table().isFixed()
                ? table().currentView().batchedListStatusIterator(paths)
                : new PathListings<>(paths, path -> Arrays.asList(listStatus(path)));
    }

    @Override
    public RemoteIterator<PartialListing<LocatedFileStatus>> batchedListLocatedStatusIterator(List<Path> paths)
            throws IOException {
        return table().isFixed()
                ? table().currentView().batchedListLocatedStatusIterator(paths)
                : new PathListings<>(paths, path -> toList(listLocatedStatus(path)));
    }

    private static <T> List<T> toList(RemoteIterator<T> iterator) throws IOException {
        List<T> all = new ArrayList<>();
        while (iterator.hasNext()) {
            all.add(iterator.next());
        }
        return all;
    }
}
