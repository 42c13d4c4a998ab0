/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Queries the name service of this system through {@code getent}, which asks the same servers as the JVM but caches nothing: the JVM has no
 * call that bypasses its cache. As {@code SystemNameService} of the servers, whose classes a client lacks. On a system without that
 * command, and in a JVM with names of its own or that may start no process, there is no answer.
 */
final class SystemLookup {
    /** The timeout: the longest time that a resolver with two dead servers takes by default. */
    private static final long TIMEOUT_SECONDS = 20;

    private SystemLookup() {}

    static List<InetAddress> lookUp(String host) {
        if (System.getProperty("jdk.net.hosts.file") != null || host.startsWith("-")) {
            return Collections.emptyList();
        }
        Process asked;
        try {
            asked = new ProcessBuilder("getent", "ahosts", host)
                    .redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .start();
        } catch (IOException | SecurityException e) {
            return Collections.emptyList();
        }
        try {
            boolean hasAnswer = asked.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && asked.exitValue() == 0;
            return hasAnswer ? read(asked.getInputStream(), host) : Collections.<InetAddress>emptyList();
        } catch (IOException e) {
            return Collections.emptyList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Collections.emptyList();
        } finally {
            asked.destroy();
        }
    }

    /** Reads the lines, each of which begins with an address; the answer is far smaller than the pipe's buffer. */
    private static List<InetAddress> read(InputStream answer, String host) throws IOException {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String address = line.split("\\s", 2)[0];
                if (MovedHostResolver.isAddress(address)) {
                    addresses.add(InetAddress.getByAddress(
                            host, InetAddress.getByName(address).getAddress()));
                }
            }
        }
        // A JVM that is told to use IPv4 only can reach no other addresses.
        if (Boolean.getBoolean("java.net.preferIPv4Stack")) {
            addresses.removeIf(Inet6Address.class::isInstance);
        }
        return sortByPreference(addresses, System.getProperty("java.net.preferIPv6Addresses"));
    }

    /** Orders addresses like the JVM does for a host, as most callers try only the first one. */
    static List<InetAddress> sortByPreference(Collection<InetAddress> addresses, String preference) {
        List<InetAddress> ordered = new ArrayList<>(addresses);
        if (!"system".equalsIgnoreCase(preference)) {
            Class<?> first = Boolean.parseBoolean(preference) ? Inet6Address.class : Inet4Address.class;
            ordered.sort(Comparator.comparing(address -> !first.isInstance(address)));
        }
        return ordered;
    }
}
