/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The listings of several paths, each requested separately in turn: they may have different owners, and a NameNode would answer for all of
 * them together whether it owns one. One that fails is told of as HDFS does in a batch, when it is taken. For one thread.
 */
final class PathListings<T extends FileStatus> implements RemoteIterator<PartialListing<T>> {

    /** @param <T> what is listed */
    interface Listing<T> {
        List<T> list(Path path) throws IOException;
    }

    private final Iterator<Path> paths;
    private final Listing<T> listing;

    PathListings(List<Path> paths, Listing<T> listing) {
        this.paths = paths.iterator();
        this.listing = listing;
    }

    @Override
    public boolean hasNext() {
        return paths.hasNext();
    }

    @Override
    public PartialListing<T> next() {
        Path path = paths.next();
        try {
            return new PartialListing<>(path, listing.list(path));
        } catch (RemoteException e) {
            return new PartialListing<>(path, e);
        } catch (IOException e) {
            return new PartialListing<>(path, new RemoteException(e.getClass().getName(), e.getMessage()));
        }
    }
}
