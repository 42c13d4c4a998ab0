/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownClientSettingsTest {
    private final Configuration conf = new Configuration(false);

    @BeforeEach
    void configureNameservice() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trefoil.client.failover.timeout",
                "trefoil.client.failover.timeout.ns1",
                "trefoil.journal.leese",
                "trefoil.lease",
                "trefoil.haa.health.timeout",
                "dfs.client.failover.timeout"
            })
    void acceptsKnownAndServerSettings(String name) {
        conf.set(name, "1");

        assertThat(UnknownClientSettings.findUnknown(conf)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "trefoil.client.failover.timout, trefoil.client.failover.timeout",
        "trefoil.cleint.suspect-after, trefoil.client.suspect-after",
        "trefoil.client.suspect.after.ns1, trefoil.client.suspect-after.ns1",
        "trefoil.client.suspect-after.ns2, trefoil.client.suspect-after",
    })
    void reportsUnknownSettingWithNearestKnown(String name, String nearest) {
        conf.set(name, "1");

        assertThat(UnknownClientSettings.findUnknown(conf))
                .hasSize(1)
                .containsEntry(name, "the nearest known one is " + nearest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"trefoil.client.probe.timeout", "trefoil.client.probe.timeout.ns1"})
    void removedSettingIsReportedWithReplacement(String name) {
        conf.set(name, "1");

        assertThat(UnknownClientSettings.findUnknown(conf))
                .hasSize(1)
                .containsEntry(name, "it was removed: set dfs.client.failover.namenode.ha-state.probe.timeout");
    }

    /** Nothing in a configuration names a federation. */
    @Test
    void acceptsAnySuffixWhenClientsFollowMountTable() {
        conf.set("trefoil.client.failover.timeout.cluster", "1s");
        assertThat(UnknownClientSettings.findUnknown(conf)).containsOnlyKeys("trefoil.client.failover.timeout.cluster");

        conf.set("fs.viewfs.mounttable.path", "hdfs://ns1/.trefoil/subtrees");
        assertThat(UnknownClientSettings.findUnknown(conf)).isEmpty();

        conf.set("trefoil.client.failover.timeout.ns1.nn1", "1s");
        assertThat(UnknownClientSettings.findUnknown(conf)).containsOnlyKeys("trefoil.client.failover.timeout.ns1.nn1");
    }

    /** As no client reads it. */
    @Test
    void rejectsNameNodeSuffix() {
        conf.set("trefoil.client.failover.timeout.ns1.nn1", "1s");

        assertThat(UnknownClientSettings.findUnknown(conf)).containsOnlyKeys("trefoil.client.failover.timeout.ns1.nn1");
    }

    @Test
    void warnsOncePerProcess() {
        List<String> warnings = new ArrayList<>();
        conf.set("trefoil.client.suspect-aft", "1s");
        UnknownClientSettings settings = new UnknownClientSettings(warnings::add);

        settings.warn(conf);
        settings.warn(conf);

        assertThat(warnings)
                .containsExactly("Unknown setting trefoil.client.suspect-aft has no effect; the nearest known one is"
                        + " trefoil.client.suspect-after");
    }
}
