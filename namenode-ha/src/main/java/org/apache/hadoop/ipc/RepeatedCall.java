/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import org.apache.commons.lang3.tuple.Pair;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetryCache.CacheEntry;

/**
 * A call that a client sends again. It is in Hadoop's package because the keys of the retry cache are visible only there; it
 * decides nothing.
 *
 * <p>Uses the constructor of {@code RetryCache.CacheEntry}; {@code NameNode.getClientIdAndCallId}.
 */
public final class RepeatedCall {
    /** No key is compared by it. */
    private static final long NEVER = Long.MAX_VALUE;

    private RepeatedCall() {}

    /**
     * Whether HDFS has executed the call that this thread has, and will give its answer again. False of one that failed, or
     * did nothing, of methods whose calls HDFS does not remember, and if this thread has no call of a client. Any thread.
     *
     * @param cache null if HDFS keeps none
     * @param ipProxyUsers whose calls HDFS remembers by the ids in their caller contexts: Routers, whose connections have
     *     others with each repetition; null, as in HDFS, if there are none
     */
    public static boolean wasExecuted(RetryCache cache, String[] ipProxyUsers) {
        Pair<byte[], Integer> call = NameNode.getClientIdAndCallId(ipProxyUsers);
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
