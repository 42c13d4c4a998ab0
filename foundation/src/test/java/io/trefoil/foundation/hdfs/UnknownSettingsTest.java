/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownSettingsTest {
    private final UnknownSettings settings = new UnknownSettings(
            List.of("trefoil.journal.lease", "trefoil.journal.ack.timeout", "trefoil.ha.zookeeper.root"),
            Map.of("trefoil.journal.patience", "the lease decides"));
    private final Configuration conf = new Configuration(false);

    @BeforeEach
    void configureTwoNameservices() {
        conf.set("dfs.nameservices", "ns1,ns2");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trefoil.journal.lease",
                "trefoil.journal.lease.ns1",
                "trefoil.journal.lease.ns2",
                "trefoil.journal.lease.ns1.nn2",
                "trefoil.ha.zookeeper.root.ns1.nn1",
                "dfs.journal.lease",
                "trefoil",
            })
    void ignoresKnownSetting(String name) {
        conf.set(name, "1");

        assertThat(settings.find(conf)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "trefoil.journal.leese, trefoil.journal.lease",
        "trefoil.jurnal.lease, trefoil.journal.lease",
        "trefoil.lease, trefoil.journal.lease",
        "trefoil.journal.ack.timeot, trefoil.journal.ack.timeout",
        "trefoil.journal.leese.ns2, trefoil.journal.lease.ns2",
        "trefoil.journal.leese.ns1.nn2, trefoil.journal.lease.ns1.nn2",
        "trefoil.ha.zookeeper.roots, trefoil.ha.zookeeper.root",
    })
    void namesUnknownSettingWithNearestKnown(String name, String nearest) {
        conf.set(name, "1");

        assertThat(settings.find(conf)).hasSize(1).containsEntry(name, "the nearest known one is " + nearest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"trefoil.journal.patience", "trefoil.journal.patience.ns2", "trefoil.journal.patience.ns1.nn2"})
    void namesReplacementOfRemovedSetting(String name) {
        conf.set(name, "1");

        assertThat(settings.find(conf)).hasSize(1).containsEntry(name, "it was removed: the lease decides");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trefoil.journal.lease.ns3",
                "trefoil.journal.lease.ns2.nn1",
                "trefoil.journal.lease.ns1.nn3",
                "trefoil.journal.lease.nn1"
            })
    void reportsUnknownSuffix(String name) {
        conf.set(name, "1");

        assertThat(settings.find(conf)).containsOnlyKeys(name);
    }

    @Test
    void acceptsOwnNameserviceMissingFromList() {
        conf.set("dfs.nameservice.id", "ns9");
        conf.set("dfs.ha.namenode.id", "nn9");
        conf.set("trefoil.journal.lease.ns9", "1");
        conf.set("trefoil.journal.lease.ns9.nn9", "1");

        assertThat(settings.find(conf)).isEmpty();
    }

    /** Of clients those are left to the client, and of a jar that is not there it is not known what is right. */
    @ParameterizedTest
    @ValueSource(strings = {"trefoil.client.what.ever", "trefoil.cleint.suspect-after", "trefoil.checkpoint.port"})
    void ignoresForeignSettings(String name) {
        conf.set(name, "1");

        assertThat(settings.find(conf)).isEmpty();
    }

    /** They are properties of a JVM, which Hadoop reads only inside {@code ${...}}. */
    @Test
    void ignoresBuildProperties() {
        System.setProperty("trefoil.it.unknown", "1");
        try {
            conf.set("dfs.namenode.name.dir", "${trefoil.it.unknown}");

            assertThat(settings.find(conf)).isEmpty();
        } finally {
            System.clearProperty("trefoil.it.unknown");
        }
    }

    @Test
    void warnsOncePerProcess() {
        List<String> warnings = new ArrayList<>();
        conf.set("trefoil.journal.leese", "1");
        conf.set("trefoil.jurnal.lease", "1");
        TrefoilSettings.UnknownSettingsCheck check = new TrefoilSettings.UnknownSettingsCheck(warnings::add);

        check.warnOnce(conf, settings);
        check.warnOnce(conf, settings);

        assertThat(warnings)
                .containsExactly(
                        "Unknown setting trefoil.journal.leese has no effect; the nearest known one is trefoil.journal.lease",
                        "Unknown setting trefoil.jurnal.lease has no effect; the nearest known one is trefoil.journal.lease");
    }
}
