/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by address: trusts this host, the hosts of the cluster and of the journals' members, and configured networks. A caller
 * that shows a certificate must also be one of these hosts by the certificate's names, because many other servers of a
 * cluster have certificates of the same signer.
 *
 * <p>A separate thread looks up names, since a name server may hang. Before an unknown address is refused, names are
 * looked up again, but at most once a second, however many call. A name whose look-up fails keeps its former addresses, if need
 * be those of an earlier process; a caller known by them does not wait for the names of others.
 */
public final class NetworkAccessController implements AccessController, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NetworkAccessController.class);

    private static final Set<AccessRight> ALL = EnumSet.allOf(AccessRight.class);
    private static final Set<AccessRight> OPERATOR_RIGHTS = EnumSet.of(AccessRight.READ, AccessRight.ADMINISTER);

    /** The shortest interval between look-ups, so that strangers cannot cause constant look-ups. */
    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long a former member, or a former address, may stay trusted, with or without calls. */
    private static final Duration LATEST = Duration.ofSeconds(30);

    /** The limit of waiting callers: as many as there can be connected strangers; any beyond that have already disconnected. */
    static final int MAX_WAITING_CALLERS = 64;

    /** Finds the addresses of hosts. */
    interface Names {
        List<InetAddress> lookUp(String host) throws IOException;

        /** The addresses last found for a host, perhaps by an earlier process; empty if none were. */
        default List<InetAddress> lastKnown(String host) {
            return Collections.emptyList();
        }

        /** Makes the next look-up of a host bypass the cache. */
        default void markSuspect(String host) {}

        /** All known addresses, including those of hosts that are not the access controller's. */
        default Map<String, List<InetAddress>> mergeWithKnown(Map<String, List<InetAddress>> ownAddresses) {
            return new HashMap<>(ownAddresses);
        }

        /** Saves addresses for a later process. */
        default void keep(Map<String, List<InetAddress>> addresses) throws IOException {}

        /** Whether to save them even if they have not changed. */
        default boolean isDue() {
            return false;
        }
    }

    /** Saves the addresses of hosts for a later process. */
    public interface Keeper {
        void keep(Map<String, List<InetAddress>> addresses) throws IOException;

        /** Whether to save them even if they have not changed. */
        default boolean isDue() {
            return false;
        }
    }

    /** Name resolution as in this process. */
    private static final class ResolvedNames implements Names {
        private final HostResolver hosts;
        private final Keeper keeper;

        ResolvedNames(HostResolver hosts, Keeper keeper) {
            this.hosts = hosts;
            this.keeper = keeper;
        }

        @Override
        public List<InetAddress> lookUp(String host) throws IOException {
            return hosts.currentAnswer(host);
        }

        @Override
        public List<InetAddress> lastKnown(String host) {
            return hosts.lastAnswer(host);
        }

        @Override
        public void markSuspect(String host) {
            hosts.markSuspect(host);
        }

        @Override
        public Map<String, List<InetAddress>> mergeWithKnown(Map<String, List<InetAddress>> ownAddresses) {
            return hosts.lastAnswers();
        }

        @Override
        public void keep(Map<String, List<InetAddress>> addresses) throws IOException {
            keeper.keep(addresses);
        }

        @Override
        public boolean isDue() {
            return keeper.isDue();
        }
    }

    private final String node;
    /** The settings, from the configuration as last read. */
    private volatile AccessSettings settings;

    private final Supplier<Set<String>> members;
    private final Names names;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;
    private final Map<String, List<InetAddress>> byName = new HashMap<>();
    /** The thread that saves addresses for a later process: its disk may hang, and names must still be looked up. */
    private final ExecutorService writer;

    private final AtomicBoolean writing = new AtomicBoolean();
    private volatile Map<String, List<InetAddress>> kept = Collections.emptyMap();

    private volatile Set<InetAddress> known = Collections.emptySet();
    /** The addresses of this host; with those in {@code placed}, they make up {@link #known}. */
    private volatile Set<InetAddress> ofThisHost = Collections.emptySet();

    private volatile Map<String, List<InetAddress>> placed = Collections.emptyMap();
    /** A token that is replaced after each change of the data by which callers are judged. */
    private volatile Object edition = new Object();
    /** The names of the cluster's own hosts with which certificates are compared. */
    private volatile Set<String> ownNames = Collections.emptySet();
    /** Unknown callers waiting for the current look-up to end, oldest first. */
    private final Deque<WaitingCaller> waiting = new ArrayDeque<>();

    private boolean lookingUp;
    /** Whether an unknown caller has connected, which may be a host that has moved. */
    private boolean doubtful;

    private Optional<Long> lookedNanos = Optional.empty();

    /**
     * Creates an access controller and begins the first look-up at once.
     *
     * @param node for messages
     * @param members the hosts of the journals' members at present; must not block
     * @param hosts finds addresses, and knows those that an earlier process was told
     * @param keeper keeps them for a later one; called on a thread of its own
     */
    public static NetworkAccessController start(
            String node, AccessSettings settings, Supplier<Set<String>> members, HostResolver hosts, Keeper keeper) {
        return new NetworkAccessController(
                node, settings, members, new ResolvedNames(hosts, keeper), System::nanoTime, LATEST);
    }

    /** @param interval how often to look up names without calls */
    NetworkAccessController(
            String node,
            AccessSettings settings,
            Supplier<Set<String>> members,
            Names names,
            LongSupplier nanoTime,
            Duration interval) {
        this.node = node;
        this.settings = settings;
        this.members = members;
        this.names = names;
        this.nanoTime = nanoTime;
        this.thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("ssp-names-" + node));
        this.writer = Executors.newSingleThreadExecutor(DaemonThreads.newFactory("ssp-names-kept-" + node));
        lookUpIfOlderThan(SOONEST_NANOS);
        thread.scheduleWithFixedDelay(
                DaemonThreads.logFailures(() -> lookUpIfOlderThan(0)),
                interval.toNanos(),
                interval.toNanos(),
                TimeUnit.NANOSECONDS);
        thread.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::keep), SOONEST_NANOS, SOONEST_NANOS, TimeUnit.NANOSECONDS);
    }

    /**
     * Replaces the settings. Begins to look up their names at once, without waiting: until then their hosts are
     * strangers, for whom names are looked up again. Existing sessions are judged by them from their next request on.
     */
    public void replaceSettings(AccessSettings newSettings) {
        settings = newSettings;
        edition = new Object();
        lookUpIfOlderThan(0);
    }

    @Override
    public boolean expectsCallsFrom(InetAddress address) {
        return isLocalAddress(address) || settings.operators().contains(address);
    }

    private boolean isLocalAddress(InetAddress address) {
        return address.isLoopbackAddress()
                || known.contains(address)
                || settings.nodes().contains(address);
    }

    @Override
    public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
        Optional<Caller> caller = findCaller(credentials, hello.journal());
        if (caller.isPresent() && !mayProveWriter(caller.get(), hello)) {
            return decideNow(caller.get(), hello);
        }
        WaitingCaller waitingCaller = new WaitingCaller(hello, credentials);
        enqueue(waitingCaller).ifPresent(this::decide);
        return waitingCaller.admitted;
    }

    @Override
    public Object rightsVersion() {
        return edition;
    }

    @Override
    public Caller recheck(Hello hello, CallerCredentials credentials, Caller admitted) {
        return findCaller(credentials, hello.journal()).orElseGet(admitted::withoutRights);
    }

    /**
     * Whether a look-up of names may show that a known caller is a writer: it is not one by the addresses known so far,
     * and either wants to write, or some writer's name has no address yet and the caller would keep its lesser rights
     * for the whole session.
     */
    private boolean mayProveWriter(Caller caller, Hello hello) {
        return caller.noWriterReason().isPresent()
                && (hello.role() == Hello.CallerRole.WRITER
                        || !placed.keySet()
                                .containsAll(settings.writers()
                                        .hostsOf(hello.journal())
                                        .orElse(Collections.<String>emptySet())));
    }

    /** The caller to decide about now: this one if no look-up is in progress, or the oldest if too many are waiting. */
    private synchronized Optional<WaitingCaller> enqueue(WaitingCaller caller) {
        if (!lookUpIfOlderThan(SOONEST_NANOS)) {
            return Optional.of(caller);
        }
        doubtful = true;
        waiting.add(caller);
        return waiting.size() > MAX_WAITING_CALLERS ? Optional.of(waiting.remove()) : Optional.<WaitingCaller>empty();
    }

    private void decide(WaitingCaller waitingCaller) {
        try {
            Optional<Caller> caller = findCaller(waitingCaller.credentials, waitingCaller.hello.journal());
            waitingCaller.admitted.complete(requireOwnNode(
                    caller.orElseThrow(() -> newRefusal(waitingCaller.credentials)), waitingCaller.hello));
        } catch (SessionRefusedException e) {
            waitingCaller.admitted.completeExceptionally(e);
        }
    }

    /** A caller that is unknown, at least so far. */
    private static final class WaitingCaller {
        private final Hello hello;
        private final CallerCredentials credentials;
        private final CompletableFuture<Caller> admitted = new CompletableFuture<>();

        WaitingCaller(Hello hello, CallerCredentials credentials) {
            this.hello = hello;
            this.credentials = credentials;
        }
    }

    private CompletableFuture<Caller> decideNow(Caller caller, Hello hello) {
        CompletableFuture<Caller> decided = new CompletableFuture<>();
        try {
            decided.complete(requireOwnNode(caller, hello));
        } catch (SessionRefusedException e) {
            decided.completeExceptionally(e);
        }
        return decided;
    }

    /** Refuses a caller that has proved to be one host but claims to contain another host's pool node. */
    private Caller requireOwnNode(Caller caller, Hello hello) throws SessionRefusedException {
        Optional<String> claimed = hello.callerNode().map(NodeAddress::host);
        boolean isOther = caller.identity().isPresent()
                && claimed.isPresent()
                && !caller.identity().get().representsHost(claimed.get());
        if (isOther) {
            throw new SessionRefusedException(
                    SessionRefusedException.Reason.FOREIGN_CERTIFICATE,
                    "Pool node " + node + ": the caller says that it is the pool node of " + claimed.get()
                            + ", but its certificate, " + caller.name() + ", is for "
                            + caller.identity().get().hosts());
        }
        return caller;
    }

    /** The caller, as far as it is known at present; empty if it is not admitted. */
    private Optional<Caller> findCaller(CallerCredentials credentials, JournalId journal) {
        InetAddress address = credentials.address();
        if (!expectsCallsFrom(address)) {
            return Optional.empty();
        }
        Optional<Identity> certificate = credentials.identity(Identity.Kind.CERTIFICATE);
        if (certificate.isPresent()) {
            return findByCertificate(address, certificate.get(), journal);
        }
        return Optional.of(
                isLocalAddress(address)
                        ? restrictWriting(
                                Caller.of("the host " + address.getHostAddress(), ALL),
                                journal,
                                host -> isWriter(address, host))
                        : Caller.of("the operators' host " + address.getHostAddress(), OPERATOR_RIGHTS));
    }

    /**
     * Leaves the caller the right to write the journal if one of the writers' hosts is its own, or if the writers are
     * unknown.
     */
    private Caller restrictWriting(Caller caller, JournalId journal, Predicate<String> isCallersHost) {
        return settings.writers()
                        .hostsOf(journal)
                        .filter(hosts -> hosts.stream().noneMatch(isCallersHost))
                        .isPresent()
                ? caller.withoutWriting(settings.writers().refusalReason(journal))
                : caller;
    }

    /** Decides by addresses, which cannot distinguish NameNodes on one host or in a network that counts as the cluster's own. */
    private boolean isWriter(InetAddress address, String host) {
        return address.isLoopbackAddress()
                || ofThisHost.contains(address)
                || settings.nodes().contains(address)
                || placed.getOrDefault(host, Collections.<InetAddress>emptyList())
                        .contains(address);
    }

    private Optional<Caller> findByCertificate(InetAddress address, Identity certificate, JournalId journal) {
        if (isLocalAddress(address) && coversAnyOf(certificate, ownNames)) {
            return Optional.of(restrictWriting(Caller.of(certificate, ALL), journal, certificate::representsHost));
        }
        return coversAnyOf(certificate, settings.operatorCertificates())
                ? Optional.of(Caller.of(certificate, OPERATOR_RIGHTS))
                : Optional.<Caller>empty();
    }

    private static boolean coversAnyOf(Identity certificate, Set<String> hosts) {
        return hosts.stream().anyMatch(certificate::representsHost);
    }

    private SessionRefusedException newRefusal(CallerCredentials credentials) {
        Optional<Identity> certificate = credentials.identity(Identity.Kind.CERTIFICATE);
        if (expectsCallsFrom(credentials.address()) && certificate.isPresent()) {
            return new SessionRefusedException(
                    SessionRefusedException.Reason.FOREIGN_CERTIFICATE,
                    "Pool node " + node + " serves only hosts of its own cluster, and the certificate "
                            + certificate.get().name() + ", for "
                            + certificate.get().hosts()
                            + ", is of none of them: of no member of the pool, of no NameNode by its name in the "
                            + "configuration there, and of no host in trefoil.journal.networks.operators "
                            + "(for commands) or trefoil.journal.networks.nodes (for nodes) of that host");
        }
        return new SessionRefusedException(
                SessionRefusedException.Reason.FOREIGN_ADDRESS,
                "Pool node " + node + " serves only hosts of its own cluster, and "
                        + credentials.address().getHostAddress()
                        + " is none of them: no member of the pool, no NameNode of its configuration, and in no network"
                        + " of trefoil.journal.networks.operators (for commands) or trefoil.journal.networks.nodes"
                        + " (for nodes) of that host");
    }

    /** Starts looking up all names unless that was done recently; returns whether a look-up is in progress. */
    private synchronized boolean lookUpIfOlderThan(long maxAgeNanos) {
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
            // The accessController is closed and admits no caller any longer.
        }
        return lookingUp;
    }

    private void lookUp() {
        try {
            lookUpAll();
        } catch (RuntimeException e) {
            LOG.error(
                    "node={} could not resolve the hosts that it trusts; it keeps the addresses that it "
                            + "resolved before; do: check DNS on this host",
                    node,
                    e);
        } finally {
            finishLookup().forEach(this::decide);
        }
    }

    /** Records that the look-up has ended, and returns the callers that waited for it. */
    private synchronized List<WaitingCaller> finishLookup() {
        lookingUp = false;
        lookedNanos = Optional.of(nanoTime.getAsLong());
        List<WaitingCaller> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }

    /**
     * Looks up all names; runs only on the look-up thread. Each host becomes known as soon as its own name is resolved, however long others
     * take.
     */
    private void lookUpAll() {
        Set<InetAddress> ownAddresses = localAddresses();
        AccessSettings present = settings;
        Set<String> hosts = new LinkedHashSet<>(present.hosts());
        hosts.addAll(present.writers().allHosts());
        hosts.addAll(members.get());
        Set<String> certified = new HashSet<>(hosts);
        certified.addAll(present.nodeCertificates());
        setOwnNames(certified);
        byName.keySet().retainAll(hosts);
        for (String host : hosts) {
            List<InetAddress> last = names.lastKnown(host);
            if (!last.isEmpty()) {
                byName.putIfAbsent(host, last);
            }
        }
        setLocalAddresses(ownAddresses);
        takeResolved().forEach(this::decide);
        boolean isDoubtful = clearSuspects();
        for (String host : hosts) {
            try {
                if (isDoubtful) {
                    names.markSuspect(host);
                }
                byName.put(host, names.lookUp(host));
                setLocalAddresses(ownAddresses);
            } catch (IOException e) {
                LOG.debug("node={}: host={} does not resolve at present", node, host, e);
            }
        }
        keep();
    }

    /** Clears the doubt about known addresses; returns whether there was any. */
    private synchronized boolean clearSuspects() {
        boolean is = doubtful;
        doubtful = false;
        return is;
    }

    private void keep() {
        Map<String, List<InetAddress>> resolved = names.mergeWithKnown(byName);
        boolean isSame = resolved.equals(kept) && !names.isDue();
        if (isSame || !writing.compareAndSet(false, true)) {
            return;
        }
        try {
            writer.execute(() -> saveAddresses(resolved));
        } catch (RejectedExecutionException closed) {
            LOG.debug("node={}: closed before the addresses of hosts were saved", node, closed);
        }
    }

    private void saveAddresses(Map<String, List<InetAddress>> addresses) {
        try {
            names.keep(addresses);
            kept = addresses;
        } catch (IOException e) {
            LOG.warn(
                    "node={} could not save the addresses of its cluster's hosts, retrying: a process that "
                            + "starts while names do not resolve would not know them",
                    node,
                    e);
        } finally {
            writing.set(false);
        }
    }

    private void setOwnNames(Set<String> names) {
        if (!names.equals(ownNames)) {
            ownNames = Collections.unmodifiableSet(names);
            edition = new Object();
        }
    }

    private void setLocalAddresses(Set<InetAddress> ownAddresses) {
        Set<InetAddress> addresses = new HashSet<>(ownAddresses);
        byName.values().forEach(addresses::addAll);
        boolean same = ownAddresses.equals(ofThisHost) && byName.equals(placed);
        ofThisHost = Collections.unmodifiableSet(ownAddresses);
        placed = Collections.unmodifiableMap(new HashMap<>(byName));
        known = Collections.unmodifiableSet(addresses);
        if (!same) {
            edition = new Object();
        }
    }

    /** Removes the callers that need not wait for the rest of the look-up, which may hang, and returns them. */
    private synchronized List<WaitingCaller> takeResolved() {
        List<WaitingCaller> ready = new ArrayList<>();
        for (WaitingCaller one : waiting) {
            findCaller(one.credentials, one.hello.journal())
                    .filter(caller -> !mayProveWriter(caller, one.hello))
                    .ifPresent(caller -> ready.add(one));
        }
        waiting.removeAll(ready);
        return ready;
    }

    private Set<InetAddress> localAddresses() {
        Set<InetAddress> ownAddresses = new HashSet<>();
        try {
            for (NetworkInterface getNetworkInterface : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                ownAddresses.addAll(Collections.list(getNetworkInterface.getInetAddresses()));
            }
        } catch (IOException e) {
            LOG.warn(
                    "node={} could not list the addresses of its own host: {}"
                            + "; do: check this host's network interfaces",
                    node,
                    e.toString());
        }
        return ownAddresses;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        writer.shutdown();
    }
}
