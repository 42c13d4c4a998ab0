/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/**
 * Rule L1: a voter that acknowledged an append promises nothing higher before the lease has expired,
 * unless the old writer has ended.
 */
public final class LeaseIsKept implements Invariant {

    @Override
    public String name() {
        return "L1 a lease is kept";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Answered answered
                && answered.reply() instanceof PromiseReply
                && answered.request() instanceof NewEpochRequest request) {
            return before.votingDisk(answered).flatMap(disk -> judge(answered, request, disk, before));
        }
        return Optional.empty();
    }

    private static Optional<String> judge(
            Fact.Answered answered, NewEpochRequest request, SimLedger.Disk disk, SimLedger before) {
        return disk.leasedTo()
                .filter(lease -> lease.epoch().isBelow(request.epoch())
                        && !lease.writer().equals(request.writer())
                        && !before.hasEnded(lease.writer())
                        && answered.atNanos() < disk.leasedUntilNanos())
                .map(lease -> answered.at() + " promises epoch " + request.epoch() + " at " + answered.atNanos()
                        + ", the lease of " + lease.writer() + " runs until " + disk.leasedUntilNanos());
    }
}
