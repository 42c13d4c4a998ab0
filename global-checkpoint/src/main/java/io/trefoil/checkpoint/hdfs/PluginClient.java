/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.journal.hdfs.pin.RefreshClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;

/** Talks to the plugin of one NameNode; the connection stays open until this is closed. Thread-safe. */
final class PluginClient implements Closeable {

    private static final Duration CONNECTING = Duration.ofSeconds(2);

    private final RefreshClient.RefreshSession session;

    /**
     * @param conf the configuration for the NameNode that is called
     * @param timeout how long an answer may take
     */
    PluginClient(Configuration conf, InetSocketAddress address, Duration timeout) throws IOException {
        // A NameNode that does not answer is not active; a late retry would only use up the time of the freeze.
        session = new RefreshClient(conf, CONNECTING, timeout).open(address);
    }

    /**
     * Sends an order and waits for its result.
     *
     * @throws OrderRefusedException if the order was refused
     * @throws IOException if there was no answer
     */
    JsonNode request(String order, JsonNode arguments) throws IOException {
        RefreshResponse response = session.call(PluginService.IDENTIFIER, order, arguments.toString());
        if (response.getReturnCode() != 0) {
            throw new OrderRefusedException(response.getMessage());
        }
        return CheckpointJson.parse(response.getMessage());
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
