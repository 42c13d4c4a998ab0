/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.HungLog;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.storage.JournalStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a replica whose disk fails. */
class JournalReplicaTest {
    private static final NodeId NODE = NodeId.of("node-1");
    private static final long LONG_ENOUGH_NANOS = 10_000_000_000L;

    private final SimDisk disk = new SimDisk(new Random(1));
    private boolean noThreads;
    private final List<Runnable> reopenings = new ArrayList<>() {
        private static final long serialVersionUID = 1;

        @Override
        public boolean add(Runnable task) {
            if (noThreads) {
                throw new OutOfMemoryError("planted: unable to create native thread");
            }
            return super.add(task);
        }
    };
    private long nowNanos;
    private final JournalReplica replica = new JournalReplica(
            "replica",
            disk.device(),
            () -> nowNanos,
            () -> NODE,
            writer -> false,
            new DeferredReopenThreads(reopenings),
            ReplicaTrace.NONE);

    @BeforeEach
    void format() {
        replica.open();
        replica.perform(
                FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, new ArrayList<Entry>(), false));
        disk.failAt(1);
        assertThat(promise(5)).isInstanceOf(FailedReply.class);
    }

    @Test
    @Timeout(120)
    void hungLogDoesNotDelayRequests() throws Exception {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        disk.failAt(1);
        try (HungLog log = new HungLog("storage failed")) {
            assertThat(promise(6)).isInstanceOf(FailedReply.class);
            log.awaitHanging();
            assertThat(promise(7)).isInstanceOf(FailedReply.class);
        }
    }

    @Test
    void retirementMovesStorageAsideAndLeavesNodeUnformatted() {
        nowNanos += LONG_ENOUGH_NANOS;
        assertThat(status()).isInstanceOf(FailedReply.class);
        reopenings.remove(0).run();
        NodeId other = NodeId.of("another-storage");
        assertThat(replica.perform(RetireRequest.of(Epoch.of(9), other))).contains(DoneReply.of(NODE));
        assertThat(replica.isFormatted()).isTrue();

        assertThat(replica.perform(RetireRequest.of(Epoch.of(9), NODE))).contains(NotFormattedReply.of(NODE));

        assertThat(replica.isFormatted()).isFalse();
        assertThat(disk.hasOldStorage()).isTrue();
        assertThat(replica.perform(StatusRequest.create())).contains(NotFormattedReply.of(NODE));
    }

    /** A NameNode in its process has not found its namespace to belong to a promoted incarnation: it would end, and the node. */
    @Test
    void changesIncarnationOnlyWhenAllowed() {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        Incarnation promoted = Incarnation.ofPromotion(Long.MAX_VALUE - 1, 0);
        RetireRequest retires = RetireRequest.of(Epoch.of(9), NODE).withIncarnation(promoted);
        replica.restrictIncarnations(incarnation -> !incarnation.equals(promoted));

        assertThat(replica.perform(retires)).get().isInstanceOf(OtherIncarnationReply.class);
        assertThat(replica.isFormatted()).isTrue();

        assertThat(replica.perform(RetireRequest.of(Epoch.of(9), NODE))).contains(NotFormattedReply.of(NODE));
        FormatRequest joins =
                FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN.with(promoted), List.of(), false);
        assertThat(replica.perform(joins)).contains(NotFormattedReply.of(NODE));
        assertThat(replica.isFormatted()).isFalse();

        replica.restrictIncarnations(incarnation -> true);
        assertThat(replica.perform(joins)).contains(DoneReply.of(NODE));
        assertThat(replica.incarnation()).isEqualTo(promoted);
    }

    @Test
    void movedStorageHoldsPromiseMadeTogetherWithRetirement() throws Exception {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();

        List<Optional<PoolReply>> replies = replica.perform(List.of(
                NewEpochRequest.of(Epoch.of(6), WriterId.of("writer"), 1000), RetireRequest.of(Epoch.of(6), NODE)));

        assertThat(replies.get(0)).get().isInstanceOfSatisfying(PromiseReply.class, promise -> assertThat(
                        promise.node())
                .isEqualTo(NODE));
        assertThat(replies.get(1)).contains(NotFormattedReply.of(NODE));
        replica.close();
        disk.reinsert();
        assertThat(disk.device().open().recoveredJournal().promise().epoch()).isEqualTo(Epoch.of(6));
    }

    @Test
    void reopensFailedStorageLaterOnSingleSeparateThread() {
        assertThat(status()).isInstanceOf(FailedReply.class);
        assertThat(reopenings).isEmpty();

        nowNanos += LONG_ENOUGH_NANOS;
        assertThat(status()).isInstanceOf(FailedReply.class);
        assertThat(status()).isInstanceOf(FailedReply.class);
        assertThat(reopenings).hasSize(1);

        reopenings.remove(0).run();
        nowNanos += LONG_ENOUGH_NANOS;
        assertThat(promise(6)).isInstanceOf(PromiseReply.class);
    }

    @Test
    void retriesReopeningWhenNoThreadIsAvailable() {
        noThreads = true;
        nowNanos += LONG_ENOUGH_NANOS;
        assertThat(status()).isInstanceOf(FailedReply.class);

        noThreads = false;
        nowNanos += LONG_ENOUGH_NANOS;
        assertThat(status()).isInstanceOf(FailedReply.class);
        reopenings.remove(0).run();
        assertThat(promise(6)).isInstanceOf(PromiseReply.class);
    }

    @Test
    void readOnlyDiskStaysFailed() {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        disk.failAt(1);
        reopenings.remove(0).run();
        assertThat(replica.failureReason()).contains("No space left");
        assertThat(status()).isInstanceOf(FailedReply.class);

        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        assertThat(replica.failureReason()).isEmpty();
    }

    @Test
    void closedReplicaDoesNotFormatStorage() throws Exception {
        replica.close();

        assertThat(replica.perform(FormatRequest.of(
                        NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, new ArrayList<Entry>(), true)))
                .get()
                .isInstanceOf(FailedReply.class);
        assertThat(replica.failureReason()).isEqualTo("this node is closed");
    }

    @Test
    void replicaClosedDuringReopeningStaysClosed() throws Exception {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        replica.close();
        reopenings.remove(0).run();

        assertThat(disk.device().open()).as("nobody holds the storage").isNotNull();
    }

    /** Why an operator had to look was moved aside with what there was. */
    @Test
    void forcedFormatEndsHalt() {
        halt();
        assertThat(replica.failureReason()).contains("has another entry at");

        FormatRequest again = FormatRequest.of(
                NamespaceId.of("CID-1", 42), NodeId.of("again"), LogSummary.ORIGIN, new ArrayList<Entry>(), true);
        assertThat(replica.perform(again)).get().isInstanceOf(DoneReply.class);
        disk.failAt(1);
        assertThat(promise(7)).isInstanceOf(FailedReply.class);
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();

        assertThat(replica.failureReason()).isEmpty();
        assertThat(status()).isInstanceOf(StatusReply.class);
    }

    private void halt() {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        promise(6);
        replica.perform(firstEntry());
        replica.perform(CommitRequest.of(Epoch.of(6), 1));
        replica.perform(AppendRequest.of(
                Epoch.of(7),
                WriterId.of("other"),
                1000,
                LogPosition.of(Epoch.of(5), 1),
                new ArrayList<Entry>(),
                LogPosition.ORIGIN,
                1));
    }

    /** The disk is full: a promise is saved or not when that fails, and the storage cannot be opened again for writing. */
    @Test
    void startOverKeepsPromiseOnDisk() throws Exception {
        Set<Epoch> stood = new HashSet<>();
        Random random = new Random(1);
        for (int i = 0; i < 20; i++) {
            SimDisk full = new SimDisk(random);
            JournalReplica other = new JournalReplica(
                    "replica",
                    full.device(),
                    () -> nowNanos,
                    () -> NODE,
                    writer -> false,
                    new DeferredReopenThreads(reopenings),
                    ReplicaTrace.NONE);
            other.open();
            other.perform(FormatRequest.of(
                    NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, new ArrayList<Entry>(), false));
            full.failAt(1);
            other.perform(NewEpochRequest.of(Epoch.of(5), WriterId.of("writer"), 1000));
            Epoch before = promiseOn(full);
            stood.add(before);

            full.failAt(1);
            other.perform(StartOverRequest.of(NODE));

            assertThat(other.failureReason()).isEmpty();
            assertThat(other.promisedEpoch()).isEqualTo(Epoch.of(5));
            other.close();
            assertThat(promiseOn(full)).isEqualTo(Epoch.of(5));
        }
        assertThat(stood).as("both are tried").containsExactlyInAnyOrder(Epoch.NONE, Epoch.of(5));
    }

    /** The rules say then that the entry is there, and the disk may not have it: a writer must never be told so. */
    @Test
    void neverAcknowledgesEntryUnwrittenForLackOfMemory() {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        promise(6);

        disk.failAllocationAt(2);
        assertThatThrownBy(() -> replica.perform(firstEntry())).isInstanceOf(OutOfMemoryError.class);

        assertThat(replica.perform(firstEntry())).get().isInstanceOf(FailedReply.class);
        assertThat(replica.failureReason()).contains("OutOfMemoryError");
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        assertThat(replica.perform(firstEntry())).get().isInstanceOf(AppendedReply.class);
    }

    /** Who is told looks at once, and would else believe for another moment that the lease is held. */
    @Test
    void leaseFreedListenerSeesFreedLease() {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        promise(6);
        replica.perform(firstEntry());
        assertThat(replica.promisedWriter().isLeaseHeld(WriterId.of("writer"))).isTrue();
        List<Optional<ObservedTerm>> seen = new ArrayList<>();
        replica.promisedWriter()
                .setLeaseFreedWatcher(() -> seen.add(replica.promisedWriter().observedTerm()));

        replica.perform(StepDownRequest.of(Epoch.of(6)));

        assertThat(seen).singleElement().satisfies(heard -> assertThat(
                        heard.orElseThrow().leaseRemaining())
                .isZero());
    }

    /** A session that breaks says nothing about a writer that others hear, or that comes back. */
    @Test
    void suspectsWriterUntilNextMessage() {
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        promise(6);
        replica.perform(firstEntry());
        assertThat(observedTerm().writerSuspected()).isFalse();

        replica.promisedWriter().suspect(WriterId.of("former-writer"));
        assertThat(observedTerm().mayEnd()).as("this one is another").isFalse();
        replica.promisedWriter().suspect(WriterId.of("writer"));
        assertThat(observedTerm().mayEnd()).isTrue();
        assertThat(observedTerm().leaseRemaining())
                .as("nobody else may write yet")
                .isPositive();

        nowNanos++;
        replica.perform(firstEntry());
        assertThat(observedTerm().mayEnd()).isFalse();
    }

    private ObservedTerm observedTerm() {
        return replica.promisedWriter().observedTerm().orElseThrow();
    }

    /** Another node may have been promoted, or have taken its place: no writer would come to say so. */
    @Test
    void memberWithoutWriterRequestsMembership() {
        NodeAddress own = NodeAddress.of("host", 8485);
        assertThat(replica.shouldRequestJoin(own, LocalNamespace.NONE))
                .as("failed")
                .isFalse();
        nowNanos += LONG_ENOUGH_NANOS;
        status();
        reopenings.remove(0).run();
        assertThat(replica.shouldRequestJoin(own, LocalNamespace.NONE))
                .as("no member")
                .isTrue();
        assertThat(replica.shouldRequestJoin(own, LocalNamespace.UNKNOWN))
                .as("a NameNode that may end")
                .isFalse();

        promise(6);
        Members members = Members.of(List.of(Member.voter(NODE, own)));
        replica.perform(firstAppend(EntryKind.MEMBERS, members.toPayload()));
        assertThat(replica.isActiveMember(own)).isTrue();
        assertThat(replica.shouldRequestJoin(own, LocalNamespace.NONE)).isFalse();
        assertThat(replica.shouldRequestJoin(NodeAddress.of("host", 8486), LocalNamespace.NONE))
                .as("moved")
                .isTrue();

        nowNanos += LONG_ENOUGH_NANOS;
        assertThat(replica.shouldRequestJoin(own, LocalNamespace.NONE)).isTrue();
        assertThat(replica.shouldRequestJoin(own, LocalNamespace.UNKNOWN)).isFalse();
    }

    private static AppendRequest firstEntry() {
        return firstAppend(EntryKind.EPOCH_START, Bytes.EMPTY);
    }

    private static AppendRequest firstAppend(EntryKind kind, Bytes payload) {
        Entry entry = Entry.of(LogPosition.of(Epoch.of(6), 1), kind, TxRange.NONE, payload);
        return AppendRequest.of(
                Epoch.of(6), WriterId.of("writer"), 1000, LogPosition.ORIGIN, List.of(entry), LogPosition.ORIGIN, 1);
    }

    private static Epoch promiseOn(SimDisk disk) throws IOException {
        try (JournalStorage storage = disk.device().open()) {
            return storage.recoveredJournal().promise().epoch();
        }
    }

    private PoolReply promise(long epoch) {
        return replica.perform(NewEpochRequest.of(Epoch.of(epoch), WriterId.of("writer"), 1000))
                .orElseThrow();
    }

    private PoolReply status() {
        return replica.perform(StatusRequest.create()).orElseThrow();
    }
}
