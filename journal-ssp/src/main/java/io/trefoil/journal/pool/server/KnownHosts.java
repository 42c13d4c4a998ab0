/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.storage.file.ChecksummedText;
import io.trefoil.journal.storage.file.NioFiles;
import io.trefoil.journal.transport.access.NetworkAccessController;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the addresses of the cluster's hosts, for a pool node that starts while names do not resolve. Any answer of the name
 * service counts more, and a file that is damaged is as good as none, as is a line that has not been confirmed for days: its addresses
 * may be other hosts' by now, and callers are admitted by them.
 */
public final class KnownHosts implements NetworkAccessController.Keeper {

    private static final Logger LOG = LoggerFactory.getLogger(KnownHosts.class);

    /** The name of the file, in the directory that holds the journals' directories. */
    static final String NAME = "known.hosts";
    /** The number of hosts that fit into the largest {@link ChecksummedText}, with long names and several addresses each. */
    private static final int MAX_HOSTS = 200;

    private static final long MAX_AGE_DAYS = 7;
    /** The separator before the day on which the name service last gave the addresses. */
    private static final String DAY_SEPARATOR = "@";

    private final Path file;
    private final HostResolver hosts;
    private final Supplier<LocalDate> today;
    private volatile LocalDate written = LocalDate.MIN;

    /** @param directory that of the journals' directories */
    public KnownHosts(Path directory, HostResolver hosts) {
        this(directory, hosts, () -> LocalDate.now(ZoneOffset.UTC));
    }

    KnownHosts(Path directory, HostResolver hosts, Supplier<LocalDate> today) {
        this.file = directory.resolve(NAME);
        this.hosts = hosts;
        this.today = today;
    }

    /** Gives the resolver the addresses that an earlier process had resolved. */
    public void restore() {
        if (!Files.exists(file)) {
            return;
        }
        try {
            for (Map.Entry<String, String> host :
                    new ChecksummedText(new NioFiles(), file).read().entrySet()) {
                restore(host.getKey(), host.getValue());
            }
        } catch (IOException e) {
            LOG.warn(
                    "Ignoring unreadable file={}: until names resolve, their hosts are unknown here; no action "
                            + "needed",
                    file,
                    e);
        }
    }

    private void restore(String host, String text) throws IOException {
        int of = text.indexOf(" " + DAY_SEPARATOR);
        LocalDate day;
        try {
            day = LocalDate.parse(text.substring(of + 1 + DAY_SEPARATOR.length()));
        } catch (DateTimeParseException e) {
            throw new IOException("Wanted addresses of " + host + " and a day, found '" + text + "'", e);
        }
        if (day.plusDays(MAX_AGE_DAYS).isBefore(today.get())) {
            LOG.warn(
                    "file={} has an address of host={} from date={}, which is too old to use: until names "
                            + "resolve, that host is unknown here; do: check DNS on this host",
                    file,
                    host,
                    day);
        } else {
            hosts.restore(host, addresses(host, text.substring(0, Math.max(0, of))), day);
        }
    }

    private static List<InetAddress> addresses(String host, String texts) throws IOException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String text : texts.split(" ")) {
            if (!HostResolver.isAddress(text)) {
                throw new IOException("Wanted addresses of " + host + ", found '" + texts + "'");
            }
            addresses.add(
                    InetAddress.getByAddress(host, InetAddress.getByName(text).getAddress()));
        }
        return addresses;
    }

    /** Whether it is time to save unchanged answers again, which is done once a day, as they are confirmed all the time. */
    @Override
    public boolean isDue() {
        return !written.equals(today.get());
    }

    /**
     * Replaces the file; hosts for which it has no room are named in the log.
     *
     * @throws IOException if it cannot be written; it then has its old text
     */
    @Override
    public void keep(Map<String, List<InetAddress>> addresses) throws IOException {
        LocalDate now = today.get();
        Map<String, String> lines = new TreeMap<>();
        List<String> left = new ArrayList<>();
        for (Map.Entry<String, List<InetAddress>> host : addresses.entrySet()) {
            if (HostResolver.isAddress(host.getKey()) || host.getValue().isEmpty()) {
                continue;
            }
            if (lines.size() >= MAX_HOSTS) {
                left.add(host.getKey());
            } else {
                List<String> texts = new ArrayList<>();
                host.getValue().forEach(address -> texts.add(address.getHostAddress()));
                texts.add(DAY_SEPARATOR + hosts.lastAnswerDate(host.getKey()).orElse(now));
                lines.put(host.getKey(), String.join(" ", texts));
            }
        }
        if (!left.isEmpty()) {
            LOG.warn(
                    "file={} is limited to hosts={}: a process that starts while names do not resolve will not know "
                            + "{}; no action needed while names resolve",
                    file,
                    MAX_HOSTS,
                    left);
        }
        if (lines.isEmpty()) {
            // As where all hosts are configured by address. A text without lines reads as a damaged one.
            Files.deleteIfExists(file);
        } else {
            new ChecksummedText(new NioFiles(), file).write(lines);
        }
        written = now;
    }
}
