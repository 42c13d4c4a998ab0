/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class EarlyRollsTest {

    /** Half of the share of HDFS, whose queue of edits holds 4,096 more. */
    @Test
    void segmentIsEndedLongBeforeHdfsWould() {
        Configuration conf = new Configuration(false);
        assertThat(EarlyRolls.most(conf)).isEqualTo(250_000);
        conf.set("dfs.namenode.checkpoint.txns", "4000000");
        conf.set("dfs.namenode.edit.log.autoroll.multiplier.threshold", "2.0");
        assertThat(EarlyRolls.most(conf)).isEqualTo(4_000_000);
        conf.set("dfs.namenode.checkpoint.txns", "0");
        assertThat(EarlyRolls.most(conf)).isEqualTo(1);
    }
}
