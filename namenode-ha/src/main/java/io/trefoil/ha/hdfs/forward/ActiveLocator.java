/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.ForwardTarget;
import io.trefoil.journal.model.NodeAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Finds the pool node of the active, only on hosts named in this NameNode's own configuration: the view comes from
 * ZooKeeper, and a process that can write there must not receive clients' calls. If the view names a host differently,
 * by its address or by a short name, it counts as a configured host if both names resolve to a common address. The
 * connection then uses the configured name, so that no unconfigured name is resolved again.
 *
 * <p>Thread-safe, and waits for nothing: it looks names up on a separate thread, one at a time and at most once in 30
 * s, since name servers may take seconds to answer and clients' calls hold a handler. Until then the last result
 * counts, and a host that was never looked up counts as unknown.
 */
public final class ActiveLocator implements Supplier<Optional<NodeAddress>> {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Supplier<Optional<NodeAddress>> publishedNode;
    private final Supplier<? extends Collection<String>> hosts;
    private final Resolver resolver;
    private final LongSupplier nanoTime;
    private final Executor callerLookups;
    /** The result for the last host that has another name; the next such host is nearly always the same. */
    private volatile LookupResult last;

    private final AtomicBoolean isLookingUp = new AtomicBoolean();

    /** The addresses of a host. */
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** The result of a lookup. */
    private static final class LookupResult {
        final String host;
        final Optional<String> configured;
        final long nanos;

        LookupResult(String host, Optional<String> configured, long lookedUpAtNanos) {
            this.host = host;
            this.configured = configured;
            this.nanos = lookedUpAtNanos;
        }
    }

    ActiveLocator(
            Supplier<Optional<NodeAddress>> publishedNode,
            Supplier<? extends Collection<String>> hosts,
            Resolver resolver,
            LongSupplier nanoTime,
            Executor callerLookups) {
        this.publishedNode = publishedNode;
        this.hosts = hosts;
        this.resolver = resolver;
        this.nanoTime = nanoTime;
        this.callerLookups = callerLookups;
        this.last = new LookupResult("", Optional.<String>empty(), nanoTime.getAsLong());
    }

    /**
     * Finds the active in an agent's view, if it is on a known host.
     *
     * @param hosts the current hosts; read for each call
     */
    public static ActiveLocator of(Supplier<AgentState> agent, Supplier<? extends Collection<String>> hosts) {
        return new ActiveLocator(
                () -> ForwardTarget.active(agent.get())
                        .map(member -> member.addresses().pool())
                        .filter(pool -> !pool.isEmpty())
                        .map(NodeAddress::parse),
                hosts,
                ActiveLocator::find,
                System::nanoTime,
                newOnDemandExecutor());
    }

    /** Finds hosts by the remembered addresses while names do not resolve. */
    private static InetAddress[] find(String host) throws UnknownHostException {
        try {
            return HostResolver.ofProcess().find(host).toArray(new InetAddress[0]);
        } catch (UnknownHostException e) {
            throw e;
        } catch (IOException e) {
            UnknownHostException unknown = new UnknownHostException(host + ": " + e);
            unknown.initCause(e);
            throw unknown;
        }
    }

    private static Executor newOnDemandExecutor() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                FRESH_NANOS,
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.newFactory("known-active-names"));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    @Override
    public Optional<NodeAddress> get() {
        return publishedNode.get().flatMap(node -> findConfigured(node.host())
                .map(host -> NodeAddress.of(host, node.port())));
    }

    private Optional<String> findConfigured(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        for (String known : hosts.get()) {
            if (known.equalsIgnoreCase(name)) {
                return Optional.of(name);
            }
        }
        LookupResult result = last;
        if ((!result.host.equals(name) || nanoTime.getAsLong() - result.nanos > FRESH_NANOS)
                && isLookingUp.compareAndSet(false, true)) {
            scheduleLookUp(name);
            result = last;
        }
        return result.host.equals(name) ? result.configured : Optional.<String>empty();
    }

    private void scheduleLookUp(String name) {
        try {
            callerLookups.execute(() -> remember(name));
        } catch (RuntimeException | Error e) {
            // No thread was available: the next call tries again.
            isLookingUp.set(false);
            throw e;
        }
    }

    private void remember(String name) {
        try {
            last = new LookupResult(name, lookUp(name), nanoTime.getAsLong());
        } finally {
            isLookingUp.set(false);
        }
    }

    private Optional<String> lookUp(String name) {
        Set<InetAddress> addresses = addresses(name);
        for (String host : hosts.get()) {
            if (!Collections.disjoint(addresses, addresses(host))) {
                return Optional.of(host.toLowerCase(Locale.ROOT));
            }
        }
        return Optional.empty();
    }

    private Set<InetAddress> addresses(String host) {
        try {
            return new HashSet<>(Arrays.asList(resolver.resolve(host)));
        } catch (UnknownHostException e) {
            return Collections.emptySet();
        }
    }
}
