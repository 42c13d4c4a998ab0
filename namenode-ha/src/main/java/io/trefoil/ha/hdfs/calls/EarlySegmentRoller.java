/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.foundation.DaemonThreads;
import java.io.IOException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins another segment of edits long before HDFS's own roller would, which ignores majorities: it checks every five minutes for a segment
 * of half a million edits, and holds the namesystem's lock for as long as it cannot write. This one rolls at half of that, and only while a
 * majority answers. Without one there are no more edits than HDFS's queue holds, so a segment does not grow to where HDFS would roll it,
 * unless the settings leave it no room for them: then it says so when it starts.
 *
 * <p>Uses {@code FSNamesystem.getTransactionsSinceLastLogRoll}, {@code NamenodeProtocols.rollEditLog}.
 */
final class EarlySegmentRoller {
    private static final Logger LOG = LoggerFactory.getLogger(EarlySegmentRoller.class);

    private static final String EDITS = "dfs.namenode.checkpoint.txns";
    private static final long EDITS_OF_HDFS = 1_000_000;
    private static final String SHARE = "dfs.namenode.edit.log.autoroll.multiplier.threshold";
    private static final float SHARE_OF_HDFS = 0.5f;

    private static final long LOOK_MILLIS = 500;
    /** The number of edits that a fast NameNode makes between two checks. */
    private static final long EDITS_BETWEEN_LOOKS = 10_000;

    private final NameNode nameNode;
    private final RollGuard guard;
    private final long most;

    EarlySegmentRoller(NameNode nameNode, RollGuard guard) {
        this.nameNode = nameNode;
        this.guard = guard;
        this.most = maxEdits(nameNode.getConf());
    }

    /** Returns the number of edits that a segment has when it is ended here; below 1 if HDFS ends it at each of its checks. */
    static long maxEdits(Configuration conf) {
        return hdfsMaxEdits(conf) / 2;
    }

    private static long hdfsMaxEdits(Configuration conf) {
        return (long) ((double) conf.getFloat(SHARE, SHARE_OF_HDFS) * conf.getLong(EDITS, EDITS_OF_HDFS));
    }

    /** The least number of edits with which HDFS may end a segment, so that this class always ends it first. */
    static long minHdfsMaxEdits(Configuration conf) {
        return 2 * (EDITS_BETWEEN_LOOKS + CallAdmission.queueSize(conf));
    }

    /** Whether no segment can reach the size at which HDFS ends it while no majority answers. */
    static boolean rollsBeforeHdfs(Configuration conf) {
        return hdfsMaxEdits(conf) >= minHdfsMaxEdits(conf);
    }

    /** Examines segments from now on, until the process ends. */
    void start() {
        Configuration conf = nameNode.getConf();
        if (!rollsBeforeHdfs(conf)) {
            LOG.warn(
                    "HDFS may end a segment of edits while no majority of the journal answers, and block all "
                            + "calls until one does: {} times {} is segmentEdits={}, below minEdits={}; do: raise {} "
                            + "where NameNodes are configured",
                    EDITS,
                    SHARE,
                    hdfsMaxEdits(conf),
                    minHdfsMaxEdits(conf),
                    EDITS);
        }
        if (most < 1) {
            return;
        }
        new ScheduledThreadPoolExecutor(1, DaemonThreads.newFactory("trefoil-rolls"))
                .scheduleWithFixedDelay(
                        DaemonThreads.logFailures(this::rollIfDue), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Rolls the segment if it is due; checks without a lock. */
    void rollIfDue() {
        if (!nameNode.isActiveState() || nameNode.getNamesystem().getTransactionsSinceLastLogRoll() <= most) {
            return;
        }
        try {
            guard.awaitMajority();
            nameNode.getRpcServer().rollEditLog();
        } catch (RetriableException e) {
            LOG.debug("No majority answers, so the segment of edits stays open", e);
        } catch (IOException e) {
            LOG.warn("The segment of edits could not be ended and stays open; retrying", e);
        }
    }
}
