/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.foundation.linkage.MissingMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Checks whether the Hadoop on this host's class path has every member that our jars use: a vendor's build may differ from
 * Apache's of the same number.
 */
final class LinkageCheck {
    static final String NAME = "linkage";

    private final String hadoop;
    private final Supplier<? extends Collection<MissingMember>> missing;

    /** @param hadoop its release, for people */
    LinkageCheck(String hadoop, Supplier<? extends Collection<MissingMember>> missing) {
        this.hadoop = hadoop;
        this.missing = missing;
    }

    /** A finding for each missing member. */
    List<PreflightFinding> findings() {
        List<PreflightFinding> findings = new ArrayList<>();
        for (MissingMember each : missing.get()) {
            String text = "Hadoop " + hadoop + " lacks " + each;
            findings.add(
                    isSubtreeFeature(each)
                            ? PreflightFinding.note(text, "do not use subtrees of a federation here")
                            : PreflightFinding.problem(
                                    text,
                                    "install Apache Hadoop 3.1.4 to 3.5.0 or a vendor's build of these, or report this"
                                            + " line with the vendor's version"));
        }
        if (findings.isEmpty()) {
            findings.add(PreflightFinding.ok("Hadoop " + hadoop + " has everything that Trefoil uses of it"));
        }
        return findings;
    }

    /** Whether a member is used only for subtrees, which are off by default, and depend most on members that are new in Hadoop. */
    private static boolean isSubtreeFeature(MissingMember member) {
        return member.usingClass().startsWith("io.trefoil.federation.")
                || member.usingClass().contains(".subtree.");
    }
}
