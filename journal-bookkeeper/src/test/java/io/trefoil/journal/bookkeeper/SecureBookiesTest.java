/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.bookkeeper.client.BookKeeperLedgers;
import io.trefoil.journal.bookkeeper.client.ClientAccess;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.zk.ZkRecordStore;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real bookies that talk by TLS with certificates of both sides, and let in only who logs in by SASL. */
class SecureBookiesTest {
    private static final Bytes PASSWORD = Bytes.ofUtf8("secret");
    private static final Incarnation OWNER = Incarnation.of(7, 7);

    @TempDir
    private static Path directory;

    private static Bookies bookies;
    private static BookieSecurity security;

    @BeforeAll
    static void startBookies() throws Exception {
        security = new BookieSecurity(directory);
        Configuration.setConfiguration(new ClientLogin());
        bookies = security.startBookies(PASSWORD);
    }

    @AfterAll
    static void stopBookies() throws Exception {
        bookies.close();
        Configuration.setConfiguration(null);
    }

    /** What a NameNode's JAAS file says. */
    private static final class ClientLogin extends Configuration {
        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            return name.equals("BookKeeper")
                    ? new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                DigestLoginModule.class.getName(),
                                LoginModuleControlFlag.REQUIRED,
                                Map.of("username", "nn", "password", "pw"))
                    }
                    : null;
        }
    }

    @Test
    void writesAndReadsByTlsAndSasl() throws Exception {
        try (CuttableProcess one = bookies.process(0, "secure", LedgerLimits.ofLease(300));
                CuttableProcess two = bookies.process(1, "secure", LedgerLimits.ofLease(300))) {
            one.journal().format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
            JournalWriter writer = one.journal().openWriter(1);
            writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
            writer.append(EntryKind.EDITS, TxRange.of(1, 1), Bytes.ofUtf8("edit"));

            two.journal().awaitWritten(Duration.ofMinutes(1));

            assertThat(two.journal().committedPosition()).isEqualTo(writer.end().position());
        }
    }

    @Test
    void bookiesRefuseClientWithoutLogin() throws Exception {
        assertRefused(Optional.of(security.tls()));
        assertRefused(Optional.empty());
    }

    private static void assertRefused(Optional<Path> settings) throws Exception {
        try (BookKeeperLedgers ledgers = bookies.connect(ClientAccess.of(PASSWORD, settings))) {
            WritableLedger ledger = ledgers.create(OWNER);

            assertThat(ledger.add(new byte[9])).failsWithin(Duration.ofMinutes(2));
        }
    }

    @Test
    void ledgersOpenWithTheirPasswordOnly() throws Exception {
        WritableLedger ledger = bookies.ledgers(0).create(OWNER);
        ledger.add(new byte[9]).get();
        ClientAccess other = ClientAccess.of(Bytes.ofUtf8("guess"), Optional.of(security.tlsAndSasl()));

        try (BookKeeperLedgers ledgers = bookies.connect(other)) {
            assertThatThrownBy(() -> ledgers.recover(ledger.id())).hasMessageContaining("cannot recover ledger");
        }
        ledger.add(new byte[9]).get();
    }

    @Test
    void recordAdmitsOnlyPasswordOfItsJournal() throws Exception {
        try (CuttableProcess one = bookies.process(0, "closed", LedgerLimits.ofLease(300))) {
            one.journal().format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
        }
        String record = Bookies.recordPath("closed");
        CuratorFramework anyone = bookies.zooKeeper();

        assertThatThrownBy(() -> anyone.getData().forPath(record)).isInstanceOf(NoAuthException.class);
        assertThatThrownBy(() -> anyone.setData().forPath(record, new byte[1])).isInstanceOf(NoAuthException.class);
        assertThatThrownBy(() -> anyone.delete().forPath(record)).isInstanceOf(NoAuthException.class);
        try (ZkRecordStore guessed = ZkRecordStore.start(bookies.servers(), record, Bytes.ofUtf8("guess"))) {
            assertThatThrownBy(guessed::read).hasMessageContaining("trefoil.bookkeeper.password.file");
        }
        try (CuttableProcess other = bookies.process(0, "beside", LedgerLimits.ofLease(300))) {
            other.journal().format(NamespaceId.of("CID-1", 43), StorageRecord.Version.of(-67, 1000), false);
        }
    }

    @Test
    void rejectsSettingsThatNameOtherCluster() throws Exception {
        Path wrong = Files.writeString(directory.resolve("wrong.conf"), "metadataServiceUri=zk://elsewhere/ledgers\n");

        assertThatThrownBy(() -> bookies.connect(ClientAccess.of(PASSWORD, Optional.of(wrong))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not set [metadataServiceUri]");
    }
}
