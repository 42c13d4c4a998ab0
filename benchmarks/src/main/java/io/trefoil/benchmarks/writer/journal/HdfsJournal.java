/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.JournalManager;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/** A journal that HDFS can use; created, formatted and taken over with the calls that a NameNode makes. */
public final class HdfsJournal implements MeasuredJournal {
    private static final int NAMESPACE_ID = 1;
    private static final String CLUSTER = "benchmark";
    private static final NamespaceInfo NAMESPACE =
            new NamespaceInfo(NAMESPACE_ID, CLUSTER, "BP-1-127.0.0.1-1", 0, "", "");

    private final JournalManager manager;

    private HdfsJournal(JournalManager manager) {
        this.manager = manager;
    }

    /**
     * Formats a journal and becomes its writer.
     *
     * @param managerClass full name of a {@code JournalManager} with HDFS's constructor of four arguments
     * @param uri where the journal is; all other settings are in {@code hdfs-site.xml}
     */
    public static HdfsJournal open(String managerClass, URI uri) throws IOException, ReflectiveOperationException {
        return open(managerClass, uri, new HdfsConfiguration());
    }

    /** Like the other {@code open}, with settings other than those of {@code hdfs-site.xml}. */
    public static HdfsJournal open(String managerClass, URI uri, Configuration conf)
            throws IOException, ReflectiveOperationException {
        JournalManager manager = manager(managerClass, uri, conf);
        manager.format(NAMESPACE, false);
        manager.recoverUnfinalizedSegments();
        return new HdfsJournal(manager);
    }

    /** Creates the journal for reading, like HDFS; the parameters are those of {@link #open}. */
    public static JournalManager manager(String managerClass, URI uri)
            throws IOException, ReflectiveOperationException {
        return manager(managerClass, uri, new HdfsConfiguration());
    }

    private static JournalManager manager(String managerClass, URI uri, Configuration conf)
            throws IOException, ReflectiveOperationException {
        UserGroupInformation.setConfiguration(conf);
        // Does nothing without Kerberos.
        SecurityUtil.login(
                conf,
                DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY,
                DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
                "localhost");
        return Class.forName(managerClass)
                .asSubclass(JournalManager.class)
                .getConstructor(Configuration.class, URI.class, NamespaceInfo.class, String.class)
                .newInstance(conf, uri, NAMESPACE, CLUSTER);
    }

    @Override
    public EditLogOutputStream start(long firstTxId) throws IOException {
        return manager.startLogSegment(firstTxId, HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
    }

    @Override
    public void end(long firstTxId, long lastTxId) throws IOException {
        manager.finalizeLogSegment(firstTxId, lastTxId);
        manager.purgeLogsOlderThan(firstTxId);
    }

    @Override
    public void close() throws IOException {
        manager.close();
    }
}
