/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.foundation.hdfs.GenericOptions;
import io.trefoil.foundation.hdfs.TrefoilSettings;
import io.trefoil.journal.hdfs.config.NodeConfiguration;
import io.trefoil.journal.hdfs.config.PoolAuthentication;
import io.trefoil.journal.hdfs.config.SspKeys;
import io.trefoil.journal.hdfs.config.StandInPoolNode;
import io.trefoil.journal.hdfs.metrics.PoolMetrics;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.server.NodeSettings;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.source.JvmMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool node in a process of its own, like a JournalNode: {@code PoolNodeMain [-D key=value] [-conf file]
 * [--in-place-of-namenode]}. The last is for the keeper of a NameNode: without such a place, nothing is started.
 *
 * <p>Reads {@code hdfs-site.xml}, serves every journal that it is asked for, each from a directory of its own, and on
 * SIGTERM or SIGINT closes its storage and ends.
 *
 * <p>Exit codes: 2 if the configuration or command line is wrong, so that restarting is useless; 1 if the node could
 * not start, failed or ran out of memory; 3 if it was to run in place of a NameNode that has no pool node inside, or no
 * journal yet; 143 after SIGTERM, as for every JVM.
 *
 * <p>Uses {@code HdfsConfiguration}, {@code DefaultMetricsSystem} and {@code JvmMetrics}.
 */
public final class PoolNodeMain {
    private static final Logger LOG = LoggerFactory.getLogger(PoolNodeMain.class);

    static final int FAILED = 1;
    static final int WRONG = 2;
    static final int NO_PLACE = 3;

    private static final String IN_PLACE_OPTION = "--in-place-of-namenode";

    private static final String USAGE = "Usage: hdfs poolnode [-D key=value]... [-conf hdfs-site.xml]\n"
            + "Runs a pool node of ssp:// journals; " + SspKeys.DIRECTORY.name() + " and " + SspKeys.ADDRESS.name()
            + " of hdfs-site.xml say where.";

    private final NodeStarter starter;
    private final PrintStream errors;

    /** Starts a node. */
    interface NodeStarter {
        Closeable start(NodeSettings settings) throws IOException;
    }

    PoolNodeMain(NodeStarter starter, PrintStream errors) {
        this.starter = starter;
        this.errors = errors;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler(new OutOfMemoryHandler(Runtime.getRuntime()::halt));
        int code = new PoolNodeMain(PoolNodeMain::startWithMetrics, System.err).start(arguments);
        if (code != 0) {
            System.exit(code);
        }
        // From here on only a signal ends the process.
        new CountDownLatch(1).await();
    }

    /**
     * Ends a process that is out of memory, immediately and without cleanup, so that its supervisor restarts it: it could no longer serve
     * any caller.
     */
    static final class OutOfMemoryHandler implements Thread.UncaughtExceptionHandler {
        private final IntConsumer halt;

        OutOfMemoryHandler(IntConsumer halt) {
            this.halt = halt;
        }

        @Override
        public void uncaughtException(Thread thread, Throwable cause) {
            if (!(cause instanceof OutOfMemoryError)) {
                LOG.error(
                        "thread={} died; do: restart the pool node at a convenient time, and report the cause",
                        thread.getName(),
                        cause);
                return;
            }
            try {
                LOG.error(
                        "Out of memory: the pool node exits and must be started again"
                                + "; do: give it more heap, HDFS_POOLNODE_OPTS",
                        cause);
            } finally {
                halt.accept(FAILED);
            }
        }
    }

    private static Closeable startWithMetrics(NodeSettings settings) throws IOException {
        DefaultMetricsSystem.initialize("PoolNode");
        JvmMetrics.create("PoolNode", "", DefaultMetricsSystem.instance());
        PoolMetrics.install();
        return PoolProcess.node(settings);
    }

    /** Starts the node; 0 if it runs. */
    int start(String[] arguments) {
        Configuration conf = new HdfsConfiguration();
        NodeSettings settings;
        try {
            String[] rest = GenericOptions.read(conf, arguments);
            boolean inPlace = rest.length == 1 && rest[0].equals(IN_PLACE_OPTION);
            if (rest.length > 0 && !inPlace) {
                errors.println("Unknown argument '" + rest[0] + "'\n" + USAGE);
                return WRONG;
            }
            TrefoilSettings.applyDefaults(conf);
            Optional<JournalId> own = inPlace ? StandInPoolNode.journalOf(conf) : Optional.empty();
            if (inPlace && !own.isPresent()) {
                return NO_PLACE;
            }
            NodeSettings read = NodeConfiguration.read(conf);
            // As inside: it joins nothing on its own that its NameNode's namespace may not belong to.
            settings = own.map(read::forNameNodeOf).orElse(read);
        } catch (IOException | IllegalArgumentException e) {
            errors.println("Pool node not started: " + e.getMessage());
            return WRONG;
        }
        try {
            PoolAuthentication.login(conf, settings.address());
            closeAtExit(starter.start(settings));
        } catch (IOException | RuntimeException e) {
            errors.println("Pool node not started: " + e.getMessage());
            LOG.error("Pool node not started; do: fix the reported cause", e);
            return FAILED;
        }
        LOG.info("Pool node serves address={} directory={}", settings.address(), settings.directory());
        return 0;
    }

    private static void closeAtExit(Closeable node) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                node.close();
                                LOG.info("Pool node closed");
                            } catch (IOException e) {
                                LOG.warn("Cannot close the pool node cleanly; no action needed: the process exits", e);
                            }
                        },
                        "pool-node-close"));
    }
}
