/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class EarlySegmentRollerTest {

    /** Half of the share of HDFS, whose queue of edits holds 4,096 more. */
    @Test
    void rollsSegmentLongBeforeHdfsWould() {
        Configuration conf = new Configuration(false);
        assertThat(EarlySegmentRoller.maxEdits(conf)).isEqualTo(250_000);
        conf.set("dfs.namenode.checkpoint.txns", "4000000");
        conf.set("dfs.namenode.edit.log.autoroll.multiplier.threshold", "2.0");
        assertThat(EarlySegmentRoller.maxEdits(conf)).isEqualTo(4_000_000);
        conf.set("dfs.namenode.checkpoint.txns", "0");
        assertThat(EarlySegmentRoller.maxEdits(conf)).as("left to HDFS").isZero();
    }

    /** What comes between two looks, and then fills the queue, is less than what HDFS waits for. */
    @Test
    void settingsLeaveMarginBelowHdfsThresholdUnlessItIsSmall() {
        Configuration conf = new Configuration(false);
        assertThat(EarlySegmentRoller.minHdfsMaxEdits(conf)).isEqualTo(28_192);
        assertThat(EarlySegmentRoller.rollsBeforeHdfs(conf)).isTrue();
        conf.set("dfs.namenode.checkpoint.txns", "56384");
        assertThat(EarlySegmentRoller.rollsBeforeHdfs(conf)).isTrue();
        conf.set("dfs.namenode.checkpoint.txns", "56383");
        assertThat(EarlySegmentRoller.rollsBeforeHdfs(conf)).isFalse();
        conf.set("dfs.namenode.edits.asynclogging.pending.queue.size", "64");
        assertThat(EarlySegmentRoller.rollsBeforeHdfs(conf)).isTrue();
    }
}
