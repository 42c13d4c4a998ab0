/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trust by address, where Hadoop authenticates nobody: this host, the hosts of the cluster and of the journals' members,
 * and configured networks.
 *
 * <p>Names are looked up by a thread of its own, since a name server may hang; an address that is not known is looked for
 * once more before it is refused, but not more often than once a second, whoever calls. A name that has no answer keeps
 * the addresses that it had.
 */
public final class AddressDoorkeeper implements Doorkeeper, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AddressDoorkeeper.class);

    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final Set<Right> OF_OPERATORS = EnumSet.of(Right.READ, Right.ADMINISTER);

    /** Strangers must not be able to make it look up names all the time. */
    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Who is no member any more, or has another address, is known so long, whether anybody calls or not. */
    private static final Duration LATEST = Duration.ofSeconds(30);

    /** Finds the addresses of a host. */
    interface Names {
        List<InetAddress> lookUp(String host) throws IOException;
    }

    private final String node;
    private final AccessSettings settings;
    private final Supplier<Set<String>> members;
    private final Names names;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;
    private final Map<String, List<InetAddress>> byName = new HashMap<>();

    private volatile Set<InetAddress> known = Collections.emptySet();
    private Optional<CompletableFuture<Void>> underWay = Optional.empty();
    private Optional<Long> lookedNanos = Optional.empty();

    /**
     * Looks up the first names at once.
     *
     * @param node for texts
     * @param members the hosts of the journals' members at present; must not block
     */
    public static AddressDoorkeeper start(String node, AccessSettings settings, Supplier<Set<String>> members) {
        return new AddressDoorkeeper(
                node,
                settings,
                members,
                host -> Arrays.asList(InetAddress.getAllByName(host)),
                System::nanoTime,
                LATEST);
    }

    /** @param every how often names are looked up if nobody calls */
    AddressDoorkeeper(
            String node,
            AccessSettings settings,
            Supplier<Set<String>> members,
            Names names,
            LongSupplier nanoTime,
            Duration every) {
        this.node = node;
        this.settings = settings;
        this.members = members;
        this.names = names;
        this.nanoTime = nanoTime;
        this.thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("ssp-names-" + node));
        look(SOONEST_NANOS);
        thread.scheduleWithFixedDelay(
                DaemonThreads.lasting(() -> look(0)), every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean expects(InetAddress address) {
        return isOwn(address) || settings.operators().contains(address);
    }

    private boolean isOwn(InetAddress address) {
        return address.isLoopbackAddress()
                || known.contains(address)
                || settings.nodes().contains(address);
    }

    @Override
    public CompletionStage<Caller> admit(Hello hello, Visitor visitor) {
        InetAddress address = visitor.address();
        if (expects(address)) {
            return CompletableFuture.completedFuture(caller(address));
        }
        return look(SOONEST_NANOS).thenCompose(done -> {
            CompletableFuture<Caller> admitted = new CompletableFuture<>();
            if (expects(address)) {
                admitted.complete(caller(address));
            } else {
                admitted.completeExceptionally(refusal(address));
            }
            return admitted;
        });
    }

    private Caller caller(InetAddress address) {
        return isOwn(address)
                ? Caller.of("the host " + address.getHostAddress(), ALL)
                : Caller.of("the operators' host " + address.getHostAddress(), OF_OPERATORS);
    }

    private SessionRefusedException refusal(InetAddress address) {
        return new SessionRefusedException(
                SessionRefusedException.Reason.FOREIGN_ADDRESS,
                "Pool node " + node + " serves the hosts of its own cluster, and " + address.getHostAddress()
                        + " is none of them: no member of the pool, no NameNode of its configuration, and in no network"
                        + " of trefoil.journal.networks.operators (for commands) or trefoil.journal.networks.nodes"
                        + " (for nodes) of that host");
    }

    /** Looks up all names unless that was done lately; done when it is no older. */
    private synchronized CompletableFuture<Void> look(long maxAgeNanos) {
        if (underWay.isPresent()) {
            return underWay.get();
        }
        long now = nanoTime.getAsLong();
        if (lookedNanos.isPresent() && now - lookedNanos.get() < maxAgeNanos) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> begun = new CompletableFuture<>();
        try {
            thread.execute(() -> lookUp(begun));
            underWay = Optional.of(begun);
            return begun;
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private void lookUp(CompletableFuture<Void> begun) {
        try {
            lookUpAll();
        } catch (RuntimeException e) {
            LOG.error("Pool node {} could not find out whom to trust; it is as before", node, e);
        } finally {
            synchronized (this) {
                underWay = Optional.empty();
                lookedNanos = Optional.of(nanoTime.getAsLong());
            }
            begun.complete(null);
        }
    }

    /** On the thread for names only; each host is known as soon as its own name is, whatever the others' take. */
    private void lookUpAll() {
        Set<InetAddress> own = ofThisHost();
        Set<String> hosts = new LinkedHashSet<>(settings.hosts());
        hosts.addAll(members.get());
        byName.keySet().retainAll(hosts);
        know(own);
        for (String host : hosts) {
            try {
                byName.put(host, names.lookUp(host));
                know(own);
            } catch (IOException e) {
                LOG.debug("Pool node {}: host {} has no address at present", node, host, e);
            }
        }
    }

    private void know(Set<InetAddress> own) {
        Set<InetAddress> addresses = new HashSet<>(own);
        byName.values().forEach(addresses::addAll);
        known = Collections.unmodifiableSet(addresses);
    }

    private Set<InetAddress> ofThisHost() {
        Set<InetAddress> own = new HashSet<>();
        try {
            for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                own.addAll(Collections.list(one.getInetAddresses()));
            }
        } catch (IOException e) {
            LOG.warn("Pool node {} could not list the addresses of its own host: {}", node, e.toString());
        }
        return own;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
