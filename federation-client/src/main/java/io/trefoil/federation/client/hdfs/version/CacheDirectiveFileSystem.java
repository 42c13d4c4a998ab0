/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * The calls about cache directives, each to one nameservice. Hadoop's client removes or changes a directive of that id in all of them,
 * and fails to list it unless all have one, but ids are a nameservice's own and begin at 1 in each. Thread-safe.
 */
abstract class CacheDirectiveFileSystem extends ParentPathFileSystem {

    /** Whether there is a table, and not just a single nameservice. */
    abstract boolean followsTable();

    /** The clients of all nameservices of the table, possibly several of one. */
    abstract List<DistributedFileSystem> nameservices();

    @Override
    public long addCacheDirective(CacheDirectiveInfo info) throws IOException {
        return followsTable() && info.getPath() != null
                ? ownerClient(info.getPath()).addCacheDirective(withoutAuthority(info))
                : super.addCacheDirective(info);
    }

    @Override
    public long addCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags) throws IOException {
        return followsTable() && info.getPath() != null
                ? ownerClient(info.getPath()).addCacheDirective(withoutAuthority(info), flags)
                : super.addCacheDirective(info, flags);
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo info) throws IOException {
        if (followsTable()) {
            findHolder(info).modifyCacheDirective(withoutAuthority(info));
        } else {
            super.modifyCacheDirective(info);
        }
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags) throws IOException {
        if (followsTable()) {
            findHolder(info).modifyCacheDirective(withoutAuthority(info), flags);
        } else {
            super.modifyCacheDirective(info, flags);
        }
    }

    @Override
    public void removeCacheDirective(long id) throws IOException {
        if (followsTable()) {
            findHolder(id).removeCacheDirective(id);
        } else {
            super.removeCacheDirective(id);
        }
    }

    @Override
    public RemoteIterator<CacheDirectiveEntry> listCacheDirectives(CacheDirectiveInfo filter) throws IOException {
        if (!followsTable() || filter == null) {
            return super.listCacheDirectives(filter);
        }
        if (filter.getPath() != null) {
            return ownerClient(filter.getPath()).listCacheDirectives(withoutAuthority(filter));
        }
        return filter.getId() == null ? super.listCacheDirectives(filter) : directivesById(filter);
    }

    /** The directives with an id, one of each nameservice that has it. */
    private RemoteIterator<CacheDirectiveEntry> directivesById(CacheDirectiveInfo filter) throws IOException {
        List<CacheDirectiveEntry> entries = new ArrayList<>();
        for (DistributedFileSystem holder : findHolders(filter.getId()).values()) {
            RemoteIterator<CacheDirectiveEntry> itsOwn = holder.listCacheDirectives(filter);
            while (itsOwn.hasNext()) {
                entries.add(itsOwn.next());
            }
        }
        return RemoteIterators.remoteIteratorFromIterable(entries);
    }

    private CacheDirectiveInfo withoutAuthority(CacheDirectiveInfo info) {
        return info.getPath() == null
                ? info
                : new CacheDirectiveInfo.Builder(info)
                        .setPath(withoutAuthority(info.getPath()))
                        .build();
    }

    private DistributedFileSystem findHolder(CacheDirectiveInfo change) throws IOException {
        if (change.getId() == null) {
            throw new InvalidRequestException("A change of a cache directive wants its id");
        }
        DistributedFileSystem holder = findHolder(change.getId());
        if (change.getPath() != null && !ownerClient(change.getPath()).getUri().equals(holder.getUri())) {
            throw new InvalidRequestException("The cache directive " + change.getId() + " is at " + holder.getUri()
                    + ", which does not own " + change.getPath() + "; remove it there and add another one");
        }
        return holder;
    }

    /** The only nameservice that has a directive of this id. */
    private DistributedFileSystem findHolder(long id) throws IOException {
        Map<URI, DistributedFileSystem> holders = findHolders(id);
        URI first = holders.keySet().iterator().next();
        if (holders.size() > 1) {
            throw new InvalidRequestException("Each of " + holders.keySet() + " has a cache directive " + id
                    + " of its own; name the nameservice whose you mean, as " + first + "/");
        }
        return holders.get(first);
    }

    /** The clients of all nameservices that have a directive with this id; there is at least one. */
    private Map<URI, DistributedFileSystem> findHolders(long id) throws IOException {
        Map<URI, DistributedFileSystem> holders = new TreeMap<>();
        for (DistributedFileSystem nameservice : nameservices()) {
            if (!holders.containsKey(nameservice.getUri()) && hasDirective(nameservice, id)) {
                holders.put(nameservice.getUri(), nameservice);
            }
        }
        if (holders.isEmpty()) {
            throw new InvalidRequestException("No nameservice of " + getUri() + " has a cache directive " + id);
        }
        return holders;
    }

    /** Whether a nameservice has a directive, even one that the caller may not read: the answer then omits it, but nothing is refused. */
    private static boolean hasDirective(DistributedFileSystem nameservice, long id) throws IOException {
        RemoteIterator<CacheDirectiveEntry> iterator = nameservice.listCacheDirectives(
                new CacheDirectiveInfo.Builder().setId(id).build());
        try {
            // The first step asks.
            iterator.hasNext();
            return true;
        } catch (RemoteException e) {
            if (e.unwrapRemoteException(InvalidRequestException.class) instanceof InvalidRequestException) {
                return false;
            }
            throw e;
        }
    }
}
