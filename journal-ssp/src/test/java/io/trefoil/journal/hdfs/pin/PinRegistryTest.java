/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.hdfs.OrderMetrics;
import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders as they come to a NameNode, by Hadoop's own registry. */
class PinRegistryTest {

    private final FakeJournal journal = new FakeJournal("pinned-by-orders");
    private PinRegistry keeper;

    @BeforeEach
    void write() throws IOException {
        journal.format(NamespaceId.of("CID-1", 1), StorageRecord.Version.of(-67, 0), false);
        JournalWriter writer = journal.openWriter(1);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(1, 100), Bytes.ofUtf8("edits"));
        Configuration conf = new Configuration(false);
        conf.set("dfs.cluster.administrators", "admin");
        keeper = PinRegistry.start(journal, journal::barriers, conf);
    }

    @AfterEach
    void stop() {
        keeper.close();
    }

    private RefreshResponse sendOrder(String... arguments) {
        return RefreshRegistry.defaultRegistry()
                .dispatch(PinRegistry.identifier(journal.id()), arguments)
                .iterator()
                .next();
    }

    private List<String> pins() {
        return journal.barriers().list().stream().map(Barrier::name).toList();
    }

    @Test
    void operatorPinStaysUntilReleased() {
        assertThat(sendOrder("pin", "50", "31", "").getReturnCode()).isZero();
        assertThat(sendOrder("pin", "50", "31", "").getMessage()).startsWith("Already pinned");
        assertThat(journal.barriers().find("pin-50").orElseThrow().keepFrom()).isEqualTo(31);
        sendOrder("renewed", "operator");
        assertThat(pins()).as("no NameNode releases it").containsExactly("pin-50");

        assertThat(sendOrder("unpin", "pin-50").getReturnCode()).isZero();

        assertThat(pins()).isEmpty();
        assertThat(sendOrder("unpin", "pin-50").getMessage()).contains("no pin pin-50");
    }

    @Test
    void advancedNameNodeKeepsOnlyNeededPin() {
        sendOrder("renew", "nn2", "10", "3600");
        sendOrder("renew", "nn3", "10", "3600");
        sendOrder("renew", "nn3", "40", "3600");
        assertThat(pins()).containsExactly("pin-nn2-10", "pin-nn3-40");

        sendOrder("renewed", "nn3");

        assertThat(pins()).containsExactly("pin-nn2-10");
    }

    @Test
    void releasesExpiredPinsBeforeAddingPin() {
        journal.addBarrier(
                Pin.ofNameNode("nn9", 5, Instant.now().minusSeconds(1)).barrier());

        sendOrder("pin", "50", "31", "60");

        assertThat(pins()).containsExactly("pin-50");
    }

    @Test
    void cannotReleaseCheckpointBarrier() {
        journal.addBarrier(Barrier.of("nightly.7f3a9c12", 9, 9, "{}"));

        assertThat(sendOrder("unpin", "nightly.7f3a9c12").getReturnCode()).isEqualTo(1);
        assertThat(pins()).containsExactly("nightly.7f3a9c12");
    }

    @Test
    void rejectsMalformedOrderWithClearMessage() {
        assertThat(sendOrder("pin", "50").getMessage()).startsWith("Wanted pin, unpin");
        assertThat(sendOrder().getReturnCode()).isEqualTo(1);
        assertThat(sendOrder("pin", "x", "1", "").getReturnCode()).isEqualTo(1);
        assertThat(sendOrder("pin", "5", "7", "").getMessage()).contains("it can keep transactions from one of 1 to 6");
        assertThat(pins()).isEmpty();
    }

    @Test
    void acceptsOrdersOnlyFromAdministratorsAndNameNodeUser() throws Exception {
        AuditLog audit = OrderMetrics.audit("Pins");
        long refusedBefore = audit.countRefused();
        UserGroupInformation stranger = UserGroupInformation.createRemoteUser("stranger");
        RefreshResponse refused =
                stranger.doAs((PrivilegedExceptionAction<RefreshResponse>) () -> sendOrder("pin", "50", "31", ""));
        assertThat(refused.getMessage()).contains("Disallowed").contains("dfs.cluster.administrators");
        assertThat(pins()).isEmpty();
        assertThat(audit.countRefused()).isEqualTo(refusedBefore + 1);

        UserGroupInformation admin = UserGroupInformation.createRemoteUser("admin");
        assertThat(admin.doAs((PrivilegedExceptionAction<RefreshResponse>) () -> sendOrder("pin", "50", "31", ""))
                        .getReturnCode())
                .isZero();
    }

    @Test
    void auditsOrderOutcomeAcrossTerms() {
        AuditLog audit = OrderMetrics.audit("Pins");
        long done = audit.countDone();
        long refused = audit.countRefused();

        sendOrder("pin", "50", "31", "");
        sendOrder("unpin", "pin-77");
        sendOrder("pin", "5", "7", "");
        sendOrder("nonsense");
        keeper.close();
        keeper = PinRegistry.start(journal, journal::barriers, new Configuration(false));
        sendOrder("unpin", "pin-50");

        assertThat(audit.countDone()).isEqualTo(done + 2);
        assertThat(audit.countRefused()).isEqualTo(refused + 3);
    }

    @Test
    void rejectsOrdersAfterTermEnds() {
        keeper.close();

        assertThatThrownBy(() -> sendOrder("pin", "50", "31", "")).isInstanceOf(IllegalArgumentException.class);
    }
}
