/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.writer.WriterState;
import java.util.Optional;

/** What rules R7, R8 and R10 say of the log that a writer has written. */
final class WriterChecks {

    private WriterChecks() {}

    static Optional<String> findViolation(WriterState state) {
        LogSummary end = state.end();
        for (Barrier barrier : end.barriers().list()) {
            if (barrier.txId() > end.lastTxId()) {
                return Optional.of("R10: barrier " + barrier + " survives its line, which ends at " + end.lastTxId());
            }
        }
        return Optional.empty();
    }

    /** What new members break that follow others in one log. */
    static Optional<String> findViolation(Members before, Members after, boolean isAdditionWanted) {
        for (Member member : after.list()) {
            if (before.isRetired(member.id())) {
                return Optional.of("R8: " + member.id() + " retired, and is a member");
            }
            if (before.isRemovedByOperator(member.address()) && !isAdditionWanted) {
                return Optional.of("R7: " + member.address() + " was removed, and is back though nobody asked for it");
            }
        }
        return Optional.empty();
    }
}
