/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Remembers hosts found at addresses other than those cached by the JVM: a host that does not answer is looked up past the JVM's cache of
 * 30 s. Nothing waits for a look-up, and a host that answers has none. Thread-safe.
 */
public final class MovedHostResolver {
    private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** The longest pause between look-ups; each starts a process, and many clients may miss the same host. */
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** The divisor of the time for which a host has not answered that gives the pause between look-ups. */
    private static final int PAUSE_FRACTION = 4;
    /** The time without an answer after which a host's address is in doubt; a healthy NameNode answers far sooner. */
    private static final long DOUBT_AFTER_MILLIS = 1_000;

    private final NameLookup names;
    private final LongSupplier nanoTime;
    /** The hosts that failed to answer, by name and port, as one host may have several NameNodes. */
    private final Map<String, Host> hosts = new ConcurrentHashMap<>();

    /** Looks up the current addresses of a host. */
    interface NameLookup {
        /** Returns the addresses, the one to try first at the front. Empty if there is no answer. May take many seconds. */
        List<InetAddress> lookUp(String host);
    }

    /** A probe of the host at an address. */
    public interface HostQuery<A> {
        A query(InetSocketAddress address) throws IOException;
    }

    MovedHostResolver(NameLookup names, LongSupplier nanoTime) {
        this.names = names;
        this.nanoTime = nanoTime;
    }

    /** Creates an instance that uses the name service of this system. */
    public static MovedHostResolver ofThisSystem() {
        return new MovedHostResolver(SystemLookup::lookUp, System::nanoTime);
    }

    /** The look-up state of a host that has failed to answer; guarded by itself. */
    private static final class Host {
        private List<InetAddress> addresses = Collections.emptyList();
        /** The address of {@code found} that is being tried; empty for the first. */
        private Optional<InetAddress> chosen = Optional.empty();

        private Optional<Long> silentSince = Optional.empty();
        private long nextNanos;
        private boolean isUnderWay;
        /** The tasks to run when the look-up in progress has an answer. */
        private final List<Runnable> waiting = new ArrayList<>();
    }

    /**
     * Probes a host, and probes it at another address if it does not answer at the old one and a look-up finds another. In the thread of
     * the caller, whose interrupt ends the question.
     *
     * @param knownAddress the address of the host as far as the JVM knows
     * @param threads for look-ups
     * @param watch for short tasks
     * @throws IOException if there was no answer
     */
    public <A> A query(
            InetSocketAddress knownAddress, HostQuery<A> question, Executor threads, ScheduledExecutorService watch)
            throws IOException {
        Set<InetSocketAddress> left = new HashSet<>();
        while (true) {
            InetSocketAddress address = currentAddress(knownAddress);
            try {
                return queryAt(address, question, threads, watch);
            } catch (HostMovedException e) {
                // A name that leads to and fro is followed by the next question.
                if (!left.add(address)) {
                    throw e;
                }
            }
        }
    }

    /** @throws HostMovedException if there was no answer here, and the host has been found at other addresses meanwhile */
    private <A> A queryAt(
            InetSocketAddress address, HostQuery<A> question, Executor threads, ScheduledExecutorService watch)
            throws IOException {
        InFlightCall<InetSocketAddress> call = new InFlightCall<>(address);
        Future<?> doubts = watch.scheduleWithFixedDelay(
                () -> lookUpIfDue(address, threads, () -> call.abort(InFlightCall.EndReason.LOST)),
                DOUBT_AFTER_MILLIS,
                DOUBT_AFTER_MILLIS,
                TimeUnit.MILLISECONDS);
        A answer = null;
        IOException failure = null;
        boolean isElsewhere;
        try {
            answer = question.query(address);
        } catch (IOException e) {
            failure = e;
        } finally {
            doubts.cancel(false);
            isElsewhere = call.end() == InFlightCall.EndReason.LOST;
        }
        if (failure == null) {
            markAnswered(address);
            return answer;
        }
        if (isElsewhere) {
            throw new HostMovedException(address, failure);
        }
        markFailed(address);
        lookUpIfDue(address, threads, () -> {});
        throw failure;
    }

    /** Thrown when a probe was abandoned because the host is at another address. */
    private static final class HostMovedException extends IOException {
        HostMovedException(InetSocketAddress formerAddress, IOException cause) {
            super(formerAddress + " has not answered, and its name leads elsewhere", cause);
        }
    }

    /**
     * The address at which to try a host: the known one, unless a look-up has found others, which take turns until one
     * answers, as a name may resolve to some on which no server listens.
     */
    public InetSocketAddress currentAddress(InetSocketAddress knownAddress) {
        Host host = hosts.get(key(knownAddress));
        if (host == null) {
            return knownAddress;
        }
        synchronized (host) {
            if (host.addresses.isEmpty() || host.addresses.contains(knownAddress.getAddress())) {
                return knownAddress;
            }
            return new InetSocketAddress(
                    host.chosen.filter(host.addresses::contains).orElse(host.addresses.get(0)), knownAddress.getPort());
        }
    }

    /** Makes the next probe use the next address, if this one was found by a look-up. */
    private void markFailed(InetSocketAddress address) {
        Host host = hosts.get(key(address));
        if (host == null) {
            return;
        }
        synchronized (host) {
            int index = host.addresses.indexOf(address.getAddress());
            // Others may have failed here as well, and have chosen already.
            if (index >= 0 && host.chosen.orElse(host.addresses.get(0)).equals(address.getAddress())) {
                host.chosen = Optional.of(host.addresses.get((index + 1) % host.addresses.size()));
            }
        }
    }

    /**
     * Looks up a host that has not answered at this address, unless that was just done.
     *
     * @param onMove runs if the host is elsewhere now; in this thread or in one of those
     */
    private void lookUpIfDue(InetSocketAddress triedAddress, Executor threads, Runnable onMove) {
        if (isAddress(triedAddress.getHostString())) {
            return;
        }
        Host host = hosts.computeIfAbsent(key(triedAddress), unused -> new Host());
        Runnable told = () -> notifyIfMoved(host, triedAddress, onMove);
        boolean begins;
        synchronized (host) {
            if (host.isUnderWay) {
                host.waiting.add(told);
                return;
            }
            begins = beginLookUp(host);
            if (begins) {
                host.waiting.add(told);
            }
        }
        if (begins) {
            try {
                threads.execute(() -> lookUp(host, triedAddress.getHostString()));
            } catch (RejectedExecutionException closed) {
                end(host, Collections.<InetAddress>emptyList());
            }
        } else {
            told.run();
        }
    }

    /** Whether a look-up of the host may begin now; if so, marks it as begun; called with the host's lock held. */
    private boolean beginLookUp(Host host) {
        long now = nanoTime.getAsLong();
        if (host.silentSince.isPresent() && now - host.nextNanos < 0) {
            return false;
        }
        long since = host.silentSince.orElse(now);
        host.silentSince = Optional.of(since);
        host.nextNanos = now + Math.min(MAX_PAUSE_NANOS, Math.max(MIN_PAUSE_NANOS, (now - since) / PAUSE_FRACTION));
        host.isUnderWay = true;
        return true;
    }

    private void lookUp(Host host, String name) {
        List<InetAddress> addresses = Collections.emptyList();
        try {
            addresses = names.lookUp(name);
        } finally {
            end(host, addresses);
        }
    }

    private static void end(Host host, List<InetAddress> addresses) {
        List<Runnable> waiting;
        synchronized (host) {
            host.isUnderWay = false;
            if (!addresses.isEmpty()) {
                host.addresses = addresses;
            }
            waiting = new ArrayList<>(host.waiting);
            host.waiting.clear();
        }
        waiting.forEach(Runnable::run);
    }

    private static void notifyIfMoved(Host host, InetSocketAddress triedAddress, Runnable onMove) {
        boolean isElsewhere;
        synchronized (host) {
            isElsewhere = !host.addresses.isEmpty() && !host.addresses.contains(triedAddress.getAddress());
        }
        if (isElsewhere) {
            onMove.run();
        }
    }

    /** Records that a host has answered: if it falls silent again, that is a new silence. */
    private void markAnswered(InetSocketAddress address) {
        Host host = hosts.get(key(address));
        if (host != null) {
            synchronized (host) {
                host.silentSince = Optional.empty();
            }
        }
    }

    /** Whether a host name is itself an address, which needs no look-up. */
    static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    private static String key(InetSocketAddress address) {
        return address.getHostString().toLowerCase(Locale.ROOT) + ":" + address.getPort();
    }
}
