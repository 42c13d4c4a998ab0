/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.foundation.hdfs.NameNodeAddresses;
import io.trefoil.journal.hdfs.pin.RefreshClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Asks one NameNode for the NameNodes that it advertises to clients, and orders it to reread them. Thread-safe.
 *
 * <p>Uses {@code NameNode.initializeGenericKeys}, {@code Configuration}, {@code RefreshResponse}.
 */
public final class RemoteGroupOrders {

    private final Configuration conf;
    private final String nameservice;
    private final Duration timeout;

    /** @param timeout how long a NameNode may take */
    public RemoteGroupOrders(Configuration conf, String nameservice, Duration timeout) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.timeout = timeout;
    }

    /**
     * The NameNodes that a NameNode advertises, as addresses for clients by id.
     *
     * @throws IOException if it does not answer, or does not say; the text is one line
     */
    public Map<String, String> listNameNodes(String nameNode) throws IOException {
        return order(nameNode, GroupOrders.SHOW);
    }

    /**
     * Makes a NameNode reread its configuration, and returns the NameNodes that it then advertises.
     *
     * @throws IOException if it refused, or did not answer; the text is one line
     */
    public Map<String, String> reread(String nameNode) throws IOException {
        return order(nameNode, GroupOrders.REREAD);
    }

    private Map<String, String> order(String nameNode, String word) throws IOException {
        InetSocketAddress address =
                NameNodeAddresses.rpcAddresses(conf, nameservice).get(nameNode);
        if (address == null) {
            throw new IllegalArgumentException("The configuration has no NameNode " + nameNode + " of " + nameservice);
        }
        Configuration resolved = new Configuration(conf);
        NameNode.initializeGenericKeys(resolved, nameservice, nameNode);
        RefreshResponse response =
                new RefreshClient(resolved, timeout, timeout).call(address, GroupOrders.identifier(nameservice), word);
        if (response.getReturnCode() != 0) {
            throw new IOException("refuses: " + response.getMessage());
        }
        return parseAnswer(response.getMessage());
    }

    /** Reads the text of an answer; a line that is something else is of a newer version. */
    static Map<String, String> parseAnswer(String text) {
        Map<String, String> named = new LinkedHashMap<>();
        for (String line : text.split("\n", -1)) {
            int space = line.indexOf(' ');
            if (space > 0) {
                named.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        return named;
    }
}
