/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Rule L3: a read by a lease shows everything that any client, anywhere, had been told before the read began. */
public final class NearReadsSeeReportedCommits implements Invariant {

    @Override
    public String name() {
        return "L3 near reads see what was told";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        return fact instanceof Fact.NearRead read && read.servedSn() < read.toldSn()
                ? Optional.of("a read beside " + read.at() + " shows entries up to " + read.servedSn() + ", and "
                        + read.toldSn() + " was told before")
                : Optional.empty();
    }
}
