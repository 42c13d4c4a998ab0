/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.LoopbackNetwork;
import io.trefoil.it.cluster.host.WorkDirectory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ha.ZKFailoverController;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a peer is said to run with is what its NameNodes get: a comparison would be worth nothing otherwise. */
class SettingsTest {
    private final WorkDirectory directory = WorkDirectory.create("settings");
    private final ClusterLayout layout = new ClusterLayout("ns", 3, 0, new LoopbackNetwork(), directory);

    @AfterEach
    void deleteDirectory() {
        directory.delete();
    }

    @Test
    void expertZkfcSettingsTakeEffect() {
        FailoverKind expert = FailoverKind.zkfc();

        assertThat(nameNodeSettings(expert))
                .containsAllEntriesOf(expert.sharedProperties(layout))
                .containsEntry("dfs.ha.tail-edits.period", "0ms");
    }

    @Test
    void standbyWithHadoopDefaultsTailsEditsEachSecond() {
        assertThat(nameNodeSettings(FailoverKind.zkfcWithDefaults())).containsEntry("dfs.ha.tail-edits.period", "1s");
    }

    @Test
    void waitForDeadActiveIsMinimal() {
        assertThat(nameNodeSettings(FailoverKind.zkfc()))
                .containsEntry("ipc.client.connect.retry.interval", "10")
                .containsEntry("ha.failover-controller.graceful-fence.connection.retries", "0");
    }

    @Test
    void nameNodeCountingQuotasKeepsRole() {
        assertThat(nameNodeSettings(FailoverKind.zkfcForLargeNamespaces()))
                .containsEntry("ha.health-monitor.rpc-timeout.ms", "10000")
                .containsEntry("ha.zookeeper.session-timeout.ms", "2000");
    }

    @Test
    void expertSettingsAreKnownToHadoop() {
        Map<String, String> expert = FailoverKind.zkfc().sharedProperties(layout);
        expert.keySet()
                .removeAll(
                        FailoverKind.zkfcWithDefaults().sharedProperties(layout).keySet());

        assertThat(hadoopKeys())
                .containsAll(expert.keySet())
                .containsAll(FailoverKind.zkfc().clientProperties().keySet());
    }

    /** The values of all constants: names of settings are among them. */
    private static Set<Object> hadoopKeys() {
        return Stream.of(
                        CommonConfigurationKeys.class,
                        CommonConfigurationKeysPublic.class,
                        DFSConfigKeys.class,
                        HdfsClientConfigKeys.class,
                        HdfsClientConfigKeys.Failover.class,
                        ZKFailoverController.class)
                .flatMap(keys -> Stream.of(keys.getDeclaredFields()))
                .filter(field -> field.getType() == String.class && Modifier.isStatic(field.getModifiers()))
                .map(SettingsTest::valueOf)
                .collect(Collectors.toSet());
    }

    private static Object valueOf(Field constant) {
        constant.setAccessible(true);
        try {
            return constant.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(constant + " cannot be read", e);
        }
    }

    private Map<String, String> nameNodeSettings(FailoverKind failover) {
        return new Settings(layout, JournalKind.qjm(), failover, List.of(), Map.of(), Map.of(), Map.of())
                .nameNode("nn1");
    }
}
