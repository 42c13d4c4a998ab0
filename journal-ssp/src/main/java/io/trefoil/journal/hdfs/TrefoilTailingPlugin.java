/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.hdfs.metrics.PoolMetrics;
import io.trefoil.journal.hdfs.metrics.TailMetrics;
import io.trefoil.journal.hdfs.restore.UploadedImageGuard;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import io.trefoil.journal.hdfs.tailing.TailingLoop;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a standby or observer apply a batch as soon as it is committed, instead of once per {@code
 * dfs.ha.tail-edits.period}, a minute in stock HDFS. Named in {@code dfs.namenode.plugins}.
 *
 * <p>HDFS's own tailer continues as configured and finds nothing left to do. Without this plugin, if it fails, or if
 * {@code dfs.ha.tail-edits.in-progress} is false, standbys follow at that tailer's pace. The plugin's tailing
 * ends the NameNode only where an edit fails, as HDFS's does, and never delays a change of role.
 *
 * <p>It also keeps images of a void timeline from the NameNode ({@link UploadedImageGuard}), as the other plugins do.
 *
 * <p>Uses {@code ServicePlugin}, {@code NameNode.getConf}, {@code FSNamesystem.getSharedEditsDirs}, {@code
 * SecurityUtil.doAsLoginUserOrFatal} and {@code ExitUtil.terminate}; {@link TailingLoop} lists what the thread uses.
 */
public abstract class TrefoilTailingPlugin implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(TrefoilTailingPlugin.class);

    private static final long STOP_MILLIS = 10_000;

    private final JournalProvider provider;
    private TailingLoop tailing;
    private Thread thread;

    protected TrefoilTailingPlugin(JournalProvider provider) {
        this.provider = provider;
    }

    /** Starts a thread and returns; called once, when the NameNode's services run and it has not entered its first role. */
    @Override
    public synchronized void start(Object service) {
        NameNode nameNode = (NameNode) service;
        Configuration conf = nameNode.getConf();
        List<URI> shared = FSNamesystem.getSharedEditsDirs(conf);
        String scheme = provider.scheme();
        if (shared.size() != 1 || !scheme.equals(shared.get(0).getScheme())) {
            LOG.warn(
                    "Not tailing: the shared edits uri={} does not have scheme={}; no action needed if that is "
                            + "intended; otherwise do: correct dfs.namenode.shared.edits.dir",
                    shared,
                    scheme);
            return;
        }
        ConfiguredJournal journal = provider.find(
                conf, shared.get(0), nameNode.getFSImage().getStorage().getNamespaceInfo());
        NameNodeSettings settings = journal.settings();
        guardUploads(nameNode);
        if (!settings.tailsUnfinished()) {
            LOG.warn(
                    "setting={} is false: HDFS's own tailer applies edits when their segment is finalized; no "
                            + "action needed if that is intended",
                    DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY);
            return;
        }
        TailingGate gate = TailingGate.of(settings);
        TailMetrics metrics = new TailMetrics(settings.journal(), gate.lag());
        PoolMetrics.register(
                TailMetrics.NAME + "-" + settings.journal(), "What this NameNode applies of a journal", metrics);
        tailing = new TailingLoop(nameNode, gate, journal::open, metrics::recordApplied);
        // Not a subclass of Hadoop's Daemon: 3.5 made its run() final.
        thread = new Thread(
                () -> SecurityUtil.<Void>doAsLoginUserOrFatal(tailing::run), scheme + "-tail-" + settings.journal());
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, cause) -> LOG.error(
                "thread={} died, and only HDFS's own tailer applies edits now; do: restart this NameNode at a "
                        + "convenient time, and report the cause",
                dead.getName(),
                cause));
        thread.start();
    }

    private void guardUploads(NameNode nameNode) {
        try {
            UploadedImageGuard.guard(nameNode);
        } catch (IOException e) {
            LOG.error(
                    "Uploaded images cannot be checked; do: restart this NameNode at a convenient time, and "
                            + "report the cause",
                    e);
            // HDFS would only log the error, and would one day accept an image that no NameNode may start from.
            ExitUtil.terminate(1, getClass().getSimpleName() + " cannot start: " + e.getMessage());
        }
    }

    /** Ends the thread; called when the NameNode stops. */
    @Override
    public synchronized void stop() {
        if (tailing == null) {
            return;
        }
        tailing.stop();
        thread.interrupt();
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tailing = null;
    }

    @Override
    public void close() {
        stop();
    }
}
