/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.journal.hdfs.pin.RefreshClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Asks one NameNode which NameNodes it names to clients, and orders it to reread them. Thread-safe.
 *
 * <p>Uses {@code DFSUtilClient.getHaNnRpcAddresses}, {@code NameNode.initializeGenericKeys}, {@code Configuration}, {@code
 * RefreshResponse}.
 */
public final class RemoteGroupOrders {

    private final Configuration conf;
    private final String nameservice;
    private final Duration patience;

    /** @param patience how long a NameNode may take */
    public RemoteGroupOrders(Configuration conf, String nameservice, Duration patience) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.patience = patience;
    }

    /**
     * The NameNodes that a NameNode names: addresses for clients by id.
     *
     * @throws IOException if it does not answer, or does not say; the text is one line
     */
    public Map<String, String> named(String nameNode) throws IOException {
        return order(nameNode, GroupOrders.SHOW);
    }

    /**
     * Makes a NameNode reread its configuration, and returns the NameNodes that it then names.
     *
     * @throws IOException if it refused, or did not answer; the text is one line
     */
    public Map<String, String> reread(String nameNode) throws IOException {
        return order(nameNode, GroupOrders.REREAD);
    }

    private Map<String, String> order(String nameNode, String word) throws IOException {
        InetSocketAddress address = DFSUtilClient.getHaNnRpcAddresses(conf)
                .getOrDefault(nameservice, Collections.emptyMap())
                .get(nameNode);
        if (address == null) {
            throw new IllegalArgumentException("The configuration has no NameNode " + nameNode + " of " + nameservice);
        }
        Configuration resolved = new Configuration(conf);
        NameNode.initializeGenericKeys(resolved, nameservice, nameNode);
        RefreshResponse response =
                new RefreshClient(resolved, patience, patience).ask(address, GroupOrders.identifier(nameservice), word);
        if (response.getReturnCode() != 0) {
            throw new IOException("refuses: " + response.getMessage());
        }
        Map<String, String> named = new LinkedHashMap<>();
        for (String line : response.getMessage().split("\n", -1)) {
            int space = line.indexOf(' ');
            if (space > 0) {
                named.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        return named;
    }
}
