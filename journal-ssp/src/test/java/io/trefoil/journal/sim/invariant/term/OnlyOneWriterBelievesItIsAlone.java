/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Map;
import java.util.Optional;

/** Rule L2: at any time at most one writer believes that no other writer can get a promise. */
public final class OnlyOneWriterBelievesItIsAlone implements Invariant {

    @Override
    public String name() {
        return "L2 one writer believes itself alone";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.LeaseBelieved believed) || believed.untilNanos() <= believed.nowNanos()) {
            return Optional.empty();
        }
        for (Map.Entry<WriterId, Long> other : before.believedUntilNanos().entrySet()) {
            boolean rival = !other.getKey().equals(believed.writer())
                    && !before.hasEnded(other.getKey())
                    && other.getValue() > believed.nowNanos();
            if (rival) {
                return Optional.of(believed.writer() + " believes itself alone until " + believed.untilNanos()
                        + ", and " + other.getKey() + " until " + other.getValue());
            }
        }
        return Optional.empty();
    }
}
