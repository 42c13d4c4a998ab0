/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TrefoilSettingsTest {
    private final Configuration conf = new Configuration(false);

    @Test
    void defaultsAreShownAndNameTheirFile() {
        TrefoilSettings.begin(conf);

        assertThat(conf.get("trefoil.journal.lease")).isEqualTo("5s");
        assertThat(conf.getPropertySources("trefoil.journal.lease")).containsExactly("trefoil-default.xml");
    }

    @Test
    void whatIsSetStays() {
        conf.set("trefoil.journal.lease", "7s");
        conf.set("trefoil.journal.ack.timeout.ns1", "9ms");

        TrefoilSettings.begin(conf);
        TrefoilSettings.begin(conf);

        assertThat(conf.get("trefoil.journal.lease")).isEqualTo("7s");
        assertThat(conf.get("trefoil.journal.ack.timeout.ns1")).isEqualTo("9ms");
        assertThat(conf.get("trefoil.journal.ack.timeout")).isEqualTo("1s");
    }

    @Test
    void whatHasNoDefaultIsNotShown() {
        TrefoilSettings.begin(conf);

        assertThat(conf.get("trefoil.journal.dir")).isNull();
    }
}
