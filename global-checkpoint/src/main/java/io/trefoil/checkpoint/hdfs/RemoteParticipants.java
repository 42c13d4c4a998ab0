/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.config.ConfiguredFederation;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.run.Participants;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugins of all nameservices, called through their ports. Connections to the NameNodes chosen for a checkpoint
 * stay open until this is closed, so that none must be opened while a namesystem is frozen. Thread-safe.
 */
public final class RemoteParticipants implements Participants, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteParticipants.class);

    private final ConfiguredFederation federation;
    private final Duration timeout;
    /** The client of the NameNode of each nameservice that was active when the checkpoint began. */
    private final Map<String, PluginClient> chosen = new ConcurrentHashMap<>();

    public RemoteParticipants(Configuration conf, Duration timeout) {
        this.federation = new ConfiguredFederation(conf);
        this.timeout = timeout;
    }

    /**
     * Finds the active NameNode of a nameservice.
     *
     * @throws IOException if none says that it is active; the text quotes each answer
     */
    private PluginClient connectToActive(String nameservice) throws IOException {
        return new ActiveNameNodeFinder<PluginClient>(nameservice, federation.pluginAddresses(nameservice))
                .find(address -> connectIfActive(nameservice, address));
    }

    /** Connects to a NameNode if it reports that it is active; otherwise throws an exception with its answer. */
    private PluginClient connectIfActive(String nameservice, InetSocketAddress address) throws IOException {
        PluginClient client =
                new PluginClient(federation.nameNodeConfiguration(nameservice, address), address, timeout);
        boolean isActive = false;
        try {
            JsonNode status = client.request(PluginOrders.STATUS, CheckpointJson.object());
            String of = status.path("nameservice").asText();
            if (!of.equals(nameservice)) {
                throw new IOException("is of nameservice " + of);
            }
            isActive = status.path("active").asBoolean();
            if (!isActive) {
                throw new IOException("is not active");
            }
            return client;
        } finally {
            if (!isActive) {
                client.close();
            }
        }
    }

    /** Makes the active of a nameservice carry out an order. */
    public JsonNode callActive(String nameservice, String order, JsonNode arguments) throws IOException {
        try (PluginClient client = connectToActive(nameservice)) {
            return client.request(order, arguments);
        }
    }

    private PluginClient chosenParticipant(String nameservice) throws IOException {
        PluginClient client = chosen.get(nameservice);
        if (client == null) {
            client = connectToActive(nameservice);
            chosen.put(nameservice, client);
        }
        return client;
    }

    @Override
    public void prepare(String nameservice, FreezeOrder order) throws IOException {
        chosenParticipant(nameservice).request(PluginOrders.PREPARE, arguments(order));
    }

    private static ObjectNode arguments(FreezeOrder order) {
        return CheckpointJson.object()
                .put("id", order.id().toString())
                .put("holdMillis", order.holdMillis())
                .put("protectData", order.protectData());
    }

    @Override
    public long clock(String nameservice) throws IOException {
        return PluginOrders.parseClock(
                chosenParticipant(nameservice).request(PluginOrders.CLOCK, CheckpointJson.object()));
    }

    @Override
    public Grant freeze(String nameservice, FreezeOrder order) throws IOException {
        return PluginOrders.parseGrant(chosenParticipant(nameservice).request(PluginOrders.FREEZE, arguments(order)));
    }

    @Override
    public Cut cut(String nameservice, Grant grant, Agreement agreement) throws IOException {
        ObjectNode arguments = CheckpointJson.object().put("grant", grant.toString());
        arguments.set("agreement", CheckpointJson.toJson(agreement));
        return CheckpointJson.parseCut(chosenParticipant(nameservice).request(PluginOrders.CUT, arguments));
    }

    @Override
    public void abandon(String nameservice, CheckpointId id) throws IOException {
        ObjectNode arguments = CheckpointJson.object().put("id", id.toString());
        PluginClient first = chosen.get(nameservice);
        if (first != null) {
            try {
                first.request(PluginOrders.ABANDON, arguments);
                return;
            } catch (IOException e) {
                // It failed over or is gone. Its successor finds whatever exists of the checkpoint in its journal.
                abandonAtSuccessor(nameservice, arguments, e);
                return;
            }
        }
        callActive(nameservice, PluginOrders.ABANDON, arguments);
    }

    private void abandonAtSuccessor(String nameservice, ObjectNode arguments, IOException first) throws IOException {
        try {
            callActive(nameservice, PluginOrders.ABANDON, arguments);
        } catch (IOException e) {
            e.addSuppressed(first);
            throw e;
        }
    }

    @Override
    public void close() {
        for (PluginClient client : chosen.values()) {
            try {
                client.close();
            } catch (IOException e) {
                LOG.debug("Connection to a NameNode was not closed cleanly", e);
            }
        }
    }
}
