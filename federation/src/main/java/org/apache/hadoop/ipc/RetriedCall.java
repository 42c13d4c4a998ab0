/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.util.function.Function;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetryCache.CacheEntry;

/**
 * A call that a client retries. It is in Hadoop's package because the keys of the retry cache are visible only there; it
 * decides nothing.
 *
 * <p>Uses the constructor of {@code RetryCache.CacheEntry}; {@code NameNode.getClientIdAndCallId}, or, where Hadoop has
 * none, {@code Server.getClientId} and {@code getCallId}.
 */
public final class RetriedCall {
    /** The expiry time in keys for look-ups, which are compared without it. */
    private static final long NEVER = Long.MAX_VALUE;
    /** The function that finds the client id and call id of this call, in its caller context if one of the given users made it. */
    private static final Function<String[], Pair<byte[], Integer>> IDS_OF_THIS_CALL = idsOfThisCall();

    private RetriedCall() {}

    /** The ids of the connection, which all calls have in Hadoop 3.3, as it has no ids in caller contexts. */
    private static Function<String[], Pair<byte[], Integer>> idsOfThisCall() {
        try {
            NameNode.class.getMethod("getClientIdAndCallId", String[].class);
            return NameNode::getClientIdAndCallId;
        } catch (NoSuchMethodException e) {
            return ipProxyUsers -> Pair.of(Server.getClientId(), Server.getCallId());
        }
    }

    /**
     * Whether HDFS has already executed the call that this thread is handling, and will repeat its answer. False of one that failed, or
     * did nothing, of methods whose calls HDFS does not remember, and if this thread has no call of a client. Any thread.
     *
     * @param cache null if HDFS keeps none
     * @param ipProxyUsers whose calls HDFS remembers by the ids in their caller contexts: Routers, whose connections have
     *     others with each repetition; null, as in HDFS, if there are none
     */
    public static boolean wasExecuted(RetryCache cache, String[] ipProxyUsers) {
        Pair<byte[], Integer> call = IDS_OF_THIS_CALL.apply(ipProxyUsers);
        byte[] clientId = call.getLeft();
        int callId = call.getRight();
        if (cache == null || callId < 0 || clientId.length != ClientId.BYTE_LENGTH) {
            return false;
        }
        CacheEntry key = new CacheEntry(clientId, callId, NEVER);
        cache.lock();
        try {
            CacheEntry known = cache.getCacheSet().get(key);
            return known != null && known.isSuccess();
        } finally {
            cache.unlock();
        }
    }
}
