/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.names;

import io.trefoil.foundation.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Finds the addresses of hosts, and remembers them: a host that was once found is found while names do not resolve.
 * Every call asks the name service beside what is remembered, on a thread of this class; a host has one look-up under way
 * at a time, however many wait for it. An answer always replaces what was remembered before.
 *
 * <p>A host at which a connection failed is doubted: it may have moved, so it is looked up anew, past the JVM's memory of
 * 30 s. Thread-safe.
 */
public final class HostResolver {

    /** The limit of look-up threads: if this many look-ups hang, more would hang for the same reason. */
    private static final int MAX_THREADS = 16;
    /** The time that a caller waits for an answer if an earlier one is remembered. */
    private static final Duration HURRY = Duration.ofMillis(250);
    /** The time that a caller waits for an answer if none is remembered; the look-up goes on, and the next caller joins it. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** A new look-up may start a process. */
    private static final long ANEW_EACH_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** The time for which the JVM may give answers from before a host was looked up again. */
    private static final long JVM_KEEPS_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** The limit of remembered hosts: more than any cluster's members and NameNodes; the one that was met first goes first. */
    private static final int MAX_HOSTS = 1000;

    /**
     * The finder of the whole process, with one memory, as the JVM has one: HDFS creates journals, their writers and
     * their readers again at each change of a role, and what the last ones reached must not go with them.
     */
    private static final HostResolver OF_PROCESS =
            new HostResolver(new SystemNameService(), threads(), System::nanoTime, HURRY, PATIENCE);

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");

    private final NameService names;
    private final Executor threads;
    private final LongSupplier nanoTime;
    private final Duration hurry;
    private final Duration patience;
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    HostResolver(NameService names, Executor threads, LongSupplier nanoTime, Duration hurry, Duration patience) {
        this.names = names;
        this.threads = threads;
        this.nanoTime = nanoTime;
        this.hurry = hurry;
        this.patience = patience;
    }

    /** The one of this process. */
    public static HostResolver ofProcess() {
        return OF_PROCESS;
    }

    /** A finder with a memory of its own. */
    public static HostResolver with(NameService names) {
        return new HostResolver(names, threads(), System::nanoTime, HURRY, PATIENCE);
    }

    private static Executor threads() {
        return new ThreadPoolExecutor(
                0, MAX_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), DaemonThreads.named("trefoil-names"));
    }

    /** A host, as far as it is known; guarded by the finder. */
    private static final class Host {
        private List<InetAddress> answered = Collections.emptyList();
        /** The day of the answer, in UTC; empty if there never was one. */
        private Optional<LocalDate> answeredOn = Optional.empty();

        private Optional<InetAddress> reached = Optional.empty();
        private Optional<CompletableFuture<List<InetAddress>>> lookUp = Optional.empty();
        private Optional<Long> anewNanos = Optional.empty();
        private Optional<Long> failedNanos = Optional.empty();
        private boolean doubted;
    }

    /** Whether a host is given by its address, which needs no look-up. */
    public static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || ADDRESS.matcher(host).matches();
    }

    /**
     * The addresses at which to try a host, the best first: those of the answer, and the last one that was reached. Waits
     * for an answer a fraction of a second if others are remembered, or else some seconds.
     *
     * @throws UnknownHostException if there is no answer, and none is remembered
     */
    public List<InetAddress> find(String host) throws IOException {
        if (isAddress(host)) {
            return Collections.singletonList(InetAddress.getByName(host));
        }
        CompletableFuture<List<InetAddress>> lookUp = ask(host);
        List<InetAddress> known = known(host);
        if (known.isEmpty()) {
            await(host, lookUp, patience);
        } else {
            try {
                await(host, lookUp, hurry);
            } catch (UnknownHostException e) {
                return known(host);
            }
        }
        return known(host);
    }

    /**
     * The present answer of the name service, as far as it has one.
     *
     * @throws UnknownHostException if there is none within some seconds
     */
    public List<InetAddress> answer(String host) throws IOException {
        return isAddress(host)
                ? Collections.singletonList(InetAddress.getByName(host))
                : await(host, ask(host), patience);
    }

    /** The addresses that the name service last gave for a host; empty if it never did. */
    public synchronized List<InetAddress> lastAnswer(String host) {
        Host known = hosts.get(normalize(host));
        return known == null ? Collections.<InetAddress>emptyList() : known.answered;
    }

    /**
     * Whether the name service has just said again where a host is: an address that is only remembered may be another's
     * by now.
     */
    public synchronized boolean isFresh(String host) {
        Host known = hosts.get(normalize(host));
        return isAddress(host) || (known != null && isWithin(known.anewNanos, 2 * ANEW_EACH_NANOS));
    }

    /** The day, in UTC, on which the name service last gave the addresses of a host; empty if it never did. */
    public synchronized Optional<LocalDate> lastAnswered(String host) {
        Host known = hosts.get(normalize(host));
        return known == null ? Optional.<LocalDate>empty() : known.answeredOn;
    }

    /** The last answers of the name service, for all hosts that it knew. */
    public synchronized Map<String, List<InetAddress>> answers() {
        Map<String, List<InetAddress>> answers = new HashMap<>();
        hosts.forEach((host, known) -> {
            if (!known.answered.isEmpty()) {
                answers.put(host, known.answered);
            }
        });
        return answers;
    }

    /** Takes over what an earlier process was told, unless this one has been told since. */
    public synchronized void restore(String host, List<InetAddress> addresses, LocalDate answeredOn) {
        Host known = host(host);
        if (known.answered.isEmpty()) {
            known.answered = usable(addresses);
            known.answeredOn = Optional.of(answeredOn);
        }
    }

    /** Remembers that a connection to an address of a host has worked. */
    public synchronized void rememberReachable(String host, InetAddress address) {
        if (!isAddress(host)) {
            Host known = host(host);
            known.reached = Optional.of(address);
            known.doubted = false;
        }
    }

    /** Makes the next caller look up a host again, as it was not at its address. */
    public synchronized void markSuspect(String host) {
        if (!isAddress(host)) {
            host(host).doubted = true;
        }
    }

    private synchronized List<InetAddress> known(String host) {
        Host known = host(host);
        Set<InetAddress> all = new LinkedHashSet<>();
        known.reached.filter(known.answered::contains).ifPresent(all::add);
        all.addAll(known.answered);
        known.reached.ifPresent(all::add);
        return new ArrayList<>(all);
    }

    private CompletableFuture<List<InetAddress>> ask(String host) {
        CompletableFuture<List<InetAddress>> begun;
        boolean anew;
        synchronized (this) {
            Host known = host(host);
            if (known.lookUp.isPresent()) {
                return known.lookUp.get();
            }
            boolean isFresh = isWithin(known.anewNanos, known.doubted ? ANEW_EACH_NANOS : JVM_KEEPS_NANOS);
            if (isFresh) {
                return CompletableFuture.completedFuture(known.answered);
            }
            // While names fail at once, nobody may have a process started for each of his attempts.
            anew = known.doubted && !isWithin(known.failedNanos, ANEW_EACH_NANOS);
            begun = new CompletableFuture<>();
            known.lookUp = Optional.of(begun);
        }
        try {
            threads.execute(() -> lookUp(host, anew, begun));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            finishLookup(host, begun);
            begun.completeExceptionally(new IOException("No thread for it: too many look-ups of names hang", e));
        }
        return begun;
    }

    private boolean isWithin(Optional<Long> since, long nanos) {
        return since.isPresent() && nanoTime.getAsLong() - since.get() < nanos;
    }

    private void lookUp(String host, boolean anew, CompletableFuture<List<InetAddress>> begun) {
        List<InetAddress> found;
        try {
            found = anew ? names.lookUpUncached(host) : names.lookUp(host);
        } catch (IOException | RuntimeException | Error e) {
            if (anew) {
                rememberFailedLookup(host);
            }
            finishLookup(host, begun);
            begun.completeExceptionally(e);
            return;
        }
        synchronized (this) {
            Host known = host(host);
            known.answered = usable(found);
            known.answeredOn = Optional.of(LocalDate.now(ZoneOffset.UTC));
            if (anew) {
                known.anewNanos = Optional.of(nanoTime.getAsLong());
                known.doubted = false;
            }
            finishLookup(host, begun);
        }
        begun.complete(usable(found));
    }

    private synchronized void rememberFailedLookup(String host) {
        host(host).failedNanos = Optional.of(nanoTime.getAsLong());
    }

    private synchronized void finishLookup(String host, CompletableFuture<List<InetAddress>> lookUp) {
        Host known = host(host);
        known.lookUp = known.lookUp.filter(other -> other != lookUp);
    }

    private synchronized Host host(String host) {
        Host known = hosts.computeIfAbsent(normalize(host), name -> new Host());
        if (hosts.size() > MAX_HOSTS) {
            hosts.remove(hosts.keySet().iterator().next());
        }
        return known;
    }

    private static List<InetAddress> await(String host, CompletableFuture<List<InetAddress>> lookUp, Duration patience)
            throws IOException {
        try {
            return lookUp.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw unknown(host, "it does not resolve: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw unknown(host, "no name server has answered within " + patience, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while looking up " + host);
        }
    }

    private static UnknownHostException unknown(String host, String why, Exception cause) {
        UnknownHostException unknown = new UnknownHostException(host + ": " + why);
        unknown.initCause(cause);
        return unknown;
    }

    /** A JVM that is told to use IPv4 only can reach no other addresses, and gives none; a file and {@code getent} do. */
    private static List<InetAddress> usable(List<InetAddress> addresses) {
        List<InetAddress> usable = new ArrayList<>(addresses);
        if (Boolean.getBoolean("java.net.preferIPv4Stack")) {
            usable.removeIf(Inet6Address.class::isInstance);
        }
        return Collections.unmodifiableList(usable);
    }

    private static String normalize(String host) {
        return host.toLowerCase(Locale.ROOT);
    }
}
