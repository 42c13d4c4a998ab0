/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The NameNode that programs find below a table's file system, as HBase's writer of logs and Hive do, which then use bare paths. Calls for
 * one file or directory go to its owner by the newest version of the table, those for a block to the nameservice of its pool.
 *
 * <p>While a table has entries, calls are refused that tell the ids of files, or of what several owners have: ids are of one
 * nameservice, and a program that asks for them here, as Hive's cache does, takes two files of one id for the same. The refusal is an
 * {@code UnsupportedOperationException}, upon which Hive uses the file system itself. Unknown methods are refused too.
 *
 * <p>Thread-safe.
 */
public final class RoutedNameNode implements InvocationHandler, Closeable {

    /** The calls whose first argument, unless stated otherwise, is their path. */
    static final Set<String> PATH_CALLS = set(
            "abandonBlock",
            "addBlock",
            "allowSnapshot",
            "append",
            "checkAccess",
            "complete",
            "create",
            "createEncryptionZone",
            "createSnapshot",
            "deleteSnapshot",
            "disallowSnapshot",
            "fsync",
            "getAclStatus",
            "getAdditionalDatanode",
            "getBlockLocations",
            "getEZForPath",
            "getErasureCodingPolicy",
            "getPreferredBlockSize",
            "getSnapshotListing",
            "getStoragePolicy",
            "getXAttrs",
            "isFileClosed",
            "listXAttrs",
            "mkdirs",
            "modifyAclEntries",
            "recoverLease",
            "reencryptEncryptionZone",
            "removeAcl",
            "removeAclEntries",
            "removeDefaultAcl",
            "removeXAttr",
            "renameSnapshot",
            "satisfyStoragePolicy",
            "setAcl",
            "setErasureCodingPolicy",
            "setOwner",
            "setPermission",
            "setQuota",
            "setReplication",
            "setStoragePolicy",
            "setTimes",
            "setXAttr",
            "truncate",
            "unsetErasureCodingPolicy",
            "unsetStoragePolicy");

    /** The methods of {@link #PATH_CALLS} that the old owner of a subtree would execute on the sealed directory itself. */
    static final Set<String> ADMINISTRATOR_CALLS = set(
            "allowSnapshot",
            "createEncryptionZone",
            "createSnapshot",
            "deleteSnapshot",
            "disallowSnapshot",
            "reencryptEncryptionZone",
            "renameSnapshot",
            "satisfyStoragePolicy",
            "setErasureCodingPolicy",
            "setQuota",
            "setStoragePolicy",
            "unsetErasureCodingPolicy",
            "unsetStoragePolicy");

    /** The calls for blocks, by the ids of their pools. */
    static final Set<String> BLOCK_CALLS = set("reportBadBlocks", "updateBlockForPipeline", "updatePipeline");

    /** The calls that must reach each nameservice with an open file, or every nameservice. */
    static final Set<String> FANNED_OUT_CALLS = set("msync", "renewLease");

    /** The calls without a path that any nameservice can answer, or that administrators send to the owner of the root. */
    static final Set<String> ROOT_CALLS = set(
            "addCachePool",
            "addErasureCodingPolicies",
            "disableErasureCodingPolicy",
            "enableErasureCodingPolicy",
            "finalizeUpgrade",
            "getCurrentEditLogTxid",
            "getDataEncryptionKey",
            "getDatanodeReport",
            "getDatanodeStorageReport",
            "getECBlockGroupStats",
            "getECTopologyResultForPolicies",
            "getEditsFromTxid",
            "getErasureCodingCodecs",
            "getErasureCodingPolicies",
            "getHAServiceState",
            "getReplicatedBlockStats",
            "getServerDefaults",
            "getSlowDatanodeReport",
            "getSnapshottableDirListing",
            "getStats",
            "getStoragePolicies",
            "listCachePools",
            "listEncryptionZones",
            "listReencryptionStatus",
            "metaSave",
            "modifyCachePool",
            "refreshNodes",
            "removeCachePool",
            "removeErasureCodingPolicy",
            "restoreFailedStorage",
            "rollEdits",
            "rollingUpgrade",
            "saveNamespace",
            "setBalancerBandwidth",
            "setSafeMode",
            "upgradeStatus");

    /** The calls that open a file, whose lease must be renewed on its owner. */
    private static final Set<String> OPENS = set("append", "create");

    private static final String RESERVED = "/.reserved/";

    /** A view of the table's versions that follows the table. */
    public interface Table {

        SubtreeView currentView();

        /** The view of the newest version. */
        SubtreeView refreshedView();

        /** Performs a call with the newest version that it needs, and repeats it like {@code RefreshingTable} repeats calls that create. */
        Object call(Path path, OwnerCall call) throws IOException;

        /** Performs a call after a check for a newer version. */
        Object callFresh(Path path, OwnerCall call) throws IOException;
    }

    /** A call to the nameservice that owns a path. */
    public interface OwnerCall {
        Object call(SubtreeView view) throws IOException;
    }

    private final Table table;

    /** The nameservices in which this client has opened files. */
    private final Set<String> writers = ConcurrentHashMap.newKeySet();

    /** The nameservice of each known block pool. */
    private final Map<String, String> pools = new ConcurrentHashMap<>();

    private RoutedNameNode(Table table) {
        this.table = table;
    }

    public static ClientProtocol newProxy(Table table) {
        return (ClientProtocol) Proxy.newProxyInstance(
                RoutedNameNode.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                new RoutedNameNode(table));
    }

    private static Set<String> set(String... names) {
        return Collections.unmodifiableSet(new HashSet<>(Arrays.asList(names)));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return method.getName().equals("equals") ? proxy == args[0] : method.invoke(this, args);
        }
        String name = method.getName();
        if (PATH_CALLS.contains(name)) {
            return routeByPath(method, args);
        }
        if (BLOCK_CALLS.contains(name)) {
            return perform(clientOfPool(poolIdOf(args)), method, args);
        }
        if (name.equals("msync")) {
            table.currentView().msync();
            return null;
        }
        if (name.equals("renewLease")) {
            renewLeases(method, args);
            return null;
        }
        if (ROOT_CALLS.contains(name)) {
            return perform(table.currentView().rootOwner(), method, args);
        }
        SubtreeView newest = table.refreshedView();
        if (newest.owners().hasOneOwner()) {
            return perform(newest.rootOwner(), method, args);
        }
        throw newRefusal(name + " does not say which nameservice it is for, or tells numbers of files that are of one");
    }

    private static UnsupportedOperationException newRefusal(String reason) {
        return new UnsupportedOperationException(
                "The client of NameNodes below a file system with a table of subtrees: " + reason
                        + "; call the FileSystem itself, or name one nameservice, as hdfs://NAMESERVICE");
    }

    private Object routeByPath(Method method, Object[] args) throws IOException {
        String text = (String) args[method.getName().equals("abandonBlock") ? 2 : 0];
        if (text.startsWith(RESERVED)) {
            throw newRefusal(text + " is another file in each nameservice");
        }
        Path path = new Path(text);
        OwnerCall call = view -> {
            if (view.isHashed(path)) {
                throw newRefusal(text + " is in a hashed directory, whose files are in several nameservices");
            }
            DistributedFileSystem owner = view.ownerClient(path);
            String authority = owner.getUri().getAuthority();
            if (OPENS.contains(method.getName())) {
                // Before: it may be open although the answer is lost.
                writers.add(authority);
            }
            Object result = performKnown(owner, method, args);
            recordPoolOwner(result, authority);
            return result;
        };
        return ADMINISTRATOR_CALLS.contains(method.getName()) ? table.callFresh(path, call) : table.call(path, call);
    }

    /** Performs a call, with unwrapped exceptions for the cases in which it is repeated with a newer version. */
    private static Object performKnown(DistributedFileSystem owner, Method method, Object[] args) throws IOException {
        try {
            return perform(owner, method, args);
        } catch (RemoteException e) {
            throw e.unwrapRemoteException(
                    NSQuotaExceededException.class, FileNotFoundException.class, AccessControlException.class);
        }
    }

    private static Object perform(DistributedFileSystem owner, Method method, Object[] args) throws IOException {
        try {
            return method.invoke(owner.getClient().getNamenode(), args);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException) {
                throw (IOException) cause;
            }
            if (cause instanceof RuntimeException) {
                throw (RuntimeException) cause;
            }
            throw (Error) cause;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private void recordPoolOwner(Object result, String owner) {
        if (result instanceof LocatedBlock) {
            recordPoolOwner(((LocatedBlock) result).getBlock(), owner);
        } else if (result instanceof LocatedBlocks) {
            ((LocatedBlocks) result).getLocatedBlocks().forEach(located -> recordPoolOwner(located.getBlock(), owner));
        } else if (result instanceof LastBlockWithStatus && ((LastBlockWithStatus) result).getLastBlock() != null) {
            recordPoolOwner(((LastBlockWithStatus) result).getLastBlock().getBlock(), owner);
        }
    }

    private void recordPoolOwner(ExtendedBlock block, String owner) {
        pools.put(block.getBlockPoolId(), owner);
    }

    private static String poolIdOf(Object[] args) {
        for (Object arg : args) {
            if (arg instanceof ExtendedBlock) {
                return ((ExtendedBlock) arg).getBlockPoolId();
            }
            if (arg instanceof LocatedBlock[] && ((LocatedBlock[]) arg).length > 0) {
                return ((LocatedBlock[]) arg)[0].getBlock().getBlockPoolId();
            }
        }
        return "";
    }

    private DistributedFileSystem clientOfPool(String pool) throws IOException {
        String owner = pools.get(pool);
        if (owner == null) {
            throw new IOException("No file with blocks of pool '" + pool + "' was opened by this client");
        }
        return table.currentView().nameservice(owner);
    }

    /**
     * Renews the leases on each nameservice with writers: files in one must not lose their leases because another one does not answer. The
     * call fails only if no nameservice renews, because HDFS's client aborts all files upon some failures. Where one did not, the next
     * renewal comes well within its limit.
     */
    private void renewLeases(Method method, Object[] args) throws IOException {
        IOException failure = null;
        boolean isRenewed = false;
        for (String writer : writers) {
            try {
                perform(table.currentView().nameservice(writer), method, args);
                isRenewed = true;
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null && !isRenewed) {
            throw failure;
        }
    }

    /** Does nothing, as the file system closes the nameservices' clients. */
    @Override
    public void close() {}
}
