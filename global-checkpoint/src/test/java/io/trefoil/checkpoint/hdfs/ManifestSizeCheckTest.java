/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.hdfs.config.ConfiguredFederation;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.foundation.OrderRefusedException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ManifestSizeCheckTest {

    @Test
    void acceptsLargeFederation() {
        assertThatCode(() -> requireFits(90, "a-name-of-20-letter-")).doesNotThrowAnyException();
    }

    /** Its barriers as they are made would fit, but no restore could go back to it. */
    @Test
    void refusesCheckpointWithManifestExceedingLimit() {
        assertThatThrownBy(() -> requireFits(120, "a-name-of-20-letter-"))
                .isInstanceOf(OrderRefusedException.class)
                .hasMessageContaining("the limit is 4096")
                .hasMessageContaining("120 nameservices");
    }

    private static void requireFits(int count, String prefix) throws OrderRefusedException {
        Configuration conf = new Configuration(false);
        Set<String> nameservices = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            String nameservice = prefix + i;
            nameservices.add(nameservice);
            conf.set("dfs.ha.namenodes." + nameservice, "nn1,nn2");
            conf.set("dfs.namenode.rpc-address." + nameservice + ".nn1", "localhost:1");
            conf.set("dfs.namenode.rpc-address." + nameservice + ".nn2", "localhost:2");
        }
        conf.set("dfs.nameservices", String.join(",", nameservices));
        CheckpointPlan plan = CheckpointPlan.builder()
                .id(CheckpointId.of("nightly", "00000001"))
                .nameservices(nameservices)
                .timeServer(prefix + 0)
                .protectData(true)
                .freezeMillis(1)
                .answerMillis(1)
                .build();
        ManifestSizeCheck.require(plan, new ConfiguredFederation(conf));
    }
}
