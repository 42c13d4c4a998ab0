/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.zk.connection.ZkSettings;
import io.trefoil.ha.zk.connection.ZkTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a NameNode says to settings that cannot work, before it serves any client. */
class MamsSettingsTest {
    private final Configuration conf = new HdfsConfiguration();

    @TempDir
    private Path directory;

    @BeforeEach
    void configure() {
        conf.set("dfs.nameservice.id", "ns1");
        conf.set("dfs.ha.namenode.id", "nn2");
        conf.set("dfs.ha.automatic-failover.enabled", "true");
        conf.set("ha.zookeeper.quorum", "zk1:2181,zk2:2181");
    }

    @Test
    void minimalConfigurationSuffices() throws IOException {
        MamsSettings settings = MamsSettings.read(conf);

        assertThat(settings.nameservice()).isEqualTo("ns1");
        assertThat(settings.nameNode()).isEqualTo("nn2");
        assertThat(settings.zooKeeper().quorum()).isEqualTo("zk1:2181,zk2:2181");
        assertThat(settings.zooKeeper().path()).isEqualTo("/trefoil/ns1");
        assertThat(settings.zooKeeper().sessionTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.standbysServeReads()).isFalse();
    }

    /** Simulators and tests build these without a configuration. */
    @Test
    void builderDefaultsMatchDeclaredDefaults() throws IOException {
        MamsSettings declared = MamsSettings.read(conf);

        AgentSettings agent = AgentSettings.builder().name("nn2").build();
        assertThat(agent.diskTimeoutMillis()).isEqualTo(declared.diskTimeout().toMillis());
        assertThat(agent.standbysServeReads()).isEqualTo(declared.standbysServeReads());
        ZkSettings zooKeeper =
                ZkSettings.builder().quorum("zk1:2181").path("/trefoil/ns1").build();
        assertThat(zooKeeper.sessionTimeout()).isEqualTo(declared.zooKeeper().sessionTimeout());
    }

    @Test
    void mostSpecificValueWins() throws IOException {
        conf.set("trefoil.ha.priority", "7");
        conf.set("trefoil.ha.priority.ns1", "8");
        conf.set("trefoil.ha.priority.ns1.nn2", "9");
        conf.set("trefoil.ha.priority.ns1.nn1", "10");

        assertThat(MamsSettings.read(conf).priority()).isEqualTo(9);
    }

    @Test
    void rejectsConfigurationWithoutAutomaticFailover() {
        conf.unset("dfs.ha.automatic-failover.enabled");

        assertRefused("dfs.ha.automatic-failover.enabled is not true");
    }

    @Test
    void rejectsMissingPropertyByName() {
        conf.unset("ha.zookeeper.quorum");
        assertRefused("ha.zookeeper.quorum is not set");

        conf.unset("dfs.ha.namenode.id");
        assertRefused("dfs.ha.namenode.id is not known");
    }

    @Test
    void readStandbysRequireTwoMoreProperties() throws IOException {
        conf.set("trefoil.ha.read-standbys", "true");
        assertRefused("dfs.namenode.state.context.enabled is not true: ");

        conf.set("dfs.namenode.state.context.enabled", "true");
        assertRefused("dfs.ha.tail-edits.in-progress is not true: ");

        conf.set("dfs.ha.tail-edits.in-progress", "true");
        assertThat(MamsSettings.read(conf).standbysServeReads()).isTrue();
    }

    @Test
    void nonElectableNameNodeRequiresObserverSettings() throws IOException {
        assertThat(MamsSettings.read(conf).electable()).isTrue();
        conf.set("trefoil.ha.electable", "false");
        assertRefused("trefoil.ha.electable is false and dfs.namenode.state.context.enabled is not true: ");

        conf.set("dfs.namenode.state.context.enabled", "true");
        assertRefused("dfs.ha.tail-edits.in-progress is not true: ");

        conf.set("dfs.ha.tail-edits.in-progress", "true");
        assertThat(MamsSettings.read(conf).electable()).isFalse();
    }

    @Test
    void rejectsNegativePriority() throws IOException {
        conf.set("trefoil.ha.priority", "7");
        assertThat(MamsSettings.read(conf).priority()).isEqualTo(7);

        conf.set("trefoil.ha.priority", "-1");
        assertRefused("trefoil.ha.priority");
    }

    @Test
    void siteMustBeSingleWord() throws IOException {
        assertThat(MamsSettings.read(conf).site()).isEmpty();
        conf.set("trefoil.ha.site.ns1.nn2", "west-2");
        assertThat(MamsSettings.read(conf).site()).isEqualTo("west-2");

        conf.set("trefoil.ha.site.ns1.nn2", "west, cellar");
        assertRefused("trefoil.ha.site.ns1.nn2 is west, cellar, it must be one word");
    }

    @Test
    void readCommittedRequiresSynchronousEditFlush() throws IOException {
        assertThat(MamsSettings.read(conf).readCommitted()).isTrue();

        conf.set("dfs.namenode.edits.asynclogging", "false");
        assertRefused("dfs.namenode.edits.asynclogging is not true: ");

        conf.set("trefoil.ha.read-committed", "false");
        assertThat(MamsSettings.read(conf).readCommitted()).isFalse();
    }

    @Test
    void nearReadsRequireReadCommittedAndInProgressTailing() throws IOException {
        assertThat(MamsSettings.read(conf).nearReads()).isFalse();
        conf.set("trefoil.ha.near-reads", "true");
        assertRefused("trefoil.ha.near-reads is true and dfs.ha.tail-edits.in-progress is not true: ");

        conf.set("dfs.ha.tail-edits.in-progress", "true");
        assertThat(MamsSettings.read(conf).nearReads()).isTrue();

        conf.set("trefoil.ha.read-committed", "false");
        assertRefused("trefoil.ha.near-reads is true and trefoil.ha.read-committed is not: ");
    }

    @Test
    void forwardCallsRequireInProgressTailingAndAsyncLogging() throws IOException {
        assertThat(MamsSettings.read(conf).forwardCalls()).isFalse();
        conf.set("trefoil.ha.forward-calls", "true");
        assertRefused("trefoil.ha.forward-calls is true and dfs.ha.tail-edits.in-progress is not true: ");

        conf.set("dfs.ha.tail-edits.in-progress", "true");
        assertThat(MamsSettings.read(conf).forwardCalls()).isTrue();

        conf.set("trefoil.ha.read-committed", "false");
        conf.set("dfs.namenode.edits.asynclogging", "false");
        assertRefused("dfs.namenode.edits.asynclogging is not true: ");
    }

    @Test
    void readCommittedAndForwardCallsRelyOnNumberedEdits() throws IOException {
        assertThat(MamsSettings.read(conf).featuresNeedingEarlyTxIds()).containsExactly("trefoil.ha.read-committed");
        conf.set("trefoil.ha.forward-calls", "true");
        conf.set("dfs.ha.tail-edits.in-progress", "true");
        assertThat(MamsSettings.read(conf).featuresNeedingEarlyTxIds())
                .containsExactly("trefoil.ha.read-committed", "trefoil.ha.forward-calls");
        conf.set("trefoil.ha.read-committed", "false");
        assertThat(MamsSettings.read(conf).featuresNeedingEarlyTxIds()).containsExactly("trefoil.ha.forward-calls");
    }

    @Test
    void heldCallsDefaultToHalfOfHandlers() throws IOException {
        assertThat(MamsSettings.read(conf).heldCalls()).isEqualTo(5);

        conf.set("dfs.namenode.handler.count", "1");
        assertThat(MamsSettings.read(conf).heldCalls()).isEqualTo(1);
    }

    /** They are logged when the NameNode starts. */
    @Test
    void settingsTextHidesZooKeeperSecrets() throws IOException {
        conf.set("ha.zookeeper.auth", "digest:hdfs:wonderland");
        conf.set("ha.zookeeper.acl", "sasl:hdfs:cdrwa");

        MamsSettings settings = MamsSettings.read(conf);

        assertThat(settings.zooKeeper().auths()).hasSize(1);
        assertThat(settings.toString()).contains("digest:...").doesNotContain("wonderland");
    }

    @Test
    void readsZooKeeperAclLikeZkfc() throws IOException {
        assertThat(MamsSettings.read(conf).zooKeeper().acl()).isEqualTo("world:anyone:rwcda");

        conf.set("ha.zookeeper.acl", " ");
        assertThat(MamsSettings.read(conf).zooKeeper().acl())
                .as("there and empty: whoever creates a node, and nobody else")
                .isEqualTo("auth::rwcda");

        Path file = Files.writeString(directory.resolve("acl"), "digest:hdfs:vlUvLnd8MlacsE80rDuu6ONESbM=:rwcda\n");
        conf.set("ha.zookeeper.acl", "@" + file);
        assertThat(MamsSettings.read(conf).zooKeeper().isWorldWritable()).isFalse();

        conf.set("ha.zookeeper.acl", "digest:hdfs:rwcdax");
        assertRefused("ha.zookeeper.acl: Wanted permissions of r, w, c, d, a, found 'rwcdax'");
    }

    @Test
    void readsZooKeeperSecretsFromFile() throws IOException {
        Path file = Files.writeString(directory.resolve("auth"), "digest:hdfs:wonderland\n");
        conf.set("ha.zookeeper.auth", "@" + file);

        assertThat(MamsSettings.read(conf).zooKeeper().auths())
                .containsExactly(ZkSettings.Auth.of("digest", "hdfs:wonderland"));
    }

    @Test
    void readsZooKeeperTlsLikeZkfc() throws IOException {
        assertThat(MamsSettings.read(conf).zooKeeper().tls()).isEqualTo(ZkTls.none());

        conf.set("dfs.ha.zkfc.client.ssl.enabled", "true");
        assertRefused("hadoop.zk.ssl.keystore.location");
        conf.set("hadoop.zk.ssl.keystore.location", "/etc/own.p12");
        conf.set("hadoop.zk.ssl.keystore.password", "wonderland");
        assertRefused("hadoop.zk.ssl.truststore.location");
        conf.set("hadoop.zk.ssl.truststore.location", "/etc/trusted.p12");
        conf.set("hadoop.zk.ssl.truststore.password", "rabbit");

        assertThat(MamsSettings.read(conf).zooKeeper().tls())
                .isEqualTo(ZkTls.of(
                        ZkTls.Store.of("/etc/own.p12", "wonderland"), ZkTls.Store.of("/etc/trusted.p12", "rabbit")));
        assertThat(MamsSettings.read(conf).toString())
                .contains("/etc/own.p12")
                .doesNotContain("wonderland")
                .doesNotContain("rabbit");

        conf.set("hadoop.zk.ssl.enabled", "false");
        assertThat(MamsSettings.read(conf).zooKeeper().tls()).isEqualTo(ZkTls.none());
    }

    private void assertRefused(String reason) {
        assertThatThrownBy(() -> MamsSettings.read(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
