/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.hdfs.config.SspKeys;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;
import org.apache.hadoop.hdfs.server.namenode.NNStorage;
import org.apache.hadoop.io.IOUtils;

/**
 * Exports segments of a journal as edits files for HDFS's own tools, above all {@code hdfs oev}; byte for byte the same
 * as in a NameNode's local edits directory.
 *
 * <p>Works on any host: reads committed transactions from the pool nodes, and starts no node. Thread-safe.
 *
 * <p>Uses {@code EditLogFileOutputStream.writeHeader}, {@code NNStorage} for names, {@code StorageInfo}.
 */
public final class EditsExport {
    private static final int COPIED_BYTES = 1 << 16;

    private final Journal journal;
    private final CommittedSegments committed;
    private final Optional<Term> term;

    private EditsExport(Journal journal) {
        this(journal, Optional.<Term>empty());
    }

    private EditsExport(Journal journal, Optional<Term> term) {
        this.journal = journal;
        this.committed = new CommittedSegments(journal);
        this.term = term;
    }

    /** Creates an export up to the last committed entry, as the writer knows it. */
    public static EditsExport of(Journal journal, Term term) {
        return new EditsExport(journal, Optional.of(term));
    }

    /**
     * Exports the journal of a URI.
     *
     * @param conf the configuration of a NameNode or client of the cluster
     * @param uri as in {@code dfs.namenode.shared.edits.dir}
     * @throws IllegalArgumentException if a setting is wrong; the text names the property
     */
    public static EditsExport of(Configuration conf, URI uri) throws IOException {
        Configuration reader = new Configuration(conf);
        reader.setBoolean(SspKeys.EMBEDDED.name(), false);
        StorageInfo anyNamespace = new StorageInfo(NodeType.NAME_NODE);
        return new EditsExport(
                PoolProcess.journal(SspSettings.read(reader, uri, anyNamespace).pool()));
    }

    /** Exports a journal that is already open. */
    public static EditsExport of(Journal journal) {
        return new EditsExport(journal);
    }

    /**
     * Exports a journal without a configuration.
     *
     * @throws IOException if TLS is on and the keys cannot be used
     */
    public static EditsExport of(
            JournalId journal, List<NodeAddress> addresses, Authentication authentication, TlsSettings tls)
            throws IOException {
        return new EditsExport(PoolProcess.journal(PoolSettings.builder()
                .journal(journal)
                .addresses(addresses)
                .minReplicas(1)
                .authentication(authentication)
                .tls(tls)
                .build()));
    }

    /**
     * The segments with committed transactions, without gaps, starting with the one that contains {@code fromTxId}, or else with the next
     * one.
     *
     * @throws IOException if no pool node can tell
     */
    public List<SegmentInfo> segments(long fromTxId) throws IOException {
        return committed.segmentsFrom(Math.max(0, fromTxId), term);
    }

    /**
     * Writes the transactions of a segment that were found; does not close the target.
     *
     * @param segment one of {@link #segments}; if its beginning was not found, the file begins later too
     * @throws IOException if the transactions can no longer be read, or cannot be written; the target then holds a part
     *     of them
     */
    public void write(SegmentInfo segment, OutputStream target) throws IOException {
        DataOutputStream data = new DataOutputStream(target);
        EditLogFileOutputStream.writeHeader(segment.layoutVersion(), data);
        data.flush();
        try (InputStream edits = new SegmentBytes(journal, segment)) {
            IOUtils.copyBytes(edits, target, COPIED_BYTES);
        }
        target.flush();
    }

    /** The name that HDFS would give the file. */
    public static String fileName(SegmentInfo segment) {
        TxRange txIds = segment.readableTxIds();
        return segment.finalized()
                ? NNStorage.getFinalizedEditsFileName(txIds.first(), txIds.last())
                : NNStorage.getInProgressEditsFileName(txIds.first());
    }
}
