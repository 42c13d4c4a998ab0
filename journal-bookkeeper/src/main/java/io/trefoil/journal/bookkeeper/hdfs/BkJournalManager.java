/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.foundation.hdfs.HadoopLinkage;
import io.trefoil.journal.hdfs.OpenedJournal;
import io.trefoil.journal.hdfs.SspJournalManager;
import io.trefoil.journal.hdfs.TrefoilJournalManager;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/**
 * HDFS's {@code JournalManager} for {@code bk://} URIs: keeps the edits in the ledgers of a BookKeeper cluster.
 *
 * <p>The constructor connects to the cluster, and throws if it cannot be reached; afterwards nothing fails because bookies or
 * ZooKeeper are away.
 *
 * <p>Uses {@code NamespaceInfo}.
 */
public final class BkJournalManager extends TrefoilJournalManager {
    private static final HadoopLinkage HADOOP_LINKS = HadoopLinkage.withFoundation(BkJournalManager.class);

    /** Creates an instance; HDFS calls this. The nameservice is not used: the configuration names it too. */
    public BkJournalManager(Configuration conf, URI uri, NamespaceInfo namespace, String nameservice)
            throws IOException {
        super(
                conf,
                open(read(
                        conf,
                        () -> BkJournals.read(conf, uri, namespace),
                        HADOOP_LINKS,
                        SspJournalManager.hadoopLinkage())));
    }

    private static OpenedJournal open(BkJournals journals) throws IOException {
        return OpenedJournal.of(
                journals.open(),
                journals.settings(),
                false,
                "journal " + journals.uri().journal() + " in BookKeeper " + journals.uri());
    }
}
