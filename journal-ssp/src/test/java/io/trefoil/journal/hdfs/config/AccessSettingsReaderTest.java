/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.Networks;
import io.trefoil.journal.transport.access.PermittedWriters;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.tls.TlsPolicy;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom the configuration lets at the journal. */
class AccessSettingsReaderTest {
    private static final URI POOL = URI.create("ssp://jn1:8487;jn2:8487/ns1");
    private static final NamespaceInfo NAMESPACE = new NamespaceInfo(7, "CID-1", "BP-1", 1234L);

    private final Configuration conf = new Configuration(false);

    @BeforeEach
    void configureTwoClusters() {
        conf.set("dfs.nameservices", "ns1,far");
        conf.set("dfs.internal.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.ha.namenodes.far", "nn1");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "nn1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "nn2:8020");
        conf.set("dfs.namenode.servicerpc-address.ns1.nn2", "nn2-service:8022");
        conf.set("dfs.namenode.rpc-address.far.nn1", "elsewhere:8020");
        conf.set("dfs.namenode.shared.edits.dir", POOL.toString());
        conf.set("trefoil.journal.address", "jn1:8487");
        conf.set("trefoil.journal.dir", "/data/ssp");
    }

    @Test
    void trustsOnlyNodesAndNameNodesOfThisCluster() {
        assertThat(NodeConfiguration.read(conf).access())
                .isEqualTo(nameNodeSettings().access())
                .satisfies(access -> {
                    assertThat(access.hosts()).containsExactlyInAnyOrder("jn1", "jn2", "nn1", "nn2", "nn2-service");
                    assertThat(access.nodes()).isEqualTo(Networks.NONE);
                    assertThat(access.operators()).isEqualTo(Networks.NONE);
                });
    }

    /** As for distcp. */
    @Test
    void foreignClusterIsNotTrustedWhenItsNameserviceIsNamed() {
        conf.unset("dfs.internal.nameservices");

        trustsOnlyNodesAndNameNodesOfThisCluster();
    }

    @Test
    void foreignClusterIsNotTrustedWhenItsJournalIsNamed() {
        conf.set("dfs.namenode.shared.edits.dir.far", "ssp://elsewhere:8487/far");

        trustsOnlyNodesAndNameNodesOfThisCluster();
    }

    @Test
    void journalWithoutSuffixBelongsToNameserviceOfThisNameNode() {
        conf.unset("dfs.internal.nameservices");
        conf.set("dfs.namenode.shared.edits.dir", "ssp://jn1:8487;jn2:8487/edits");

        assertThat(NodeConfiguration.read(conf).access().hosts())
                .as("nothing tells whose journal it is")
                .containsExactlyInAnyOrder("jn1", "jn2");

        conf.set("dfs.nameservice.id", "ns1");
        trustsOnlyNodesAndNameNodesOfThisCluster();
    }

    @Test
    void principalsOfForeignNameserviceMayNotWriteJournal() {
        conf.unset("dfs.internal.nameservices");
        conf.set("dfs.namenode.kerberos.principal.ns1", "nn/_HOST@EXAMPLE.COM");
        conf.set("dfs.namenode.kerberos.principal.far", "far/_HOST@EXAMPLE.COM");
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);

        assertThat(ConfiguredJournals.nameNodePrincipals(conf, suffixed)).containsExactly("nn/_HOST@EXAMPLE.COM");
        assertThat(AccessSettingsReader.writerPrincipals(conf, suffixed))
                .isEqualTo(Map.of(JournalId.of("ns1"), Set.of("nn/_HOST@EXAMPLE.COM")));
        assertThat(AccessSettingsReader.readConfiguredWriters(conf, suffixed).hostsOf(JournalId.of("ns1")))
                .contains(Set.of("nn1", "nn2", "nn2-service"));
    }

    @Test
    void trustsFederatedNameservicesWhenEachHasJournal() {
        federate();
        conf.unset("dfs.internal.nameservices");
        conf.set("dfs.nameservices", "ns1,ns2,far");

        assertThat(NodeConfiguration.read(conf).access().hosts())
                .containsExactlyInAnyOrder("jn1", "jn2", "nn1", "nn2", "nn2-service", "nn3");
    }

    @Test
    void takesConfiguredNetworks() {
        conf.set("trefoil.journal.networks.nodes", "10.1.0.0/16");
        conf.set("trefoil.journal.networks.operators", "10.2.0.5");

        AccessSettings access = NodeConfiguration.read(conf).access();

        assertThat(access.nodes()).isEqualTo(Networks.parse("10.1.0.0/16"));
        assertThat(access.operators()).isEqualTo(Networks.parse("10.2.0.5/32"));
    }

    @Test
    void noSettingOpensPortToEveryone() {
        conf.set("trefoil.journal.networks.nodes", "0.0.0.0/0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeConfiguration.read(conf))
                .withMessageContaining("trefoil.journal.networks.nodes");
    }

    @Test
    void kerberosRequiresPrincipalUnlessInsecureSettingAllowsIt() {
        conf.set("hadoop.security.authentication", "kerberos");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeConfiguration.read(conf))
                .withMessageContaining("trefoil.journal.kerberos.principal")
                .withMessageContaining("dfs.namenode.kerberos.principal")
                .withMessageContaining("trefoil.journal.insecure.no-authentication");
        assertThatIllegalArgumentException()
                .isThrownBy(this::nameNodeSettings)
                .withMessageContaining("dfs.namenode.kerberos.principal");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PoolAuthentication.of(conf, JournalId.of("ns1")))
                .withMessageContaining("dfs.namenode.kerberos.principal");

        conf.set("trefoil.journal.insecure.no-authentication", "true");
        assertThat(NodeConfiguration.read(conf).authentication()).isSameAs(Authentication.NONE);
        assertThat(nameNodeSettings().authentication()).isSameAs(Authentication.NONE);
        assertThat(PoolAuthentication.of(conf, JournalId.of("ns1"))).isSameAs(Authentication.NONE);
    }

    @Test
    void kerberosWithPrincipalRequiresAuthentication() {
        conf.set("hadoop.security.authentication", "kerberos");
        conf.set("dfs.namenode.kerberos.principal.ns1", "nn/_HOST@EXAMPLE.COM");
        conf.set("dfs.nameservice.id", "ns1");

        assertThat(NodeConfiguration.read(conf).authentication().mechanism()).isEqualTo("GSSAPI");
        assertThat(nameNodeSettings().authentication().mechanism()).isEqualTo("GSSAPI");
        assertThat(PoolAuthentication.of(conf, JournalId.of("ns1")).mechanism()).isEqualTo("GSSAPI");
    }

    @Test
    void poolNodeWithoutKeytabNamesMissingSetting() {
        conf.set("hadoop.security.authentication", "kerberos");
        conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> PoolAuthentication.login(conf, NodeAddress.of("jn1", 8487)))
                .withMessageContaining("trefoil.journal.keytab.file")
                .withMessageContaining("dfs.namenode.keytab.file");
    }

    @Test
    void knowsPrincipalsOfThisClustersNameNodes() {
        conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");
        conf.set("dfs.namenode.kerberos.principal.ns1.nn2", "second/_HOST@EXAMPLE.COM");
        conf.set("dfs.namenode.kerberos.principal.far", "far/_HOST@EXAMPLE.COM");

        assertThat(ConfiguredJournals.nameNodePrincipals(conf, SuffixedConfiguration.ofNameNode(conf)))
                .containsExactlyInAnyOrder("nn/_HOST@EXAMPLE.COM", "second/_HOST@EXAMPLE.COM");
    }

    @Test
    void mutualTlsCountsAsAuthenticationButOptionalTlsDoesNot() {
        conf.set("hadoop.security.authentication", "kerberos");
        conf.set("trefoil.journal.tls", "optional");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeConfiguration.read(conf))
                .withMessageContaining("trefoil.journal.tls");

        conf.set("trefoil.journal.tls", "required");
        assertThat(NodeConfiguration.read(conf).tls().policy()).isEqualTo(TlsPolicy.REQUIRED);
        assertThat(nameNodeSettings().tls().policy()).isEqualTo(TlsPolicy.REQUIRED);
        assertThat(SspSettings.read(conf, POOL, NAMESPACE).pool().tls().policy())
                .isEqualTo(TlsPolicy.REQUIRED);
        assertThat(TlsSettingsReader.read(conf).policy()).isEqualTo(TlsPolicy.REQUIRED);
    }

    @Test
    void matchesCertificatesWithNamesAndSingleAddressesOfNetworks() {
        conf.set("trefoil.journal.tls", "required");
        conf.set("trefoil.journal.networks.nodes", "late.example.com, 10.0.0.7, 10.1.0.0/16");
        conf.set("trefoil.journal.networks.operators", "ops.example.com,10.2.0.0/16");

        assertThat(NodeConfiguration.read(conf).access()).satisfies(access -> {
            assertThat(access.nodes()).isEqualTo(Networks.parse("10.0.0.7, 10.1.0.0/16"));
            assertThat(access.nodeCertificates()).containsExactly("late.example.com", "10.0.0.7");
            assertThat(access.operators()).isEqualTo(Networks.parse("10.2.0.0/16"));
            assertThat(access.operatorCertificates()).containsExactly("ops.example.com");
            assertThat(access.hosts()).doesNotContain("late.example.com", "ops.example.com");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*.example.com", "a b", "a,,b", "10.0.0", "10.0.0.0/33", "a.example.com/16", "fe80::1%eth0", "-a"
            })
    void rejectsNetworkListWithInvalidHost(String invalidHost) {
        conf.set("trefoil.journal.tls", "required");
        conf.set("trefoil.journal.networks.nodes", invalidHost);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeConfiguration.read(conf))
                .withMessageContaining("trefoil.journal.networks.nodes");
    }

    /** It would have no effect: callers are not asked for certificates, and names are not looked up. */
    @Test
    void rejectsNameAmongNetworksWithoutTls() {
        conf.set("trefoil.journal.networks.operators", "10.2.0.0/16, ops.example.com");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeConfiguration.read(conf))
                .withMessageContaining("trefoil.journal.networks.operators lists [ops.example.com]")
                .withMessageContaining("trefoil.journal.tls is off");
    }

    @Test
    void journalIsWrittenByNameNodesSharingItsEdits() {
        federate();

        PermittedWriters writers = NodeConfiguration.read(conf).access().writers();

        assertThat(nameNodeSettings().access().writers()).isEqualTo(writers);
        assertThat(writers.hostsOf(JournalId.of("ns1"))).contains(Set.of("nn1", "nn2", "nn2-service"));
        assertThat(writers.hostsOf(JournalId.of("ns2"))).contains(Set.of("nn3"));
        assertThat(writers.hostsOf(JournalId.of("ns3"))).isEmpty();
    }

    @Test
    void allHostsWriteJournalWhenNameNodeHostIsUnknown() {
        federate();
        conf.unset("dfs.namenode.rpc-address.ns1.nn1");
        conf.set("dfs.namenode.rpc-address.ns2.nn1", "0.0.0.0:8020");

        assertThat(NodeConfiguration.read(conf).access().writers()).isEqualTo(PermittedWriters.UNKNOWN);
    }

    /** Its hosts may be jn1 and jn2 in the pool's network, and nn1 and nn2 in that of the clients. */
    @Test
    void allClusterHostsWriteSingleJournalUnlessConfigured() {
        assertThat(NodeConfiguration.read(conf).access().writers()).isEqualTo(PermittedWriters.UNKNOWN);

        conf.set("trefoil.journal.writers", "ns1=jn1");
        assertThat(NodeConfiguration.read(conf).access().writers().hostsOf(JournalId.of("ns1")))
                .contains(Set.of("jn1"));
    }

    @Test
    void configuredWritersOverrideDerivedWriters() {
        federate();
        conf.set("trefoil.journal.writers", "ns2=h4, ns2=h5, ns1=*");

        PermittedWriters writers = NodeConfiguration.read(conf).access().writers();

        assertThat(writers.hostsOf(JournalId.of("ns1"))).isEmpty();
        assertThat(writers.hostsOf(JournalId.of("ns2"))).contains(Set.of("h4", "h5"));
        for (String invalidHost : new String[] {"ns1", "ns1=", "ns1=a=b", "=h1", "ns1=h1 h2"}) {
            conf.set("trefoil.journal.writers", invalidHost);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> NodeConfiguration.read(conf))
                    .withMessageContaining("trefoil.journal.writers");
        }
    }

    private void federate() {
        conf.set("dfs.nameservices", "ns1,ns2");
        conf.set("dfs.internal.nameservices", "ns1,ns2");
        conf.set("dfs.ha.namenodes.ns2", "nn1");
        conf.set("dfs.namenode.rpc-address.ns2.nn1", "nn3:8020");
        conf.unset("dfs.namenode.shared.edits.dir");
        conf.set("dfs.namenode.shared.edits.dir.ns1", POOL.toString());
        conf.set("dfs.namenode.shared.edits.dir.ns2", "ssp://jn1:8487;jn2:8487/ns2");
    }

    private NodeSettings nameNodeSettings() {
        return SspSettings.read(conf, POOL, NAMESPACE).pool().node().get();
    }
}
