/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.journal.hdfs.pin.RefreshClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Asks DataNodes to link blocks. Thread-safe.
 *
 * <p>Uses {@code RefreshResponse}.
 */
public final class LinkClient {

    private static final Duration CONNECTING = Duration.ofSeconds(5);

    private final RefreshClient client;

    /** @param timeout how long a DataNode may take to carry out one order */
    public LinkClient(Configuration conf, Duration timeout) {
        this.client = RefreshClient.forDataNodes(conf, CONNECTING, timeout);
    }

    /**
     * Gives an order and waits for its outcomes.
     *
     * @param dataNode its IPC address
     * @return one outcome for each block of the order, in the same order
     * @throws IOException if the DataNode did not take the order, or did not answer: then it is unknown what is linked, and the order
     *     may be given again
     */
    public List<LinkOutcome> link(InetSocketAddress dataNode, LinkOrder order) throws IOException {
        RefreshResponse response =
                client.call(dataNode, LinkService.IDENTIFIER, order.tokens().toArray(new String[0]));
        if (response.getReturnCode() != 0) {
            throw new IOException("DataNode " + dataNode + " refuses: " + response.getMessage());
        }
        List<LinkOutcome> outcomes = new ArrayList<>();
        for (String line : response.getMessage().split("\n")) {
            outcomes.add(parseOutcome(dataNode, line));
        }
        if (outcomes.size() != order.links().size()) {
            throw new IOException("DataNode " + dataNode + " answers for " + outcomes.size() + " blocks, asked about "
                    + order.links().size());
        }
        for (int i = 0; i < outcomes.size(); i++) {
            if (!outcomes.get(i).block().equals(order.links().get(i).to())) {
                throw new IOException("DataNode " + dataNode + " answers for "
                        + outcomes.get(i).block() + ", asked about "
                        + order.links().get(i));
            }
        }
        return Collections.unmodifiableList(outcomes);
    }

    private static LinkOutcome parseOutcome(InetSocketAddress dataNode, String line) throws IOException {
        try {
            return LinkOutcome.parse(line);
        } catch (IllegalArgumentException e) {
            throw new IOException("Cannot read what DataNode " + dataNode + " answers: " + e.getMessage(), e);
        }
    }
}
