/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.ha.status.VoterSites;
import io.trefoil.tools.cluster.HostPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** Checks whether the journal survives the loss of a site, as far as the configuration can tell: it does not name the voters. */
final class SitesCheck implements Check {

    @Override
    public String name() {
        return "sites";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        TreeSet<String> sites = new TreeSet<>(plan.sites().values());
        if (sites.size() == 1 && sites.contains("")) {
            return Collections.emptyList();
        }
        List<PreflightFinding> findings = new ArrayList<>();
        plan.sites().forEach((node, site) -> {
            if (site.isEmpty()) {
                findings.add(PreflightFinding.note(
                        "the site of pool node " + node + " is not configured",
                        "set trefoil.ha.site of its NameNode, or trefoil.ha.pool.sites"));
            }
        });
        String warning = VoterSites.of(plan.sites().values()).warning();
        if (!warning.isEmpty()) {
            findings.add(PreflightFinding.note("if all nodes of the journal vote, " + warning, VoterSites.advice()));
        } else if (findings.isEmpty()) {
            findings.add(PreflightFinding.ok(
                    sites.size() == 1
                            ? "all nodes of the journal are in site " + sites.first()
                            : "the journal may lose any one of its sites, " + String.join(", ", sites)));
        }
        return findings;
    }
}
