/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.Networks;
import io.trefoil.journal.writer.events.AckPolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SspSettingsTest {
    private static final URI POOL = URI.create("ssp://nn1:8487;nn2:8487;nn3:8487/ns1");
    private static final NamespaceInfo NAMESPACE = new NamespaceInfo(7, "CID-1", "BP-1", 1234L);

    private final Configuration conf = new Configuration(false);

    @BeforeEach
    void configureNameNodeWithPoolNode() {
        conf.set("dfs.nameservice.id", "ns1");
        conf.set("dfs.ha.namenode.id", "nn2");
        conf.set("trefoil.journal.address.ns1.nn2", "nn2:8487");
        conf.set("trefoil.journal.dir", "/data/ssp");
    }

    @Test
    void usesDefaultsWhenUnset() {
        PoolSettings pool = SspSettings.read(conf, POOL, NAMESPACE).pool();

        List<NodeAddress> addresses =
                List.of(NodeAddress.of("nn1", 8487), NodeAddress.of("nn2", 8487), NodeAddress.of("nn3", 8487));
        NodeSettings node = NodeSettings.builder()
                .address(NodeAddress.of("nn2", 8487))
                .bindHost("nn2")
                .directory(Path.of("/data/ssp"))
                .journalsToJoin(Map.of(JournalId.of("ns1"), addresses))
                .access(AccessSettings.of(Set.of("nn1", "nn2", "nn3"), Networks.NONE, Networks.NONE))
                .build()
                .forNameNodeOf(JournalId.of("ns1"))
                .withImageSources(Map.of(JournalId.of("ns1"), List.of(Path.of("/tmp/hadoop/dfs/name"))));
        assertThat(pool)
                .isEqualTo(PoolSettings.builder()
                        .journal(JournalId.of("ns1"))
                        .namespace(NamespaceId.of("CID-1", 7))
                        .addresses(addresses)
                        .node(node)
                        .build());
    }

    @Test
    void recentEntriesTakeAtMostEighthOfHeap() {
        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().node().get().recentEntriesBytes())
                .isEqualTo((int) Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8));
    }

    @Test
    void readsEverySetValue() {
        conf.set("trefoil.journal.bind-host", "0.0.0.0");
        conf.set("trefoil.journal.lease", "8s");
        conf.set("trefoil.journal.ack.timeout", "300ms");
        conf.set("trefoil.journal.log.file.size", "16m");
        conf.set("trefoil.journal.replicas.min", "3");
        conf.set("trefoil.journal.ack.policy", "all");
        conf.set("trefoil.journal.fsync", "false");
        conf.set("trefoil.journal.catch-up.bandwidth", "8m");
        conf.set("dfs.namenode.num.checkpoints.retained", "5");
        conf.set("dfs.image.transfer.bandwidthPerSec", "8m");
        conf.set("dfs.namenode.name.dir", "file:///data/1/nn,/data/2/nn,hdfs://elsewhere/nn");

        PoolSettings pool = SspSettings.read(conf, POOL, NAMESPACE).pool();

        assertThat(pool.lease()).isEqualTo(Duration.ofSeconds(8));
        assertThat(pool.ackTimeout()).isEqualTo(Duration.ofMillis(300));
        assertThat(pool.minReplicas()).isEqualTo(3);
        assertThat(pool.ackPolicy()).isEqualTo(AckPolicy.ALL);
        assertThat(pool.catchUpBytesPerSecond()).isEqualTo(8 << 20);
        assertThat(pool.node().get().fsync()).isFalse();
        assertThat(pool.node().get().bindHost()).isEqualTo("0.0.0.0");
        assertThat(pool.node().get().logFileBytes()).isEqualTo(16 << 20);
        assertThat(pool.node().get().images().retainedCount()).isEqualTo(5);
        assertThat(pool.node().get().images().bytesPerSecond()).isEqualTo(8 << 20);
        assertThat(pool.node().get().images().sourceDirectories())
                .isEqualTo(Map.of(JournalId.of("ns1"), List.of(Path.of("/data/1/nn"), Path.of("/data/2/nn"))));
    }

    @Test
    void leaseIsDerivedWhenAutoAndFixedByDefault() {
        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().leaseDerived())
                .isFalse();

        conf.set("trefoil.journal.lease", "auto");
        PoolSettings pool = SspSettings.read(conf, POOL, NAMESPACE).pool();
        assertThat(pool.leaseDerived()).isTrue();
        assertThat(pool.lease()).as("at most").isEqualTo(Duration.ofSeconds(5));
        assertThat(pool.ackTimeout()).as("half of the shortest").isEqualTo(Duration.ofMillis(500));

        conf.set("trefoil.journal.ack.timeout", "300ms");
        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().ackTimeout()).isEqualTo(Duration.ofMillis(300));
        conf.set("trefoil.journal.ack.timeout", "20s");
        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().ackTimeout()).isEqualTo(Duration.ofMillis(500));
    }

    /** As the defaults of Hadoop before 3.3 say. */
    @Test
    void imagesGetDefaultBandwidthWhenHdfsLimitIsUnlimited() {
        conf.set("dfs.image.transfer.bandwidthPerSec", "0");

        assertThat(SspSettings.read(conf, POOL, NAMESPACE)
                        .pool()
                        .node()
                        .get()
                        .images()
                        .bytesPerSecond())
                .isEqualTo(50 << 20);
    }

    /** As one who meant 50 MB: a part would take hours, and every fetch would be refused. */
    @Test
    void imagesGetMinimumBandwidthWhenHdfsLimitIsTiny() {
        conf.set("dfs.image.transfer.bandwidthPerSec", "50");

        assertThat(SspSettings.read(conf, POOL, NAMESPACE)
                        .pool()
                        .node()
                        .get()
                        .images()
                        .bytesPerSecond())
                .isEqualTo(1 << 20);
    }

    @Test
    void allowsMinReplicasAboveVotersNamedInUri() {
        conf.set("trefoil.journal.replicas.min", "4");

        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().minReplicas()).isEqualTo(4);
    }

    @Test
    void findsLocalImageAndEditsDirectories() throws IOException {
        conf.set("dfs.namenode.shared.edits.dir", POOL.toString());
        conf.set("dfs.namenode.name.dir", "file:///data/1/nn,file:///data/2/nn");
        conf.set("dfs.namenode.edits.dir", "file:///data/3/edits,ssp://elsewhere:8487/ns2");

        assertThat(NameNodeSettings.nameDirectories(conf))
                .containsExactly(Path.of("/data/1/nn"), Path.of("/data/2/nn"));
        assertThat(NameNodeSettings.editsDirectories(conf)).containsExactly(Path.of("/data/3/edits"));
    }

    @Test
    void mostSpecificSuffixWins() {
        conf.set("trefoil.journal.lease", "1m");
        conf.set("trefoil.journal.lease.ns1", "20s");
        conf.set("trefoil.journal.ack.timeout.ns1", "2s");
        conf.set("trefoil.journal.ack.timeout.ns1.nn2", "3s");
        conf.set("trefoil.journal.ack.timeout.ns1.nn1", "4s");

        PoolSettings pool = SspSettings.read(conf, POOL, NAMESPACE).pool();

        assertThat(pool.lease()).isEqualTo(Duration.ofSeconds(20));
        assertThat(pool.ackTimeout()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void namespaceIsUnknownBeforeFormat() {
        assertThat(SspSettings.read(conf, POOL, new NamespaceInfo()).pool().namespace())
                .isEqualTo(NamespaceId.UNKNOWN);
    }

    @Test
    void standalonePoolEmbedsNoNodeInNameNode() {
        conf.set("trefoil.journal.embedded", "false");
        conf.unset("trefoil.journal.dir");

        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().node()).isEmpty();
    }

    @Test
    void findsOwnAddressByHost() {
        LocalAddressResolver localAddress = new LocalAddressResolver(host -> host.equals("nn3"));

        assertThat(localAddress.find(
                        PoolUri.parse(POOL, new Configuration(false)).addresses(),
                        SuffixedConfiguration.ofNameNode(new Configuration(false))))
                .isEqualTo(NodeAddress.of("nn3", 8487));
    }

    @Test
    void namesSettingWhenOwnAddressIsMissingOrAmbiguous() {
        SuffixedConfiguration nothing = SuffixedConfiguration.ofNameNode(new Configuration(false));
        List<NodeAddress> addresses =
                PoolUri.parse(POOL, new Configuration(false)).addresses();

        assertThatThrownBy(() -> new LocalAddressResolver(host -> false).find(addresses, nothing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[nn1:8487, nn2:8487, nn3:8487] is on this host")
                .hasMessageContaining("trefoil.journal.address")
                .hasMessageContaining("trefoil.journal.embedded");
        assertThatThrownBy(() -> new LocalAddressResolver(host -> !host.equals("nn1")).find(addresses, nothing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Several pool nodes are on this host: [nn2:8487, nn3:8487]")
                .hasMessageContaining("trefoil.journal.address");
    }

    @Test
    void unresolvableHostIsNotThisHost() {
        conf.unset("trefoil.journal.address.ns1.nn2");

        PoolSettings pool = SspSettings.read(
                        conf, URI.create("ssp://nn1.invalid:1;localhost:2;nn3.invalid:3/ns1"), NAMESPACE)
                .pool();

        assertThat(pool.node().get().address()).isEqualTo(NodeAddress.of("localhost", 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trefoil.journal.address.ns1.nn2 | nn4:8487  | not among the pool nodes",
                "trefoil.journal.address.ns1.nn2 | nn2:x     | host:port",
                "trefoil.journal.dir             | data      | absolute",
                "trefoil.journal.dir             | /a,/b     | one directory",
                "trefoil.journal.dir             | hdfs://a/ | not a local directory",
                "trefoil.journal.lease           | 50ms      | at least 100ms",
                "trefoil.journal.lease           | soon      | cannot be read as time",
                "trefoil.journal.lease           | automatic | cannot be read as time",
                "trefoil.journal.ack.timeout     | 5ms       | at least 10ms",
                "trefoil.journal.catch-up.bandwidth | 1k      | 0, or at least 1m",
                "trefoil.journal.ack.timeout     | 5s        | must be below trefoil.journal.lease",
                "trefoil.journal.log.file.size   | 4k        | at least 64k",
                "trefoil.journal.log.file.size   | 4g        | not between 0 and 2g",
                "trefoil.journal.ack.policy             | most      | none of quorum, all, one",
                "trefoil.journal.replicas.min    | 0         | at least 1",
                "trefoil.journal.replicas.min    | many      | cannot be read as number",
                "trefoil.journal.embedded        | yes       | neither true nor false"
            })
    void rejectsWrongValueNamingProperty(String property, String value, String reason) {
        conf.set(property, value);

        assertThatThrownBy(() -> SspSettings.read(conf, POOL, NAMESPACE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(property)
                .hasMessageContaining(reason);
    }

    @Test
    void poolNodeRequiresDirectory() {
        conf.unset("trefoil.journal.dir");

        assertThatThrownBy(() -> SspSettings.read(conf, POOL, NAMESPACE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trefoil.journal.dir is not set");
    }

    @Test
    void acceptsFileUriAsDirectory() {
        conf.set("trefoil.journal.dir", "file:///data/pool");

        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().node().get().directory())
                .isEqualTo(Path.of("/data/pool"));
    }

    @ParameterizedTest
    @EnumSource(
            value = StartupOption.class,
            names = {"FORMAT", "INITIALIZESHAREDEDITS", "UPGRADE", "UPGRADEONLY", "ROLLBACK", "RECOVER"})
    void offlineCommandsDoNotRequireSecondReplica(StartupOption option) {
        conf.set("dfs.namenode.startup", option.name());

        assertThat(SspSettings.read(conf, POOL, NAMESPACE).nameNode().writerReplicas())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = StartupOption.class,
            names = {"REGULAR", "OBSERVER", "ROLLINGUPGRADE"})
    void startForServiceRequiresAllReplicas(StartupOption option) {
        conf.set("dfs.namenode.startup", option.name());

        assertThat(SspSettings.read(conf, POOL, NAMESPACE).nameNode().writerReplicas())
                .isEqualTo(2);
    }
}
