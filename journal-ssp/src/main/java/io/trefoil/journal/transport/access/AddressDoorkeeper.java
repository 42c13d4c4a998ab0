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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
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

    /** As many strangers as are connected at once; the others have gone, and nothing is kept of them. */
    static final int MOST_WAITING = 64;

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
    /** Who is not known and waits for the end of the look-up that is under way; the oldest first. */
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    private boolean lookingUp;
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
        Waiting stranger = new Waiting(address);
        enter(stranger).ifPresent(this::decide);
        return stranger.admitted;
    }

    /** Whose turn it is: his own if nothing is looked up, or the oldest one's if too many wait. */
    private synchronized Optional<Waiting> enter(Waiting stranger) {
        if (!look(SOONEST_NANOS)) {
            return Optional.of(stranger);
        }
        waiting.add(stranger);
        return waiting.size() > MOST_WAITING ? Optional.of(waiting.remove()) : Optional.<Waiting>empty();
    }

    private void decide(Waiting stranger) {
        if (expects(stranger.address)) {
            stranger.admitted.complete(caller(stranger.address));
        } else {
            stranger.admitted.completeExceptionally(refusal(stranger.address));
        }
    }

    /** One who is not known, or not yet. */
    private static final class Waiting {
        private final InetAddress address;
        private final CompletableFuture<Caller> admitted = new CompletableFuture<>();

        Waiting(InetAddress address) {
            this.address = address;
        }
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

    /** Looks up all names unless that was done lately; whether a look-up is under way. */
    private synchronized boolean look(long maxAgeNanos) {
        if (lookingUp) {
            return true;
        }
        long now = nanoTime.getAsLong();
        if (lookedNanos.isPresent() && now - lookedNanos.get() < maxAgeNanos) {
            return false;
        }
        try {
            thread.execute(this::lookUp);
            lookingUp = true;
        } catch (RejectedExecutionException closed) {
            // Nobody is let in any more.
        }
        return lookingUp;
    }

    private void lookUp() {
        try {
            lookUpAll();
        } catch (RuntimeException e) {
            LOG.error("Pool node {} could not find out whom to trust; it is as before", node, e);
        } finally {
            looked().forEach(this::decide);
        }
    }

    /** Who waited for the end of the look-up. */
    private synchronized List<Waiting> looked() {
        lookingUp = false;
        lookedNanos = Optional.of(nanoTime.getAsLong());
        List<Waiting> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
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
