/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.sim.disk.SimDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a replica may answer readers without the others (rule R6). */
class CaughtUpReplicaTest {
    private static final NodeId NODE = NodeId.of("node-1");
    private static final Epoch EPOCH = Epoch.of(3);
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration WRITERS_LEASE = Duration.ofSeconds(1);

    private final SimDisk disk = new SimDisk(new Random(1));
    private long nowNanos;
    private JournalReplica replica = open();

    @BeforeEach
    void format() {
        replica.perform(
                FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, new ArrayList<Entry>(), false));
    }

    private JournalReplica open() {
        JournalReplica opened =
                new JournalReplica("replica", disk.device(), () -> nowNanos, () -> NODE, writer -> false);
        opened.open();
        return opened;
    }

    @Test
    void answersAloneForLeaseDurationWhenItHasCommittedEntries() {
        assertThat(replica.isCaughtUp(LEASE)).isFalse();

        append(LogPosition.ORIGIN, entry(1), 0);
        append(entry(1).position(), entry(2), 1);
        assertThat(replica.isCaughtUp(LEASE)).isTrue();

        nowNanos += LEASE.toNanos();
        assertThat(replica.isCaughtUp(LEASE)).isFalse();
    }

    @Test
    void answersAloneForNoLongerThanWritersLease() {
        append(LogPosition.ORIGIN, entry(1), 0);
        append(entry(1).position(), entry(2), 1);
        assertThat(replica.isCaughtUp(LEASE)).isTrue();

        nowNanos += WRITERS_LEASE.toNanos();

        assertThat(replica.isCaughtUp(LEASE)).isFalse();
    }

    /** It was in sync in this very term once, and then missed something; the writer's heartbeat finds it again. */
    @Test
    void restartedReplicaAnswersOnlyWhenCaughtUp() {
        append(LogPosition.ORIGIN, entry(1), 0);
        append(entry(1).position(), entry(2), 1);
        disk.kill();
        replica = open();

        heartbeat(5);
        assertThat(replica.promisedWriter().lastContactNanos()).isPresent();
        assertThat(replica.isCaughtUp(LEASE)).isFalse();

        append(entry(2).position(), entry(3), 3);
        heartbeat(3);
        assertThat(replica.isCaughtUp(LEASE)).isTrue();
    }

    @Test
    void reopensStorageAndRefetchesWhenEntriesAreUnreadable() {
        append(LogPosition.ORIGIN, entry(1), 0);
        append(entry(1).position(), entry(2), 1);
        append(entry(2).position(), entry(3), 2);
        append(entry(3).position(), entry(4), 3);
        disk.corrupt();

        assertThatThrownBy(() -> {
                    replica.entryReader().read(FetchRequest.of(1, 1, Epoch.NONE));
                    replica.entryReader().read(FetchRequest.of(2, 1, Epoch.NONE));
                })
                .hasMessageContaining("damaged");
        assertThat(replica.isCaughtUp(LEASE)).isFalse();
        assertThat(replica.failureReason()).contains("damaged");

        nowNanos += LEASE.toNanos();
        assertThat(replica.perform(StatusRequest.create()))
                .get()
                .isInstanceOfSatisfying(StatusReply.class, status -> assertThat(status.completeness())
                        .isEqualTo(LogCompleteness.REFETCHING));
    }

    @Test
    void ignoresOlderWriterAfterNewPromise() {
        append(LogPosition.ORIGIN, entry(1), 0);

        replica.perform(NewEpochRequest.of(EPOCH.next(), WriterId.of("writer"), 1_000));

        assertThat(replica.isCaughtUp(LEASE)).isFalse();
    }

    @Test
    void rebasedReplicaAnswersAloneOnlyWhenCaughtUp() {
        append(LogPosition.ORIGIN, entry(1), 0);
        append(entry(1).position(), entry(2), 1);
        assertThat(replica.performIfCaughtUp(StatusRequest.create(), LEASE)).isPresent();

        replica.perform(StartOverRequest.of(NODE));
        assertThat(replica.performIfCaughtUp(StatusRequest.create(), LEASE)).isEmpty();

        append(LogPosition.ORIGIN, entry(1), 2);
        assertThat(replica.performIfCaughtUp(StatusRequest.create(), LEASE)).isEmpty();
        append(entry(1).position(), entry(2), 2);
        assertThat(replica.performIfCaughtUp(StatusRequest.create(), LEASE)).isPresent();
    }

    private void append(LogPosition prev, Entry entry, long committedSn) {
        perform(prev, Collections.singletonList(entry), committedSn);
    }

    private void heartbeat(long committedSn) {
        perform(LogPosition.ORIGIN, new ArrayList<>(), committedSn);
    }

    private void perform(LogPosition prev, List<Entry> entries, long committedSn) {
        LogPosition committed = LogPosition.of(EPOCH, committedSn);
        replica.perform(AppendRequest.of(
                EPOCH, WriterId.of("writer"), WRITERS_LEASE.toMillis(), prev, entries, committed, committedSn));
    }

    private static Entry entry(long sn) {
        return Entry.of(LogPosition.of(EPOCH, sn), EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
    }
}
