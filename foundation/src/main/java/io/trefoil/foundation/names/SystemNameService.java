/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.names;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The name service of this system. The JVM keeps its answers for 30 s and has no call that asks past them, so a name is
 * looked up anew by {@code getent}, which asks exactly whom the JVM asks: the resolver of the C library. On a system
 * without that command, and in a JVM with names of its own, the JVM's answer has to do.
 */
final class SystemNameService implements NameService {

    /** The timeout: the longest time that a resolver with two dead servers takes by default. */
    private static final long TIMEOUT_SECONDS = 20;

    @Override
    public List<InetAddress> lookUp(String host) throws IOException {
        return Arrays.asList(InetAddress.getAllByName(host));
    }

    @Override
    public List<InetAddress> lookUpUncached(String host) throws IOException {
        if (System.getProperty("jdk.net.hosts.file") == null && !host.startsWith("-")) {
            List<InetAddress> addresses = query(host);
            if (!addresses.isEmpty()) {
                return addresses;
            }
        }
        return lookUp(host);
    }

    /** Runs the look-up; finds nothing if the command does not exist, or gives no answer. */
    private static List<InetAddress> query(String host) {
        Process process;
        try {
            process = new ProcessBuilder("getent", "ahosts", host)
                    .redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .start();
        } catch (IOException e) {
            return new ArrayList<>();
        }
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return new ArrayList<>();
            }
            return process.exitValue() == 0 ? read(process, host) : new ArrayList<>();
        } catch (IOException e) {
            return new ArrayList<>();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ArrayList<>();
        } finally {
            process.destroy();
        }
    }

    /** Reads the lines, each of which begins with an address; the answer is far smaller than the pipe's buffer. */
    private static List<InetAddress> read(Process process, String host) throws IOException {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String address = line.split("\\s", 2)[0];
                if (HostResolver.isAddress(address)) {
                    addresses.add(InetAddress.getByAddress(
                            host, InetAddress.getByName(address).getAddress()));
                }
            }
        }
        return sort(addresses, System.getProperty("java.net.preferIPv6Addresses"));
    }

    /** Orders addresses like the JVM does for a host, as most callers try only the first one. */
    static List<InetAddress> sort(Collection<InetAddress> addresses, String preference) {
        List<InetAddress> ordered = new ArrayList<>(addresses);
        if (!"system".equalsIgnoreCase(preference)) {
            Class<?> first = Boolean.parseBoolean(preference) ? Inet6Address.class : Inet4Address.class;
            ordered.sort(Comparator.comparing(address -> !first.isInstance(address)));
        }
        return ordered;
    }
}
