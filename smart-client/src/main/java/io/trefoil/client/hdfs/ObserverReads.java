/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.MemberAnswer;
import io.trefoil.client.MemberSites;
import io.trefoil.client.ReadSpread;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ClientGSIContext;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;

/**
 * Which calls go to standbys in observer state, and to which of them.
 *
 * <p>With each call, a client says up to which transaction it has seen the namespace, and an observer answers when it
 * has come that far. So no call goes to an observer before the active has told the client its own state, and none ever
 * if the servers do not report their state.
 *
 * <p>Uses {@code ClientGSIContext}, {@code HAProxyFactory.setAlignmentContext}, the annotation {@code ReadOnly}.
 */
final class ObserverReads<T> {
    /** The same as for {@code ObserverReadProxyProvider}, followed by the nameservice. */
    static final String AUTO_MSYNC_PERIOD = "dfs.client.failover.observer.auto-msync-period.";

    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier seenTxid;
    private final long refreshNanos;
    private final long msyncNanos;
    private final MemberSites<NameNodeMember<T>> sites;
    private final ReadSpread<NameNodeMember<T>> spread = new ReadSpread<>();
    private final AtomicLong askAt = new AtomicLong(System.nanoTime());
    private volatile long asked = askAt.get() - SOONEST_NANOS;
    private volatile long syncedAt = System.nanoTime();

    private ObserverReads(String site, LongSupplier seenTxid, long refreshNanos, long msyncNanos) {
        this.sites = new MemberSites<>(site);
        this.seenTxid = seenTxid;
        this.refreshNanos = refreshNanos;
        this.msyncNanos = msyncNanos;
    }

    /** All calls go to the active. */
    static <T> ObserverReads<T> none() {
        return new ObserverReads<>("", () -> 0, Long.MAX_VALUE, -1);
    }

    /** For the client protocol; all calls of other interfaces go to the active. */
    static <T> ObserverReads<T> of(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        String site = ClientSetting.SITE.word(conf, uri.getHost());
        long refresh = ClientSetting.OBSERVER_REFRESH.time(conf, uri.getHost()).toNanos();
        if (!ClientProtocol.class.isAssignableFrom(xface)) {
            return none();
        }
        ClientGSIContext context = new ClientGSIContext();
        factory.setAlignmentContext(context);
        long msync = conf.getTimeDuration(AUTO_MSYNC_PERIOD + uri.getHost(), -1, TimeUnit.MILLISECONDS);
        return new ObserverReads<>(site, context::getLastSeenStateId, refresh, TimeUnit.MILLISECONDS.toNanos(msync));
    }

    /** Whether a call may go to an observer, if there is one. */
    boolean takes(Method method) {
        ReadOnly read = method.getAnnotation(ReadOnly.class);
        return read != null && !read.activeOnly() && seenTxid.getAsLong() > 0;
    }

    /**
     * Gives a read to an observer; empty if none is known that answers, or the active is nearer than all that do.
     *
     * @param active as far as is known
     */
    Optional<ReadSpread<NameNodeMember<T>>.Read> begin(Optional<NameNodeMember<T>> active) {
        return spread.begin(sites.farthest(active));
    }

    /** What a member answered when it was asked; one that owes the answer, or cannot be asked, gets no reads. */
    void heard(NameNodeMember<T> member, MemberAnswer answer) {
        sites.heard(member, answer);
        if (answer.role() == MemberAnswer.ReportedRole.OBSERVER) {
            spread.takeIn(member, sites.of(member));
        } else {
            spread.leaveOut(member);
        }
    }

    /** A member belongs to the group no more. */
    void forget(NameNodeMember<T> member) {
        spread.leaveOut(member);
        sites.forget(member);
    }

    /** Whether all members are to be asked for their role; a caller that is told so must ask. */
    boolean mustAsk() {
        long due = askAt.get();
        long now = System.nanoTime();
        long next = now + refreshNanos / 2 + ThreadLocalRandom.current().nextLong(refreshNanos / 2);
        if (now - due < 0 || !askAt.compareAndSet(due, next)) {
            return false;
        }
        asked = now;
        return true;
    }

    /** A read came back from an observer: the roles may have changed. Asked soon, but not by each read. */
    void askSoon() {
        long soon = asked + SOONEST_NANOS;
        askAt.updateAndGet(due -> due - soon < 0 ? due : soon);
    }

    /** Whether the client must ask the active how far it is before it reads from an observer. */
    boolean mustSync() {
        return msyncNanos >= 0 && System.nanoTime() - syncedAt >= msyncNanos;
    }

    /** The active has answered a call that began then. */
    void synced(long began) {
        syncedAt = began;
    }
}
