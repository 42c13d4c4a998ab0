/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock NameNodes that count. */
class SubtreeLoadLoggerTest {
    private static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;

    @BeforeEach
    void configure() throws IOException {
        nameNodes = new TestNameNodes(directory, "load");
        nameNodes.format("nn1");
        nameNodes.set("dfs.namenode.audit.loggers", "default," + SubtreeLoadLogger.class.getName());
    }

    @AfterEach
    void close() {
        nameNodes.close();
    }

    private ClientProtocol client(NameNode nameNode) throws IOException {
        return NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.getNameNodeAddress(),
                nameNodes.conf("nn1"),
                UserGroupInformation.getCurrentUser(),
                false,
                null);
    }

    private static JsonNode loads(NameNode nameNode) throws IOException {
        SubtreeLoadLogger logger = nameNode.getNamesystem().getAuditLoggers().stream()
                .filter(SubtreeLoadLogger.class::isInstance)
                .map(SubtreeLoadLogger.class::cast)
                .findFirst()
                .orElseThrow();
        return new ObjectMapper().readTree(logger.getLoads());
    }

    @Test
    void countsCallsExecutedByRpcAndWebHdfs() throws Exception {
        NameNode active = nameNodes.start("nn1");
        TestNameNodes.makeActive(active);
        ClientProtocol client = client(active);
        client.mkdirs("/a/b", WORLD_WRITABLE, true);
        client.mkdirs("/c", WORLD_WRITABLE, true);
        client.getFileInfo("/a/b");
        client.getListing("/a", new byte[0], false);
        client.getContentSummary("/a/b");
        client.getXAttrs("/a/b", null);
        client.getAclStatus("/a/b");
        client.rename2("/a/b", "/c/d", Options.Rename.NONE);
        RPC.stopProxy(client);
        String page = "http://" + NetUtils.getHostPortString(active.getHttpAddress());
        assertThat(requestStatus(page + "/webhdfs/v1/c/d?op=GETFILESTATUS")).isEqualTo(200);

        JsonNode loads = loads(active);

        assertThat(loads.get("changes").asInt()).isEqualTo(3);
        assertThat(loads.get("reads").asInt()).isEqualTo(6);
        assertThat(loads.get("error").asInt()).isZero();
        assertThat(loads.get("seconds").asDouble()).isPositive();
        assertThat(loads.get("subtrees"))
                .extracting(one -> one.get("path").asText() + " " + one.get("reads") + " " + one.get("changes"))
                .containsExactly("/a 5 2", "/a/b 4 2", "/c 1 2", "/c/d 1 1");
        assertThat(requestText(page + "/jmx")).contains("TrefoilSubtreeLoads");
    }

    @Test
    void callsRefusedByStandbyAreNotCounted() throws Exception {
        NameNode standby = nameNodes.start("nn1");
        ClientProtocol client = client(standby);

        assertThatThrownBy(() -> client.mkdirs("/a", WORLD_WRITABLE, true))
                .hasMessageContaining("not supported in state standby");
        RPC.stopProxy(client);

        assertThat(loads(standby).get("changes").asInt()).isZero();
    }

    @Test
    void invalidDepthFailsNameNodeStart() {
        nameNodes.set("trefoil.federation.load.depth", "0");

        assertThatThrownBy(() -> nameNodes.start("nn1")).hasMessageContaining("trefoil.federation.load.depth");
    }

    private static int requestStatus(String url) throws IOException {
        return ((HttpURLConnection) URI.create(url).toURL().openConnection()).getResponseCode();
    }

    private static String requestText(String url) throws IOException {
        return new String(URI.create(url).toURL().openStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
