/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.foundation.names.HostFinder;
import io.trefoil.journal.storage.file.CheckedText;
import io.trefoil.journal.storage.file.NioFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which a pool node keeps the addresses of the cluster's hosts, so that a process that starts while names do
 * not resolve knows them. Any answer of the name service counts more, and a file that is damaged is as good as none.
 */
final class KnownHosts {

    private static final Logger LOG = LoggerFactory.getLogger(KnownHosts.class);

    /** In the directory that holds the journals' directories. */
    static final String NAME = "known.hosts";
    /** What fits into the largest {@link CheckedText}, with long names and several addresses each. */
    private static final int MAX_HOSTS = 200;

    private final Path file;

    KnownHosts(Path directory) {
        this.file = directory.resolve(NAME);
    }

    /** Tells a finder what an earlier process was told. */
    void recallTo(HostFinder hosts) {
        if (!Files.exists(file)) {
            return;
        }
        try {
            for (Map.Entry<String, String> host :
                    new CheckedText(new NioFiles(), file).read().entrySet()) {
                hosts.recall(host.getKey(), addresses(host.getKey(), host.getValue()));
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be read, and is ignored: until names resolve, their hosts are unknown here", file, e);
        }
    }

    private static List<InetAddress> addresses(String host, String texts) throws IOException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String text : texts.split(" ")) {
            if (!HostFinder.isAddress(text)) {
                throw new IOException("Wanted addresses of " + host + ", found '" + texts + "'");
            }
            addresses.add(
                    InetAddress.getByAddress(host, InetAddress.getByName(text).getAddress()));
        }
        return addresses;
    }

    /**
     * Replaces the file.
     *
     * @throws IOException if it cannot be written; it then has its old text
     */
    void keep(Map<String, List<InetAddress>> hosts) throws IOException {
        Map<String, String> lines = new TreeMap<>();
        for (Map.Entry<String, List<InetAddress>> host : hosts.entrySet()) {
            if (!HostFinder.isAddress(host.getKey()) && !host.getValue().isEmpty() && lines.size() < MAX_HOSTS) {
                List<String> texts = new ArrayList<>();
                host.getValue().forEach(address -> texts.add(address.getHostAddress()));
                lines.put(host.getKey(), String.join(" ", texts));
            }
        }
        new CheckedText(new NioFiles(), file).write(lines);
    }
}
