/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.table.TableStore.Permit;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/**
 * The lock of moves, for as long as this process knows that it holds it: a process that was paused or cut off for so long that another one
 * may hold it checks before it changes anything else. Thread-safe.
 *
 * <p>A call that was on its way already is not kept back, so it may be executed late, but never the one after it.
 *
 * <p>No clock of this host is sure to continue while this process stands still: one stops while the host sleeps, both do
 * while a virtual machine is stopped. So an answer that is not old is good only for calls that find nothing if another process has gone
 * on: those by the ids of what was there when this process had the lock.
 */
public final class MoveLock {

    /** The time for which an answer is valid: well within the minute for which HDFS keeps a lease that was just renewed. */
    static final Duration GOOD_FOR = Duration.ofSeconds(20);

    /** The methods that need no lock, for which a check would only cost time. */
    private static final Pattern READING = Pattern.compile("(get|list)[A-Z].*");

    private final MoveStore store;
    private final Duration goodFor;
    private final LongSupplier nanos;
    private final Supplier<Instant> wall;
    private volatile Instants asked;

    /** A moment, by both clocks. */
    private static final class Instants {
        private final long nanos;
        private final Instant wall;

        Instants(long nanos, Instant wall) {
            this.nanos = nanos;
            this.wall = wall;
        }
    }

    /**
     * @param nanos continues while this process stands still, as long as its host runs
     * @param wall continues while the host sleeps, but may be set; back, and the lock is asked for again
     */
    MoveLock(MoveStore store, Duration goodFor, LongSupplier nanos, Supplier<Instant> wall) {
        this.store = store;
        this.goodFor = goodFor;
        this.nanos = nanos;
        this.wall = wall;
        this.asked = new Instants(nanos.getAsLong() - goodFor.toNanos(), wall.get());
    }

    /**
     * Checks the lock before a call that finds nothing if another process has taken over.
     *
     * @throws IOException if another process has it, or its keeper does not answer; nothing may be changed then
     */
    void requireHeld() throws IOException {
        if (!isValid(asked)) {
            requireHeldNow();
        }
    }

    private boolean isValid(Instants last) {
        Duration byWall = Duration.between(last.wall, wall.get());
        return nanos.getAsLong() - last.nanos < goodFor.toNanos()
                && !byWall.isNegative()
                && byWall.compareTo(goodFor) < 0;
    }

    /**
     * Checks the lock, whatever the clocks show, before a call that would do harm if another process has taken over. What
     * was read before was there while this process had the lock.
     */
    void requireHeldNow() throws IOException {
        Instants now = new Instants(nanos.getAsLong(), wall.get());
        store.requireLock();
        asked = now;
    }

    /** A proxy of a NameNode that changes something only as long as this process holds the lock, for calls by ids. */
    ClientProtocol guarded(ClientProtocol nameNode) {
        return guarded(nameNode, this::requireHeld);
    }

    /** A proxy of a NameNode that asks for a permit before each call that changes something. */
    public static ClientProtocol guarded(ClientProtocol nameNode, Permit permit) {
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (proxy, method, arguments) -> {
                    if (!READING.matcher(method.getName()).matches()) {
                        permit.requirePermitted();
                    }
                    try {
                        return method.invoke(nameNode, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
