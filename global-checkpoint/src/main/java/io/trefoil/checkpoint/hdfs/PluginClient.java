/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.checkpoint.run.RefusedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Speaks to the plugin of one NameNode. */
final class PluginClient {

    private final Configuration conf;
    private final InetSocketAddress address;
    private final Duration patience;

    /** @param patience how long an answer may take */
    PluginClient(Configuration conf, InetSocketAddress address, Duration patience) {
        this.conf = new Configuration(conf);
        // As DFSAdmin: whose ticket the client asks for.
        this.conf.set(
                CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
                conf.get(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
        // Whoever does not answer is not the active; a late try again would only cost the freeze its time.
        this.conf.setInt("ipc.client.connect.max.retries", 0);
        this.conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
        this.conf.setInt("ipc.client.connect.timeout", 2_000);
        this.address = address;
        this.patience = patience;
        RPC.setProtocolEngine(this.conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    }

    InetSocketAddress address() {
        return address;
    }

    /**
     * Gives an order and waits for what becomes of it.
     *
     * @throws RefusedException if it was refused
     * @throws IOException if there was no answer
     */
    JsonNode ask(String order, JsonNode arguments) throws IOException {
        try (GenericRefreshProtocolClientSideTranslatorPB proxy =
                new GenericRefreshProtocolClientSideTranslatorPB(RPC.getProxy(
                        GenericRefreshProtocolPB.class,
                        RPC.getProtocolVersion(GenericRefreshProtocolPB.class),
                        address,
                        UserGroupInformation.getCurrentUser(),
                        conf,
                        NetUtils.getDefaultSocketFactory(conf),
                        Math.toIntExact(patience.toMillis())))) {
            Collection<RefreshResponse> responses =
                    proxy.refresh(PluginService.IDENTIFIER, new String[] {order, arguments.toString()});
            RefreshResponse response = responses.iterator().next();
            if (response.getReturnCode() != 0) {
                throw new RefusedException(response.getMessage());
            }
            return Documents.parse(response.getMessage());
        }
    }
}
