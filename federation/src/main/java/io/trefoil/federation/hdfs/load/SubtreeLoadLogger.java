/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.federation.hdfs.config.FederationKeys;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.net.InetAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.metrics2.util.MBeans;

/**
 * Counts the calls of a NameNode by subtree. Configured in {@code dfs.namenode.audit.loggers}, behind {@code default},
 * which is HDFS's own audit. HDFS calls it with each call that it has executed, by RPC and by WebHDFS, on the thread that
 * executes it.
 *
 * <p>Needs nothing else of ours: the NameNode may be any, also without automatic failover.
 *
 * <p>Uses {@code AuditLogger}, {@code MBeans.register}.
 */
public final class SubtreeLoadLogger implements AuditLogger, SubtreeLoadMXBean {

    /** The maximum number of subtrees shown: more would bloat the page {@code /jmx}, which monitors read all the time. */
    private static final int SHOWN = 200;

    private static final ObjectMapper JSON = new ObjectMapper();

    private LoadCollector collector;

    /** Initializes the logger; HDFS calls this once, before there are calls. It ends the NameNode if a setting is wrong. */
    @Override
    public void initialize(Configuration conf) {
        collector = new LoadCollector(
                FederationKeys.LOAD_DEPTH.get(SuffixedConfiguration.ofNameNode(conf)), System::nanoTime);
        collector.start();
        MBeans.register("NameNode", "TrefoilSubtreeLoads", this);
    }

    @Override
    public void logAuditEvent(
            boolean succeeded, String userName, InetAddress addr, String cmd, String src, String dst, FileStatus stat) {
        collector.count(cmd, src, dst);
    }

    @Override
    public String getLoads() {
        return collector.read(this::text);
    }

    private String text(CallCounts counts, Duration time) {
        ObjectNode document = JSON.createObjectNode()
                .put("seconds", time.toMillis() / 1000.0)
                .put("depth", collector.depth())
                .put("reads", counts.reads())
                .put("changes", counts.changes())
                .put("error", counts.maxError());
        ArrayNode subtrees = document.putArray("subtrees");
        counts.heaviest(SHOWN).forEach(subtree -> subtrees.addObject()
                .put("path", subtree.path())
                .put("reads", subtree.reads())
                .put("changes", subtree.changes()));
        return document.toString();
    }
}
