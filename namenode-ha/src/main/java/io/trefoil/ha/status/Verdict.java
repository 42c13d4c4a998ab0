/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The state of a nameservice in one sentence, and all its problems. Immutable. */
@AutoValue
public abstract class Verdict {

    public static Verdict of(GroupObservation group) {
        Findings findings = new Findings(group);
        List<Finding> outages = findings.outages();
        List<Finding> all = new ArrayList<>(outages);
        all.addAll(findings.others());
        int mayLose = outages.isEmpty() ? countToleratedFailures(group) : 0;
        HealthLevel level = !outages.isEmpty()
                ? HealthLevel.DOWN
                : all.isEmpty() && mayLose > 0 ? HealthLevel.HEALTHY : HealthLevel.DEGRADED;
        return new AutoValue_Verdict(
                level, sentence(group, level, all, mayLose), mayLose, Collections.unmodifiableList(all));
    }

    public abstract HealthLevel level();

    /** The verdict, without a full stop. */
    public abstract String sentence();

    /**
     * Returns how many more nodes may fail, one after the other, while clients are still served; a host's NameNode and pool
     * node count as one.
     */
    public abstract int toleratedFailures();

    /** The findings, worst first. */
    public abstract List<Finding> findings();

    /** Counts two reserves, both of which must remain: a majority of the pool, and a NameNode that can be active and is not drained. */
    private static int countToleratedFailures(GroupObservation group) {
        int successors =
                group.isZooKeeperReachable() ? group.undrainedSuccessors().size() : 0;
        return Math.max(0, Math.min(group.journalReserve(), successors));
    }

    private static String sentence(GroupObservation group, HealthLevel level, List<Finding> findings, int mayLose) {
        String begin = level.label() + ": ";
        switch (level) {
            case HEALTHY:
                return begin + group.actives().get(0).name() + " is active; may lose " + morePhrase(mayLose);
            case DEGRADED:
                return begin
                        + (findings.isEmpty()
                                ? group.actives().get(0).name() + " is active"
                                : findings.get(0).problem() + others(findings))
                        + "; may lose " + morePhrase(mayLose);
            default:
                return begin + findings.get(0).problem();
        }
    }

    private static String others(List<Finding> findings) {
        int count = findings.size() - 1;
        return count == 0 ? "" : ", and " + count + " more " + (count == 1 ? "finding" : "findings");
    }

    private static String morePhrase(int count) {
        switch (count) {
            case 0:
                return "no more nodes";
            case 1:
                return "one more node";
            case 2:
                return "two more nodes";
            default:
                return count + " more nodes";
        }
    }
}
