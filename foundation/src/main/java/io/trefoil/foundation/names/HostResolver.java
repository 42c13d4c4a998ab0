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
 * Finds the addresses of hosts, and remembers them: a host that was found once is still found while names do not resolve.
 * Every call asks the name service in addition to what is remembered, on a thread of this class; a host has one look-up in progress
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
    /** The time that a caller waits for an answer if none is remembered; the look-up continues, and the next caller joins it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** The shortest pause between look-ups, as each may start a process. */
    private static final long ANEW_EACH_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** The time for which the JVM may return answers from before a host was looked up again. */
    private static final long JVM_KEEPS_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** The limit of remembered hosts: more than any cluster's members and NameNodes; the one that was remembered first is dropped first. */
    private static final int MAX_HOSTS = 1000;

    /**
     * The resolver of the whole process, with a single memory like the JVM's: HDFS recreates journals, their writers and their readers at
     * each change of role, and the addresses that the previous ones reached must not be lost with them.
     */
    private static final HostResolver SHARED_RESOLVER =
            new HostResolver(new SystemNameService(), threads(), System::nanoTime, HURRY, TIMEOUT);

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");

    private final NameService names;
    private final Executor threads;
    private final LongSupplier nanoTime;
    private final Duration hurry;
    private final Duration timeout;
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    HostResolver(NameService names, Executor threads, LongSupplier nanoTime, Duration hurry, Duration timeout) {
        this.names = names;
        this.threads = threads;
        this.nanoTime = nanoTime;
        this.hurry = hurry;
        this.timeout = timeout;
    }

    /** Returns the resolver of this process. */
    public static HostResolver ofProcess() {
        return SHARED_RESOLVER;
    }

    /** Creates a resolver with its own memory. */
    public static HostResolver with(NameService names) {
        return new HostResolver(names, threads(), System::nanoTime, HURRY, TIMEOUT);
    }

    private static Executor threads() {
        return new ThreadPoolExecutor(
                0,
                MAX_THREADS,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                DaemonThreads.newFactory("trefoil-names"));
    }

    /** The known data of a host; guarded by the resolver. */
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
     * The addresses at which to try a host, the best first: those in the answer, and the last one that was reached. Waits
     * for an answer a fraction of a second if others are remembered, or else some seconds.
     *
     * @throws UnknownHostException if there is no answer, and none is remembered
     */
    public List<InetAddress> find(String host) throws IOException {
        if (isAddress(host)) {
            return Collections.singletonList(InetAddress.getByName(host));
        }
        CompletableFuture<List<InetAddress>> lookUp = startLookup(host);
        List<InetAddress> known = knownAddresses(host);
        if (known.isEmpty()) {
            await(host, lookUp, timeout);
        } else {
            try {
                await(host, lookUp, hurry);
            } catch (UnknownHostException e) {
                return knownAddresses(host);
            }
        }
        return knownAddresses(host);
    }

    /**
     * The current answer of the name service, if it has one.
     *
     * @throws UnknownHostException if there is none within some seconds
     */
    public List<InetAddress> currentAnswer(String host) throws IOException {
        return isAddress(host)
                ? Collections.singletonList(InetAddress.getByName(host))
                : await(host, startLookup(host), timeout);
    }

    /** The addresses that the name service last gave for a host; empty if it never gave any. */
    public synchronized List<InetAddress> lastAnswer(String host) {
        Host known = hosts.get(normalize(host));
        return known == null ? Collections.<InetAddress>emptyList() : known.answered;
    }

    /**
     * Whether the name service has just confirmed a host's address: one that is merely remembered may now belong to another host.
     */
    public synchronized boolean isFresh(String host) {
        Host known = hosts.get(normalize(host));
        return isAddress(host) || (known != null && isWithin(known.anewNanos, 2 * ANEW_EACH_NANOS));
    }

    /** The day, in UTC, on which the name service last gave the addresses of a host; empty if it never gave any. */
    public synchronized Optional<LocalDate> lastAnswerDate(String host) {
        Host known = hosts.get(normalize(host));
        return known == null ? Optional.<LocalDate>empty() : known.answeredOn;
    }

    /** The last answers of the name service, for all hosts that it has resolved. */
    public synchronized Map<String, List<InetAddress>> lastAnswers() {
        Map<String, List<InetAddress>> answers = new HashMap<>();
        hosts.forEach((host, known) -> {
            if (!known.answered.isEmpty()) {
                answers.put(host, known.answered);
            }
        });
        return answers;
    }

    /** Takes over an earlier process's answers, unless this process has newer ones. */
    public synchronized void restore(String host, List<InetAddress> addresses, LocalDate answeredOn) {
        Host known = hostEntry(host);
        if (known.answered.isEmpty()) {
            known.answered = filterUsable(addresses);
            known.answeredOn = Optional.of(answeredOn);
        }
    }

    /** Remembers that a connection to an address of a host has worked. */
    public synchronized void rememberReachable(String host, InetAddress address) {
        if (!isAddress(host)) {
            Host known = hostEntry(host);
            known.reached = Optional.of(address);
            known.doubted = false;
        }
    }

    /** Makes the next caller look up a host again, as it did not answer at its address. */
    public synchronized void markSuspect(String host) {
        if (!isAddress(host)) {
            hostEntry(host).doubted = true;
        }
    }

    private synchronized List<InetAddress> knownAddresses(String host) {
        Host known = hostEntry(host);
        Set<InetAddress> all = new LinkedHashSet<>();
        known.reached.filter(known.answered::contains).ifPresent(all::add);
        all.addAll(known.answered);
        known.reached.ifPresent(all::add);
        return new ArrayList<>(all);
    }

    private CompletableFuture<List<InetAddress>> startLookup(String host) {
        CompletableFuture<List<InetAddress>> lookup;
        boolean refresh;
        synchronized (this) {
            Host known = hostEntry(host);
            if (known.lookUp.isPresent()) {
                return known.lookUp.get();
            }
            boolean isFresh = isWithin(known.anewNanos, known.doubted ? ANEW_EACH_NANOS : JVM_KEEPS_NANOS);
            if (isFresh) {
                return CompletableFuture.completedFuture(known.answered);
            }
            // While names fail at once, no caller may have a process started for each of its attempts.
            refresh = known.doubted && !isWithin(known.failedNanos, ANEW_EACH_NANOS);
            lookup = new CompletableFuture<>();
            known.lookUp = Optional.of(lookup);
        }
        try {
            threads.execute(() -> lookUp(host, refresh, lookup));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            finishLookup(host, lookup);
            lookup.completeExceptionally(new IOException("No thread for it: too many look-ups of names hang", e));
        }
        return lookup;
    }

    private boolean isWithin(Optional<Long> sinceNanos, long nanos) {
        return sinceNanos.isPresent() && nanoTime.getAsLong() - sinceNanos.get() < nanos;
    }

    private void lookUp(String host, boolean refresh, CompletableFuture<List<InetAddress>> lookup) {
        List<InetAddress> found;
        try {
            found = refresh ? names.lookUpUncached(host) : names.lookUp(host);
        } catch (IOException | RuntimeException | Error e) {
            if (refresh) {
                rememberFailedLookup(host);
            }
            finishLookup(host, lookup);
            lookup.completeExceptionally(e);
            return;
        }
        synchronized (this) {
            Host known = hostEntry(host);
            known.answered = filterUsable(found);
            known.answeredOn = Optional.of(LocalDate.now(ZoneOffset.UTC));
            if (refresh) {
                known.anewNanos = Optional.of(nanoTime.getAsLong());
                known.doubted = false;
            }
            finishLookup(host, lookup);
        }
        lookup.complete(filterUsable(found));
    }

    private synchronized void rememberFailedLookup(String host) {
        hostEntry(host).failedNanos = Optional.of(nanoTime.getAsLong());
    }

    private synchronized void finishLookup(String host, CompletableFuture<List<InetAddress>> lookUp) {
        Host known = hostEntry(host);
        known.lookUp = known.lookUp.filter(other -> other != lookUp);
    }

    private synchronized Host hostEntry(String host) {
        Host known = hosts.computeIfAbsent(normalize(host), name -> new Host());
        if (hosts.size() > MAX_HOSTS) {
            hosts.remove(hosts.keySet().iterator().next());
        }
        return known;
    }

    private static List<InetAddress> await(String host, CompletableFuture<List<InetAddress>> lookUp, Duration timeout)
            throws IOException {
        try {
            return lookUp.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw newUnknownHostException(host, "it does not resolve" + describe(host, e.getCause()), e);
        } catch (TimeoutException e) {
            throw newUnknownHostException(host, "no name server has answered within " + timeout, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while looking up " + host);
        }
    }

    /**
     * The reason why a name has no address; the JVM's message gives it, if at all, after the name, which the caller has already printed.
     */
    private static String describe(String host, Throwable cause) {
        if (!(cause instanceof UnknownHostException)) {
            return ": " + cause;
        }
        String said = String.valueOf(cause.getMessage());
        return said.startsWith(host) ? said.substring(host.length()) : ": " + said;
    }

    private static UnknownHostException newUnknownHostException(String host, String reason, Exception cause) {
        UnknownHostException unknown = new UnknownHostException(host + ": " + reason);
        unknown.initCause(cause);
        return unknown;
    }

    /**
     * Removes addresses that the JVM cannot use: one restricted to IPv4 reaches no others, and never returns any, but a file and {@code getent} may.
     */
    private static List<InetAddress> filterUsable(List<InetAddress> addresses) {
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
