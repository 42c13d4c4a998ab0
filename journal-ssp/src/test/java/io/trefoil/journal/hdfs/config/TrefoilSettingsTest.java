/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.hdfs.TrefoilSettings;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TrefoilSettingsTest {
    private final Configuration conf = new Configuration(false);

    @Test
    void showsDefaultsWithTheirFile() {
        TrefoilSettings.applyDefaults(conf);

        assertThat(conf.get("trefoil.journal.lease")).isEqualTo("5s");
        assertThat(conf.getPropertySources("trefoil.journal.lease")).containsExactly("trefoil-default.xml");
    }

    @Test
    void keepsExplicitlySetValues() {
        conf.set("trefoil.journal.lease", "7s");
        conf.set("trefoil.journal.ack.timeout.ns1", "9ms");

        TrefoilSettings.applyDefaults(conf);
        TrefoilSettings.applyDefaults(conf);

        assertThat(conf.get("trefoil.journal.lease")).isEqualTo("7s");
        assertThat(conf.get("trefoil.journal.ack.timeout.ns1")).isEqualTo("9ms");
        assertThat(conf.get("trefoil.journal.ack.timeout")).isEqualTo("1s");
    }

    @Test
    void onlyChangedValuesCountAsChanged() {
        TrefoilSettings.applyDefaults(conf);
        conf.set("trefoil.journal.lease", "7s");
        conf.set("trefoil.journal.ack.timeout.ns1", "9ms");
        conf.set("trefoil.journal.dir", "/data/journal");
        conf.set("trefoil.journal.some.password", "secret");

        Map<String, TrefoilSettings.ChangedSetting> changed = TrefoilSettings.findChanged(conf);

        assertThat(changed)
                .containsOnlyKeys(
                        "trefoil.journal.ack.timeout.ns1",
                        "trefoil.journal.dir",
                        "trefoil.journal.lease",
                        "trefoil.journal.some.password");
        assertThat(changed.get("trefoil.journal.lease").value()).isEqualTo("7s");
        assertThat(changed.get("trefoil.journal.lease").defaultText()).contains("5s");
        assertThat(changed.get("trefoil.journal.dir").defaultText()).isEmpty();
        assertThat(changed.get("trefoil.journal.some.password").value()).doesNotContain("secret");
    }

    @Test
    void hidesKeysWithoutDefault() {
        TrefoilSettings.applyDefaults(conf);

        assertThat(conf.get("trefoil.journal.dir")).isNull();
    }
}
