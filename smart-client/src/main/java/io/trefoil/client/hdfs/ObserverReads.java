/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.MemberAnswer;
import io.trefoil.client.MemberSites;
import io.trefoil.client.ReadBalancer;
import io.trefoil.client.hdfs.state.SharedStates;
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
 * Decides which calls go to standbys in observer state, and to which of them.
 *
 * <p>With each call, a client states up to which transaction it has seen the namespace, and an observer answers once it
 * has applied that transaction. So no call goes to an observer before the active has told the client its own state, and
 * none ever does if the servers do not report their state.
 *
 * <p>Uses {@code ClientGSIContext}, {@code HAProxyFactory.setAlignmentContext}, the annotation {@code ReadOnly}.
 */
final class ObserverReads<T> {
    /** The prefix of the auto-msync setting, shared with {@code ObserverReadProxyProvider}; followed by the nameservice. */
    static final String AUTO_MSYNC_PERIOD = "dfs.client.failover.observer.auto-msync-period.";

    /**
     * The observer probe setting, shared with {@code ObserverReadProxyProvider}, whose default of ten minutes is too
     * long for a new observer.
     */
    static final String PROBE_RETRY_PERIOD = "dfs.client.failover.observer.probe.retry.period";

    private static final long REFRESH_MILLIS = 30_000;
    private static final long MIN_REFRESH_MILLIS = 1_000;

    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier seenTxid;
    private final long refreshNanos;
    private final long msyncNanos;
    private final MemberSites<NameNodeMember<T>> sites;
    private final ReadBalancer<NameNodeMember<T>> balancer = new ReadBalancer<>();
    private final AtomicLong askAt = new AtomicLong(System.nanoTime());
    private volatile long asked = askAt.get() - SOONEST_NANOS;
    private volatile long syncedAt = System.nanoTime();

    private ObserverReads(String site, LongSupplier seenTxid, long refreshNanos, long msyncNanos) {
        this.sites = new MemberSites<>(site);
        this.seenTxid = seenTxid;
        this.refreshNanos = refreshNanos;
        this.msyncNanos = msyncNanos;
    }

    /** Sends all calls to the active. */
    static <T> ObserverReads<T> none() {
        return new ObserverReads<>("", () -> 0, Long.MAX_VALUE, -1);
    }

    /** Creates the observer reads for the client protocol; calls of all other interfaces go to the active. */
    static <T> ObserverReads<T> of(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        String site = ClientSetting.SITE.identifier(conf, uri.getHost());
        long refresh = Math.max(
                MIN_REFRESH_MILLIS, conf.getTimeDuration(PROBE_RETRY_PERIOD, REFRESH_MILLIS, TimeUnit.MILLISECONDS));
        if (!ClientProtocol.class.isAssignableFrom(xface)) {
            return none();
        }
        ClientGSIContext context = new ClientGSIContext();
        factory.setAlignmentContext(SharedStates.contextFor(conf, uri, context));
        long msync = conf.getTimeDuration(AUTO_MSYNC_PERIOD + uri.getHost(), -1, TimeUnit.MILLISECONDS);
        return new ObserverReads<>(
                site,
                context::getLastSeenStateId,
                TimeUnit.MILLISECONDS.toNanos(refresh),
                TimeUnit.MILLISECONDS.toNanos(msync));
    }

    /** Whether a call may go to an observer, if there is one. */
    boolean mayGoToObserver(Method method) {
        ReadOnly read = method.getAnnotation(ReadOnly.class);
        return read != null && !read.activeOnly() && seenTxid.getAsLong() > 0;
    }

    /**
     * Gives a read to an observer; empty if none is known to answer, or if the active is nearer than all that do.
     *
     * @param active the active, as far as known
     */
    Optional<ReadBalancer<NameNodeMember<T>>.Read> begin(Optional<NameNodeMember<T>> active) {
        return balancer.begin(sites.farthest(active));
    }

    /** Records a member's answer about its role; a member that owes an answer, or cannot be probed, gets no reads. */
    void recordAnswer(NameNodeMember<T> member, MemberAnswer answer) {
        sites.recordAnswer(member, answer);
        if (answer.role() == MemberAnswer.ReportedRole.OBSERVER) {
            balancer.include(member, sites.distanceOf(member));
        } else {
            balancer.exclude(member);
        }
    }

    /** Records that a member no longer belongs to the group. */
    void forget(NameNodeMember<T> member) {
        balancer.exclude(member);
        sites.forget(member);
    }

    /** Whether all members must be probed for their roles; a caller that gets true must do that. */
    boolean mustProbeRoles() {
        long due = askAt.get();
        long now = System.nanoTime();
        long next = now + refreshNanos / 2 + ThreadLocalRandom.current().nextLong(refreshNanos / 2);
        if (now - due < 0 || !askAt.compareAndSet(due, next)) {
            return false;
        }
        asked = now;
        return true;
    }

    /** Records that an observer did not serve a read, so that roles may have changed: probes soon, but not after every such read. */
    void probeSoon() {
        long soon = asked + SOONEST_NANOS;
        askAt.updateAndGet(due -> due - soon < 0 ? due : soon);
    }

    /** Whether the client must ask the active for its current transaction before it reads from an observer. */
    boolean mustMsync() {
        return msyncNanos >= 0 && System.nanoTime() - syncedAt >= msyncNanos;
    }

    /** Records an answer of the active to a call that began at this time. */
    void recordSync(long startNanos) {
        syncedAt = startNanos;
    }
}
