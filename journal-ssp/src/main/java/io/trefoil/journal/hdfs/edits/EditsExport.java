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
 * Exports segments of a journal as the edits files that HDFS's own tools read, above all {@code hdfs oev}; byte for
 * byte what a NameNode with edits in a local directory writes there.
 *
 * <p>Reads committed transactions from the pool nodes, from any host, and starts no node. Thread-safe.
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

    /** To the end of all that is committed, as its writer knows it. */
    public static EditsExport of(Journal journal, Term term) {
        return new EditsExport(journal, Optional.of(term));
    }

    /**
     * The journal of a URI.
     *
     * @param conf as a NameNode or a client of the cluster has it
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

    /** That of a journal which is open already. */
    public static EditsExport of(Journal journal) {
        return new EditsExport(journal);
    }

    /**
     * The same without a configuration.
     *
     * @throws IOException if connections are to be by TLS, and the keys cannot be used
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
     * The segments with committed transactions, from the one that contains {@code fromTxId} or is the first behind it;
     * without gaps.
     *
     * @throws IOException if no pool node can tell
     */
    public List<SegmentInfo> segments(long fromTxId) throws IOException {
        return committed.from(Math.max(0, fromTxId), term);
    }

    /**
     * Writes what was found of a segment; the target stays open.
     *
     * @param segment one of {@link #segments}; if that was not its beginning, the file begins later, too
     * @throws IOException if the transactions cannot be read any more, or not written; the target holds a part then
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
        TxRange txIds = segment.found();
        return segment.finalized()
                ? NNStorage.getFinalizedEditsFileName(txIds.first(), txIds.last())
                : NNStorage.getInProgressEditsFileName(txIds.first());
    }
}
