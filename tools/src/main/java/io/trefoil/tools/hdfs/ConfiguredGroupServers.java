/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.foundation.hdfs.NameNodeAddresses;
import io.trefoil.foundation.hdfs.RpcFailure;
import io.trefoil.foundation.hdfs.WebPages;
import io.trefoil.ha.hdfs.orders.RemoteGroupOrders;
import io.trefoil.tools.cluster.GroupServers;
import io.trefoil.tools.cluster.ReportedDataNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** The servers of a configured nameservice: NameNodes and DataNodes, queried on their own ports, like {@code dfsadmin} does. */
final class ConfiguredGroupServers implements GroupServers {

    private static final String BEAN = "/jmx?qry=Hadoop:service=DataNode,name=DataNodeInfo";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A hint for clusters with Kerberos: there, DataNodes have their own principals, so the NameNodes' user alone is not enough. */
    private static final String NOT_OURS_TO_SAY =
            " It takes this from members of its dfs.permissions.superusergroup, whatever the NameNodes' user is";

    private final Configuration conf;
    private final String nameservice;
    private final Duration timeout;
    private final RemoteGroupOrders orders;
    private final WebPages pages;

    ConfiguredGroupServers(Configuration conf, String nameservice, Duration timeout) {
        this.conf = new Configuration(conf);
        int millis = Math.toIntExact(timeout.toMillis());
        // A server that is down is reported, and asked again when the command runs again.
        this.conf.setInt("ipc.client.connect.max.retries", 0);
        this.conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
        this.conf.setInt("ipc.client.connect.timeout", millis);
        this.conf.setInt("ipc.client.rpc-timeout.ms", millis);
        this.nameservice = nameservice;
        this.timeout = timeout;
        this.orders = new RemoteGroupOrders(conf, nameservice, timeout);
        this.pages = new WebPages(conf);
    }

    private Map<String, InetSocketAddress> nameNodes() {
        return NameNodeAddresses.rpcAddresses(conf, nameservice);
    }

    @Override
    public Map<String, String> configuredNameNodes() {
        Map<String, String> configured = new LinkedHashMap<>();
        nameNodes().forEach((id, address) -> configured.put(id, address.getHostString() + ":" + address.getPort()));
        return configured;
    }

    @Override
    public Map<String, String> knownNameNodes(String nameNode) throws IOException {
        return orders.listNameNodes(nameNode);
    }

    @Override
    public Map<String, String> refreshNameNode(String nameNode) throws IOException {
        return orders.reread(nameNode);
    }

    @Override
    public List<ReportedDataNode> dataNodes(String nameNode) throws IOException {
        List<ReportedDataNode> seen = new ArrayList<>();
        try (DistributedFileSystem fileSystem = new DistributedFileSystem()) {
            fileSystem.initialize(
                    URI.create(
                            "hdfs://" + NetUtils.getHostPortString(nameNodes().get(nameNode))),
                    conf);
            for (DatanodeInfo each : fileSystem.getDataNodeStats(DatanodeReportType.LIVE)) {
                ReportedDataNode dataNode = ReportedDataNode.of(
                        each.getDatanodeUuid(),
                        each.getHostName() + ":" + each.getIpcPort(),
                        each.getIpcAddr(false),
                        DFSUtil.getHttpPolicy(conf).isHttpEnabled() ? each.getInfoAddr() : each.getInfoSecureAddr());
                seen.add(each.getLastBlockReportTime() > 0 ? dataNode.withBlocks() : dataNode);
            }
        } catch (RemoteException e) {
            throw new IOException(RpcFailure.describe(e), e);
        }
        return seen;
    }

    @Override
    public void refreshDataNode(ReportedDataNode dataNode) throws IOException {
        Configuration resolved = new Configuration(conf);
        // As in DFSAdmin: the principal for which the client requests a ticket.
        resolved.set(
                CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
                conf.get(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, ""));
        ClientDatanodeProtocol proxy = DFSUtilClient.createClientDatanodeProtocolProxy(
                NetUtils.createSocketAddr(dataNode.ipcAddress()),
                UserGroupInformation.getCurrentUser(),
                resolved,
                NetUtils.getSocketFactory(resolved, ClientDatanodeProtocol.class));
        try {
            proxy.refreshNamenodes();
        } catch (RemoteException e) {
            boolean isForbidden =
                    e.unwrapRemoteException(AccessControlException.class) instanceof AccessControlException;
            throw new IOException(isForbidden ? RpcFailure.describe(e) + NOT_OURS_TO_SAY : RpcFailure.describe(e), e);
        } finally {
            RPC.stopProxy(proxy);
        }
    }

    @Override
    public Set<String> nameNodesOf(ReportedDataNode dataNode) throws IOException {
        JsonNode beans =
                JSON.readTree(pages.read(dataNode.webAddress(), BEAN, timeout)).path("beans");
        if (beans.size() != 1) {
            throw new IOException("its page does not say which NameNodes it reports to");
        }
        Map<InetSocketAddress, String> known = new HashMap<>();
        DFSUtil.getNNServiceRpcAddressesForCluster(conf)
                .forEach((service, nameNodes) ->
                        nameNodes.forEach((id, address) -> known.put(address, nameservice.equals(service) ? id : "")));
        Set<String> reportsTo = new LinkedHashSet<>();
        for (JsonNode actor :
                JSON.readTree(beans.get(0).path("BPServiceActorInfo").asText("[]"))) {
            String address = actor.path("NamenodeAddress").asText();
            reportsTo.add(known.getOrDefault(NetUtils.createSocketAddr(address), address));
        }
        reportsTo.remove("");
        return reportsTo;
    }
}
