/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.writer.events.AddressSource;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The content of {@code ssp://host1:port;host2:port;host3:port/journal}: as in QJM's URIs, the nodes and the name of
 * the journal. {@code ssp:///nameservice} stands for the pool nodes in the NameNodes of a nameservice. Immutable.
 */
@AutoValue
public abstract class PoolUri {

    public static final String SCHEME = "ssp";

    /** The default port: unused by stock Hadoop, next to the JournalNodes' 8480 to 8485. */
    static final int DEFAULT_PORT = 8487;

    /**
     * Reads a URI.
     *
     * @param conf says which NameNodes a nameservice has, and where
     * @throws IllegalArgumentException if the URI is of neither form, or names a nameservice whose NameNodes' hosts are unknown
     */
    public static PoolUri parse(URI uri, Configuration conf) {
        String path = uri.getPath();
        if (!SCHEME.equals(uri.getScheme()) || path == null || path.length() < 2) {
            throw new IllegalArgumentException("Wanted ssp:///nameservice, or"
                    + " ssp://host1:port;host2:port;host3:port/journal, found '" + uri + "'");
        }
        try {
            String name = path.substring(1);
            JournalId journal = JournalId.of(name);
            return uri.getAuthority() == null
                    ? new AutoValue_PoolUri(
                            journal, new NameservicePool(conf, name).addresses(), AddressSource.NAMENODES)
                    : new AutoValue_PoolUri(journal, addresses(uri.getAuthority()), AddressSource.JOURNAL_URI);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("In '" + uri + "': " + e.getMessage(), e);
        }
    }

    /** Whether the shared edits are exactly one {@code ssp://} journal. */
    public static boolean isPool(List<URI> sharedEdits) {
        return sharedEdits.size() == 1 && SCHEME.equals(sharedEdits.get(0).getScheme());
    }

    public abstract JournalId journal();

    /** The nodes, in the order of the URI or of {@code dfs.ha.namenodes}, without duplicates. */
    public abstract List<NodeAddress> addresses();

    abstract AddressSource addressSource();

    /** The URI with all hosts and ports. */
    @Override
    public final String toString() {
        StringBuilder text = new StringBuilder(SCHEME);
        String separator = "://";
        for (NodeAddress address : addresses()) {
            text.append(separator).append(address);
            separator = ";";
        }
        return text.append('/').append(journal()).toString();
    }

    private static List<NodeAddress> addresses(String authority) {
        List<NodeAddress> addresses = new ArrayList<>();
        if (authority.contains(",")) {
            throw new IllegalArgumentException("pool nodes are separated by ';', not by ','");
        }
        for (String text : authority.split(";")) {
            NodeAddress address = address(text.trim());
            if (addresses.contains(address)) {
                throw new IllegalArgumentException("pool node " + address + " is named twice");
            }
            addresses.add(address);
        }
        return Collections.unmodifiableList(addresses);
    }

    /** Reads {@code host:port}, or {@code host} alone for the default port. */
    static NodeAddress address(String text) {
        boolean hasPort = text.lastIndexOf(':') > text.lastIndexOf(']');
        return hasPort ? NodeAddress.parse(text) : NodeAddress.of(text, DEFAULT_PORT);
    }
}
