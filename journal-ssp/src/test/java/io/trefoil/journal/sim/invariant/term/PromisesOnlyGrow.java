/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Rule R1: a node never acts on an epoch below the one it promised, and stores a promise before it answers. */
public final class PromisesOnlyGrow implements Invariant {

    @Override
    public String name() {
        return "R1 promises only grow";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.PromiseSaved saved) {
            return findLowerPromise(before.disk(saved.at()), saved.promise());
        }
        if (fact instanceof Fact.Opened opened) {
            return findLowerPromise(before.disk(opened.node()), opened.promise());
        }
        return fact instanceof Fact.Answered answered ? judge(answered, before) : Optional.empty();
    }

    private static Optional<String> findLowerPromise(Optional<SimLedger.Disk> known, Promise promise) {
        return known.filter(disk -> promise.epoch().isBelow(disk.promise().epoch()))
                .map(disk -> disk.node() + " promised " + disk.promise() + ", now " + promise);
    }

    private static Optional<String> judge(Fact.Answered answered, SimLedger before) {
        if (answered.reply() instanceof PromiseReply reply
                && reply.epoch().isAbove(promisedEpoch(reply.node(), before))) {
            return Optional.of(answered.at() + " answers with a promise of " + reply.epoch() + ", on its disk is "
                    + promisedEpoch(reply.node(), before));
        }
        if (answered.reply() instanceof AppendedReply reply
                && reply.epoch().isAbove(promisedEpoch(reply.node(), before))) {
            return Optional.of(answered.at() + " accepted an append of epoch " + reply.epoch() + ", on its disk is "
                    + promisedEpoch(reply.node(), before));
        }
        if (answered.reply() instanceof AppendedReply reply
                && answered.before().equals(Optional.of(reply.node()))
                && reply.epoch().isBelow(answered.promisedBefore())) {
            return Optional.of(answered.at() + " promised " + answered.promisedBefore()
                    + " and accepted an append of epoch " + reply.epoch());
        }
        return Optional.empty();
    }

    /** By storage, not by address: the storage may have been moved aside together with this answer. */
    private static Epoch promisedEpoch(NodeId node, SimLedger before) {
        return before.disk(node).map(disk -> disk.promise().epoch()).orElse(Epoch.NONE);
    }
}
