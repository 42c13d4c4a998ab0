/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.storage.image.NameDirectoryLock;
import io.trefoil.tools.cluster.HostPlan;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.LocalNameNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which journal a command means. */
class HadoopInstallationTest {
    private static final String ONE = "ssp://a;b:9000;c/one";
    private static final String TWO = "ssp://d;e;f/two";

    private final Configuration conf = new Configuration(false);
    private final HadoopInstallation installation = new HadoopInstallation(conf);

    @Test
    void singleJournalDoesNotNeedName() {
        conf.set("dfs.namenode.shared.edits.dir", ONE);

        JournalLocation place = installation.find(Optional.empty());

        assertThat(place.journal()).isEqualTo(JournalId.of("one"));
        assertThat(place.addresses())
                .containsExactly(NodeAddress.of("a", 8487), NodeAddress.of("b", 9000), NodeAddress.of("c", 8487));
    }

    @Test
    void journalsOfAllNameservicesAreFoundByTheirNames() {
        conf.set("dfs.nameservices", "ns1,ns2");
        conf.set("dfs.namenode.shared.edits.dir.ns1", ONE);
        conf.set("dfs.ha.namenodes.ns2", "nn1");
        conf.set("dfs.namenode.shared.edits.dir.ns2.nn1", TWO);

        assertThat(installation.find(Optional.of("two")).addresses()).contains(NodeAddress.of("d", 8487));
        assertThatThrownBy(() -> installation.find(Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ssp://a:8487;b:9000;c:8487/one")
                .hasMessageContaining("--journal");
        assertThatThrownBy(() -> installation.find(Optional.of("three"))).hasMessageContaining("'three'");
    }

    @Test
    void reportsSettingsThatReduceSafety() {
        assertThat(installation.waivedGuarantees()).isEmpty();

        conf.set("trefoil.journal.ack.policy", "one");
        conf.set("trefoil.journal.fsync", "false");

        assertThat(installation.waivedGuarantees())
                .anyMatch(sentence -> sentence.startsWith("trefoil.journal.ack.policy is one"))
                .anyMatch(sentence -> sentence.startsWith("trefoil.journal.fsync is false"));
    }

    @Test
    void journalUriDoesNotNeedConfiguration() {
        assertThat(installation.find(Optional.of(TWO)).journal()).isEqualTo(JournalId.of("two"));
        assertThatThrownBy(() -> installation.find(Optional.of("qjournal://a;b;c/ns1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Wanted ssp://");
    }

    @Test
    void reportsMissingSspJournal() {
        conf.set("dfs.namenode.shared.edits.dir", "qjournal://a;b;c/ns1");

        assertThatThrownBy(() -> installation.find(Optional.empty())).hasMessageContaining("found none");
    }

    @Test
    void journalInNoPoolIsRefusedExceptForItsStatus() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.shared.edits.dir", "bk://zk1:2181;zk2:2181/ledgers/one");

        for (Optional<String> wanted : List.of(
                Optional.<String>empty(), Optional.of("one"), Optional.of("bk://zk1:2181;zk2:2181/ledgers/one"))) {
            assertThatThrownBy(() -> installation.find(wanted))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bk://zk1:2181;zk2:2181/ledgers/one is in no pool")
                    .hasMessageContaining("'hdfs trefoil journal status' shows what keeps it");
            assertThatThrownBy(() -> installation.readStoreStatus(wanted))
                    .hasMessage("bk://zk1:2181;zk2:2181/ledgers/one for nn1 has no password");
        }
        assertThatThrownBy(() -> installation.find(Optional.of("two"))).hasMessageContaining("found none");
    }

    @Test
    void storeIsNotAskedWhenPoolKeepsJournal() throws IOException {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.shared.edits.dir", ONE);

        assertThat(installation.readStoreStatus(Optional.empty())).isEmpty();
        assertThat(installation.readStoreStatus(Optional.of("one"))).isEmpty();
    }

    @Test
    void findsLocalNameNodeByConfiguration() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "host1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "host2:8020");
        conf.set("dfs.namenode.shared.edits.dir.ns1", ONE);
        conf.set("dfs.namenode.name.dir", "file:///data/1/nn,file:///data/2/nn");
        conf.set("dfs.namenode.name.dir.ns1.nn2", "file:///data/3/nn");
        assertThatThrownBy(installation::localNameNode).isInstanceOf(IllegalArgumentException.class);

        conf.set("dfs.ha.namenode.id", "nn1");
        LocalNameNode first = installation.localNameNode();
        conf.set("dfs.ha.namenode.id", "nn2");
        LocalNameNode second = installation.localNameNode();

        assertThat(first.name()).isEqualTo("nn1");
        assertThat(first.journal().journal()).isEqualTo(JournalId.of("one"));
        assertThat(first.nameDirectories()).containsExactly(Path.of("/data/1/nn"), Path.of("/data/2/nn"));
        assertThat(second.nameDirectories()).containsExactly(Path.of("/data/3/nn"));
        conf.set("dfs.namenode.shared.edits.dir.ns1", "qjournal://a;b;c/ns1");
        assertThatThrownBy(installation::localNameNode).hasMessageEndingWith("it has no ssp:// journal");
        conf.set("dfs.namenode.shared.edits.dir.ns1", "ssp://a:8487,b:8487,c:8487/ns1");
        assertThatThrownBy(installation::localNameNode).hasMessageEndingWith("are separated by ';', not by ','");
    }

    @Test
    void requestsNameNodeIdWhenHostHasMultiple() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "127.0.0.1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "127.0.0.1:8021");
        conf.set("dfs.namenode.shared.edits.dir", ONE);
        conf.set("dfs.namenode.name.dir", "/data/1/nn");

        assertThatThrownBy(installation::localNameNode).hasMessageContaining("-D dfs.ha.namenode.id=");
        assertThatThrownBy(installation::isPoolConfigured).hasMessageContaining("-D dfs.ha.namenode.id=");
        assertThatThrownBy(installation::hostPlan).hasMessageContaining("-D dfs.ha.namenode.id=");
        assertThat(installation.journalOf("ns1", "nn2"))
                .hasValueSatisfying(place -> assertThat(place.journal()).isEqualTo(JournalId.of("one")));
    }

    @Test
    void rejectsMisspelledNameNodeId() {
        configureHost2();
        conf.set("dfs.ha.namenode.id", "nn9");

        assertThatThrownBy(installation::localNameNode)
                .hasMessage("dfs.ha.namenode.id is nn9, which is none of dfs.ha.namenodes.ns1, [nn1, nn2]");
    }

    @Test
    void findsRemoteNameNodesJournalOnHostWithoutNameNode() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "host1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "host2:8020");
        conf.set("dfs.namenode.shared.edits.dir.ns1.nn2", TWO);

        assertThat(installation.journalOf("ns1", "nn2"))
                .hasValueSatisfying(place -> assertThat(place.journal()).isEqualTo(JournalId.of("two")));
        assertThat(installation.journalOf("ns1", "nn1")).isEmpty();
        assertThatThrownBy(installation::localNameNode).hasMessageContaining("has an address of this host");
    }

    @Test
    void promotionChecksEditsDirectoriesOfLocalNameNode(@TempDir Path host) throws IOException {
        Path edits = Files.createDirectories(host.resolve("edits"));
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.ha.namenode.id", "nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "host1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "host2:8020");
        conf.set("dfs.namenode.shared.edits.dir.ns1", ONE);
        conf.set("dfs.namenode.name.dir", host.resolve("name").toUri().toString());
        conf.set("dfs.namenode.edits.dir.ns1.nn2", edits.toUri().toString());
        conf.set("trefoil.journal.dir", host.resolve("pool").toString());

        try (NameDirectoryLock lock = NameDirectoryLock.tryAcquire(edits).orElseThrow()) {
            assertThat(lock.file()).exists();
            assertThat(installation.storageDirectories(installation.localNameNode()))
                    .containsExactly(host.resolve("name"), edits);
            assertThatThrownBy(() -> installation.openPromotion(installation.localNameNode()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is running, and uses " + edits);
        }
    }

    @Test
    void planCoversLocalNameNode() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.ha.namenode.id", "nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "host1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "host2:8020");
        conf.set("dfs.namenode.shared.edits.dir", "ssp://host1;host2;host3/ns1");
        conf.set("dfs.namenode.edits.journal-plugin.ssp", "io.trefoil.journal.hdfs.SspJournalManager");
        conf.set("dfs.namenode.name.dir", "file:///data/1/nn");
        conf.set("trefoil.journal.dir", "/data/1/ssp");
        conf.set("trefoil.journal.address.ns1.nn2", "host2:8487");
        conf.set("dfs.namenode.plugins", "com.example.Other, io.trefoil.ha.hdfs.MamsPlugin");
        assertThatThrownBy(installation::hostPlan).hasMessageContaining("ha.zookeeper.quorum is not set");
        conf.set("ha.zookeeper.quorum", "zk1:2182, zk2/hadoop");

        HostPlan plan = installation.hostPlan();

        assertThat(plan.nameNode()).isEqualTo("nn2");
        assertThat(plan.listeners())
                .containsEntry("dfs.namenode.rpc-address", "host2:8020")
                .containsEntry("dfs.namenode.shared.edits.dir", "host2:8487")
                .containsEntry("dfs.ha.zkfc.port", "host2:8019")
                // By HDFS's own default.
                .containsEntry("dfs.namenode.http-address", "host2:9870")
                .hasSize(4);
        assertThat(plan.otherNodes()).containsExactly("host1:8487", "host3:8487");
        assertThat(plan.otherPages()).containsExactly(URI.create("http://host1:9870/"));
        assertThat(plan.zooKeepers()).containsExactly("zk1:2182", "zk2:2181");
        assertThat(plan.journalDirectory()).isEqualTo("/data/1/ssp");
        assertThat(plan.classes())
                .containsKeys(
                        "com.example.Other",
                        "io.trefoil.ha.hdfs.MamsPlugin",
                        "io.trefoil.journal.hdfs.SspJournalManager");
        assertThat(plan.logins()).isEmpty();

        conf.set("hadoop.security.authentication", "kerberos");
        conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");
        assertThatThrownBy(installation::hostPlan).hasMessageContaining("dfs.namenode.keytab.file is not set");
        conf.set("dfs.namenode.keytab.file.ns1.nn2", "/etc/nn.keytab");
        conf.set("dfs.web.authentication.kerberos.principal", "*");
        assertThat(installation.hostPlan().logins())
                .containsExactly(
                        HostPlan.Login.of("dfs.namenode.keytab.file", "nn/host2@EXAMPLE.COM", "/etc/nn.keytab"));
    }

    private void configureHost2() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.nameservice.id", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.ha.namenode.id", "nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "host1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "host2:8020");
        conf.set("dfs.namenode.name.dir", "/data/1/nn");
        conf.set("dfs.namenode.shared.edits.dir", "ssp://host1;host2;host3/ns1");
        conf.set("trefoil.journal.dir", "/data/1/ssp");
        conf.set("trefoil.journal.address", "host2:8487");
        conf.set("dfs.namenode.edits.journal-plugin.ssp", "io.trefoil.journal.hdfs.SspJournalManager");
        conf.set("dfs.namenode.plugins", "io.trefoil.ha.hdfs.MamsPlugin");
        conf.set("dfs.ha.automatic-failover.enabled", "true");
        conf.set("dfs.ha.fencing.methods", "shell(/bin/true)");
        conf.set("dfs.ha.tail-edits.in-progress", "true");
        conf.set("ha.zookeeper.quorum", "zk1");
    }

    @Test
    void planHasNoErrorWhenNameNodeAcceptsItsSettings() {
        configureHost2();

        assertThat(installation.hostPlan().settingErrors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "trefoil.journal.lease, 50ms, it must be at least 100ms",
        "trefoil.journal.lease.ns1.nn2, 500ms, trefoil.journal.ack.timeout is 1000 ms",
        "trefoil.journal.replicas.min, 4, no NameNode could ever become active",
        "dfs.ha.automatic-failover.enabled, false, dfs.ha.automatic-failover.enabled is not true",
        "dfs.ha.tail-edits.in-progress, false, standbys apply edits only when a segment is finished",
        "dfs.ha.fencing.methods, '', refuses to work",
        "dfs.namenode.edits.journal-plugin.ssp, '', No class configured for ssp",
        "trefoil.journal.lese, 5s, the nearest known one is trefoil.journal.lease",
    })
    void planReportsSettingThatNameNodeWouldRefuseOrIgnore(String setting, String value, String expected) {
        configureHost2();
        conf.set(setting, value);

        assertThat(installation.hostPlan().settingErrors()).singleElement().satisfies(fault -> {
            assertThat(fault.text()).contains(expected);
            assertThat(fault.remedy()).isNotEmpty();
        });
    }
}
