/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.subtree;

import io.trefoil.tools.subtree.model.MoveStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/**
 * The lock of moves, as long as this process knows that it has it: who stood still, or was cut off, for so long that somebody else may have
 * it asks before it changes anything more. Thread-safe.
 *
 * <p>A call that was on its way already is not kept back, so it may be executed late, but never the one after it.
 */
final class HeldLock {

    /** How long an answer is good for: well within the minute for which HDFS keeps a lease for whoever has just renewed it. */
    static final Duration GOOD_FOR = Duration.ofSeconds(20);

    /** Before these it would only cost time. */
    private static final Pattern READING = Pattern.compile("(get|list)[A-Z].*");

    private final MoveStore store;
    private final long goodForNanos;
    private final LongSupplier nanos;
    private volatile long askedNanos;

    /** @param nanos goes on while this process stands still */
    HeldLock(MoveStore store, Duration goodFor, LongSupplier nanos) {
        this.store = store;
        this.goodForNanos = goodFor.toNanos();
        this.nanos = nanos;
        this.askedNanos = nanos.getAsLong() - goodForNanos;
    }

    /** @throws IOException if somebody else has it, or its keeper does not answer; nothing may be changed then */
    void require() throws IOException {
        long now = nanos.getAsLong();
        if (now - askedNanos >= goodForNanos) {
            store.requireLock();
            askedNanos = now;
        }
    }

    /** The same NameNode, which changes something only as long as this process has the lock. */
    ClientProtocol guarded(ClientProtocol nameNode) {
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (proxy, method, arguments) -> {
                    if (!READING.matcher(method.getName()).matches()) {
                        require();
                    }
                    try {
                        return method.invoke(nameNode, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
