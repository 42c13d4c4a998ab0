/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.invariant.term.PromisesOnlyGrow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers are reported after all requests that came together; one of these may have moved the storage aside. */
class VotesTest {
    private static final NodeAddress PLACE = NodeAddress.of("node1", 8485);
    private static final NodeId STORAGE = NodeId.of("storage-1");
    private static final Epoch EPOCH = Epoch.of(6);
    private static final WriterId WRITER = WriterId.of("writer");

    private final SimLedger ledger = new SimLedger();

    VotesTest() {
        ledger.add(new Fact.Formatted(PLACE, STORAGE, LogSummary.ORIGIN, List.of()));
        ledger.add(new Fact.PromiseSaved(PLACE, STORAGE, Promise.of(EPOCH, WRITER, 300), LogCompleteness.COMPLETE));
        ledger.add(new Fact.StorageRemoved(PLACE));
    }

    @Test
    void acceptsPromiseMadeBeforeStorageMovedAsideInSameGroup() {
        assertThat(judge(new NodeIdsAreNeverReused(), Optional.of(STORAGE))).isEmpty();
        assertThat(judge(new PromisesOnlyGrow(), Optional.of(STORAGE))).isEmpty();
    }

    @Test
    void rejectsPromiseOfReplacedStorage() {
        assertThat(judge(new NodeIdsAreNeverReused(), Optional.empty())).isPresent();
    }

    private Optional<String> judge(Invariant invariant, Optional<NodeId> before) {
        PromiseReply reply =
                PromiseReply.of(STORAGE, EPOCH, LogSummary.ORIGIN, 0, LogPosition.ORIGIN, 1, LogCompleteness.COMPLETE);
        return invariant.judge(
                new Fact.Answered(PLACE, 1, before, Epoch.of(5), NewEpochRequest.of(EPOCH, WRITER, 300), reply),
                ledger);
    }
}
