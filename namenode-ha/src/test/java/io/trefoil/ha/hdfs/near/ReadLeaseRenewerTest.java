/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.replica.AcknowledgedLog;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When an observer may answer reads, by a clock of the test. */
class ReadLeaseRenewerTest {
    private static final NodeId OWN = NodeId.of("own");
    private static final Epoch EPOCH = Epoch.of(7);
    private static final long MILLI = 1_000_000L;

    private final List<CompletableFuture<Bytes>> asked = new ArrayList<>();
    private final List<Bytes> questions = new ArrayList<>();
    private long nowMillis = 10_000;
    private long wallMillis = 1_000_000;
    private boolean observer = true;
    private Optional<AcknowledgedLog> log = Optional.of(AcknowledgedLog.of(OWN, EPOCH, 40));
    /** What comes between the two looks at lease and log. */
    private Runnable meanwhile = () -> {};

    private final ReadLeaseRenewer keeper = new ReadLeaseRenewer(
            () -> observer,
            this::pollLog,
            () -> Optional.of(NodeAddress.of("active", 1)),
            (node, question) -> {
                questions.add(question);
                asked.add(new CompletableFuture<>());
                return asked.get(asked.size() - 1);
            },
            () -> nowMillis * MILLI,
            () -> wallMillis);

    private Optional<AcknowledgedLog> pollLog() {
        Optional<AcknowledgedLog> seen = log;
        meanwhile.run();
        return seen;
    }

    private void advanceMillis(long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            nowMillis += 10;
            wallMillis += 10;
            keeper.tick();
        }
    }

    private void grant(int question) {
        asked.get(question).complete(ReadLeaseCodec.encodeAnswer(Optional.of(EPOCH)));
    }

    @Test
    void readNeedsTransactionsNodeHoldsAtArrival() {
        assertThat(keeper.requiredTxId()).isEmpty();
        keeper.tick();
        assertThat(ReadLeaseCodec.decodeNode(questions.get(0))).isEqualTo(OWN);
        grant(0);

        assertThat(keeper.requiredTxId()).hasValue(40);
        log = Optional.of(AcknowledgedLog.of(OWN, EPOCH, 41));
        assertThat(keeper.requiredTxId()).hasValue(41);
    }

    @Test
    void leaseCountsFromRequestTime() {
        keeper.tick();
        advanceMillis(100);
        grant(0);

        advanceMillis(ReadLeases.USED_MILLIS - 110);
        assertThat(keeper.requiredTxId()).isPresent();
        advanceMillis(10);
        assertThat(keeper.requiredTxId()).isEmpty();
    }

    @Test
    void earlierLeaseDoesNotReplaceLaterLease() {
        keeper.tick();
        advanceMillis(ReadLeases.USED_MILLIS / 4);
        grant(1);
        grant(0);

        advanceMillis(ReadLeases.USED_MILLIS - 10);
        assertThat(keeper.requiredTxId()).isPresent();
    }

    @Test
    void leaseOfFormerWriterIsVoid() {
        keeper.tick();
        grant(0);

        log = Optional.of(AcknowledgedLog.of(OWN, EPOCH.next(), 41));

        assertThat(keeper.requiredTxId()).isEmpty();
    }

    /** Granted is a lease of a node that has what was told until then; what was seen of its log before may lack it. */
    @Test
    void leaseGrantedDuringLogLookupDoesNotCoverRead() {
        keeper.tick();
        meanwhile = () -> {
            log = Optional.of(AcknowledgedLog.of(OWN, EPOCH, 41));
            grant(0);
        };

        assertThat(keeper.requiredTxId()).isEmpty();
    }

    @Test
    void leaseIsVoidWhenNodeStorageIsReplaced() {
        keeper.tick();
        grant(0);

        log = Optional.of(AcknowledgedLog.of(NodeId.of("exchanged"), EPOCH, 40));

        assertThat(keeper.requiredTxId()).isEmpty();
    }

    @Test
    void nodeMissingEntriesDoesNotServeReads() {
        keeper.tick();
        grant(0);

        log = Optional.empty();

        assertThat(keeper.requiredTxId()).isEmpty();
    }

    @Test
    void suspendedHostHasNoLease() {
        keeper.tick();
        grant(0);
        advanceMillis(20);
        assertThat(keeper.requiredTxId()).isPresent();

        wallMillis += 60_000;

        assertThat(keeper.requiredTxId()).isEmpty();
        advanceMillis(ReadLeases.USED_MILLIS / 4);
        grant(1);
        assertThat(keeper.requiredTxId()).isPresent();
    }

    @Test
    void refusalAndAnswerOfOlderActiveDoNotGrantLease() {
        keeper.tick();
        asked.get(0).complete(ReadLeaseCodec.encodeAnswer(Optional.empty()));
        assertThat(keeper.requiredTxId()).isEmpty();

        advanceMillis(ReadLeases.USED_MILLIS / 4);
        asked.get(1).complete(Bytes.wrap(new byte[] {1, 3, 0, 0, 0, 0, 0, 0, 0, 7}));
        assertThat(keeper.requiredTxId()).isEmpty();
    }

    @Test
    void onlyObserverRequestsLeases() {
        observer = false;
        advanceMillis(1_000);

        assertThat(questions).isEmpty();
    }

    @Test
    void cancelsOverdueLeaseRequests() {
        keeper.tick();
        advanceMillis(2 * ReadLeases.USED_MILLIS);

        assertThat(asked.get(0)).isCancelled();
        assertThat(asked.get(asked.size() - 1)).isNotDone();
    }
}
