/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.Loopback;
import io.trefoil.it.cluster.host.WorkDirectory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a peer is said to run with is what its NameNodes get: a comparison would be worth nothing otherwise. */
class SettingsTest {
    private final WorkDirectory directory = WorkDirectory.create("settings");
    private final ClusterLayout layout = new ClusterLayout("ns", 3, 0, new Loopback(), directory);

    @AfterEach
    void deleteDirectory() {
        directory.delete();
    }

    @Test
    void allThatAnExpertSetsForZkfcIsInForce() {
        FailoverKind expert = FailoverKind.zkfc();

        assertThat(nameNode(expert))
                .containsAllEntriesOf(expert.sharedProperties(layout))
                .containsEntry("dfs.ha.tail-edits.period", "0ms");
    }

    @Test
    void aStandbyWithTheSettingsOfHadoopReadsEditsEachSecond() {
        assertThat(nameNode(FailoverKind.zkfcByDefault())).containsEntry("dfs.ha.tail-edits.period", "1s");
    }

    private Map<String, String> nameNode(FailoverKind failover) {
        return new Settings(layout, JournalKind.qjm(), failover, List.of(), Map.of(), Map.of(), Map.of())
                .nameNode("nn1");
    }
}
