/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.bookkeeper.LedgerJournal;
import io.trefoil.journal.bookkeeper.LedgerLimits;
import io.trefoil.journal.bookkeeper.client.BookKeeperLedgers;
import io.trefoil.journal.bookkeeper.client.ClientAccess;
import io.trefoil.journal.bookkeeper.client.Quorums;
import io.trefoil.journal.bookkeeper.zk.ZkRecordStore;
import io.trefoil.journal.hdfs.ConfiguredJournal;
import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.hdfs.config.SspKeys;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NamespaceId;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.StorageInfo;

/**
 * The configuration of a NameNode's journal in BookKeeper, and the journals of this process, which outlive HDFS's journal
 * managers.
 */
final class BkJournals implements ConfiguredJournal {
    /** BookKeeper replaces a bookie that is away; a NameNode waits for no number of its own. */
    private static final int NO_MINIMUM = 1;

    private static final Map<String, LedgerJournal> OPENED = new HashMap<>();

    private final BkUri uri;
    private final NameNodeSettings nameNode;
    private final NamespaceId namespace;
    private final Quorums quorums;
    private final ClientAccess access;
    private final LedgerLimits limits;

    private BkJournals(
            BkUri uri,
            NameNodeSettings nameNode,
            NamespaceId namespace,
            Quorums quorums,
            ClientAccess access,
            LedgerLimits limits) {
        this.uri = uri;
        this.nameNode = nameNode;
        this.namespace = namespace;
        this.quorums = quorums;
        this.access = access;
        this.limits = limits;
    }

    /**
     * Reads the configuration; opens nothing.
     *
     * @param storage what HDFS knows of its namespace; cluster id and namespace id are empty before a format
     * @throws IllegalArgumentException if something is missing or wrong; the text names the property
     */
    static BkJournals read(Configuration conf, URI uri, StorageInfo storage) {
        BkUri parsed = BkUri.parse(uri);
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        return new BkJournals(
                parsed,
                NameNodeSettings.read(conf, parsed.journal(), NO_MINIMUM),
                NameNodeSettings.namespace(storage),
                BkKeys.QUORUMS.get(suffixed),
                ClientAccess.of(
                        readPassword(suffixed),
                        BkKeys.CLIENT_CONF.find(suffixed).map(Paths::get)),
                LedgerLimits.ofLease(SspKeys.fixedLease(suffixed).toMillis()));
    }

    private static Bytes readPassword(SuffixedConfiguration conf) {
        String file = BkKeys.PASSWORD_FILE
                .find(conf)
                .orElseThrow(() -> new IllegalArgumentException(BkKeys.PASSWORD_FILE.name()
                        + " is not set: it names the file with the password of the journal's ledgers"));
        try {
            return Bytes.ofUtf8(new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.UTF_8).trim());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    BkKeys.PASSWORD_FILE.name() + ": the password of the journal's ledgers cannot be read from " + file
                            + ": " + e,
                    e);
        }
    }

    BkUri uri() {
        return uri;
    }

    @Override
    public NameNodeSettings settings() {
        return nameNode;
    }

    @Override
    public NamespaceId namespace() {
        return namespace;
    }

    @Override
    public Duration lease() {
        return Duration.ofMillis(limits.leaseMillis());
    }

    /** @throws IOException if BookKeeper's cluster does not exist or cannot be reached */
    @Override
    public LedgerJournal open() throws IOException {
        synchronized (OPENED) {
            // Only tests have several NameNodes in a process.
            String key = nameNode.owner() + " " + uri;
            LedgerJournal known = OPENED.get(key);
            if (known == null) {
                BookKeeperLedgers ledgers = BookKeeperLedgers.connect(uri.servers(), uri.root(), quorums, access);
                known = new LedgerJournal(
                        uri.journal(),
                        ZkRecordStore.start(uri.zooKeeperServers(), uri.recordPath(), access.password()),
                        ledgers,
                        limits);
                OPENED.put(key, known);
            }
            known.requireNamespace(namespace);
            return known;
        }
    }
}
