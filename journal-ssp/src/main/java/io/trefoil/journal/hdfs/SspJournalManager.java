/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.foundation.hdfs.HadoopLinkage;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.hdfs.config.StandInPoolNode;
import io.trefoil.journal.hdfs.metrics.PoolMetrics;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/**
 * HDFS's {@code JournalManager} for {@code ssp://} URIs: replaces QJM and its JournalNodes (paper §4.1).
 *
 * <p>The constructor starts the pool node of this process, and waits for no other.
 *
 * <p>Uses {@code NamespaceInfo}.
 */
public class SspJournalManager extends TrefoilJournalManager {

    private static final HadoopLinkage HADOOP_LINKS = HadoopLinkage.withFoundation(SspJournalManager.class);

    /**
     * Creates an instance; HDFS calls this. The nameservice is not used: the configuration names it too, together with
     * its NameNode.
     */
    public SspJournalManager(Configuration conf, URI uri, NamespaceInfo namespace, String nameservice)
            throws IOException {
        this(conf, uri, namespace, SspJournalManager::openMonitored);
    }

    /** Called by HDFS for a journal manager that does not need the nameservice. */
    public SspJournalManager(Configuration conf, URI uri, NamespaceInfo namespace) throws IOException {
        this(conf, uri, namespace, SspJournalManager::openMonitored);
    }

    SspJournalManager(Configuration conf, URI uri, NamespaceInfo namespace, Journals journals) throws IOException {
        super(conf, open(read(conf, () -> SspSettings.read(conf, uri, namespace), HADOOP_LINKS), journals));
    }

    private static OpenedJournal open(SspSettings settings, Journals journals) throws IOException {
        PoolSettings pool = settings.pool();
        return OpenedJournal.of(
                journals.open(pool),
                settings.nameNode(),
                pool.node().isPresent(),
                "ssp journal " + pool.journal() + " on " + pool.addresses());
    }

    /** The links from the journal to Hadoop. */
    public static HadoopLinkage hadoopLinkage() {
        return HADOOP_LINKS;
    }

    private static Journal openMonitored(PoolSettings settings) throws IOException {
        PoolMetrics.install();
        if (settings.node().isPresent() && StandInPoolNode.ofThisProcess().isPresent()) {
            StandInPoolNode.ofThisProcess().get().endStandIn();
        }
        return PoolProcess.journal(settings);
    }
}
