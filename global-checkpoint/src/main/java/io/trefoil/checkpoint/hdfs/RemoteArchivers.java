/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.checkpoint.archive.run.ArchivingGroup;
import io.trefoil.checkpoint.hdfs.config.ConfiguredFederation;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugins of the other NameNodes of a nameservice, asked about archiving. Used by one thread; closed by any. */
final class RemoteArchivers implements ArchivingGroup, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteArchivers.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Configuration conf;
    private final String nameservice;
    private final String name;
    private final BooleanSupplier active;
    private final Map<InetSocketAddress, PluginClient> clients = new HashMap<>();

    RemoteArchivers(Configuration conf, String nameservice, String name, BooleanSupplier active) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.name = name;
        this.active = active;
    }

    @Override
    public boolean isActive() {
        return active.getAsBoolean();
    }

    @Override
    public List<ArchivingMember> queryOthers() throws InterruptedIOException {
        ConfiguredFederation federation = new ConfiguredFederation(conf);
        List<ArchivingMember> others = new ArrayList<>();
        federation.pluginAddressesByName(nameservice).forEach((other, address) -> {
            if (!other.equals(name)) {
                query(federation, other, address, others);
            }
        });
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted");
        }
        return others;
    }

    private void query(
            ConfiguredFederation federation,
            String otherNameNode,
            InetSocketAddress address,
            List<ArchivingMember> answers) {
        try {
            answers.add(HdfsNamesystem.runAsNameNode(() -> parseMember(otherNameNode, client(federation, address))));
        } catch (IOException e) {
            // It is down, has not the setting, or is older: each is as good as absent.
            LOG.debug("NameNode {} does not report on archiving", otherNameNode, e);
            forget(address);
        }
    }

    private PluginClient client(ConfiguredFederation federation, InetSocketAddress address) throws IOException {
        synchronized (clients) {
            PluginClient known = clients.get(address);
            if (known != null) {
                return known;
            }
        }
        PluginClient client =
                new PluginClient(federation.nameNodeConfiguration(nameservice, address), address, TIMEOUT);
        synchronized (clients) {
            clients.put(address, client);
        }
        return client;
    }

    private void forget(InetSocketAddress address) {
        PluginClient client;
        synchronized (clients) {
            client = clients.remove(address);
        }
        if (client != null) {
            close(client);
        }
    }

    private static ArchivingMember parseMember(String otherNameNode, PluginClient client) throws IOException {
        JsonNode answer = client.request(PluginOrders.ARCHIVE, CheckpointJson.object());
        return ArchivingMember.builder(otherNameNode)
                .active(answer.path("active").asBoolean())
                .archiving(answer.path("archiving").asBoolean())
                .failing(answer.path("failing").asBoolean())
                .lagMillis(answer.path("lagMillis").asLong())
                .build();
    }

    /** The answer to {@link PluginOrders#ARCHIVE}. */
    static ObjectNode json(ArchivingMember member) {
        return CheckpointJson.object()
                .put("nameNode", member.name())
                .put("active", member.active())
                .put("archiving", member.archiving())
                .put("failing", member.failing())
                .put("lagMillis", member.lagMillis());
    }

    private static void close(PluginClient client) {
        try {
            client.close();
        } catch (IOException e) {
            LOG.debug("A connection was not closed cleanly", e);
        }
    }

    @Override
    public void close() {
        List<PluginClient> open;
        synchronized (clients) {
            open = new ArrayList<>(clients.values());
            clients.clear();
        }
        open.forEach(RemoteArchivers::close);
    }
}
