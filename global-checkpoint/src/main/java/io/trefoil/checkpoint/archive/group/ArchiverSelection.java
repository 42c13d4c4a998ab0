/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.group;

import java.util.Collection;
import java.util.Comparator;

/**
 * Chooses the member that archives: one that can, and that is not the active where there is another; of several equally good ones, the
 * present writer, and of two present writers, the one with the first name. So whatever they hear of one another, one is left that archives;
 * while they do not hear of one another, each does.
 */
public final class ArchiverSelection {

    private static final Comparator<ArchivingMember> BEST_FIRST = Comparator.comparing(ArchivingMember::failing)
            .thenComparing(ArchivingMember::active)
            .thenComparing(member -> !member.archiving())
            .thenComparing(ArchivingMember::name);

    private ArchiverSelection() {}

    /** @param others those that answered */
    public static boolean isChosen(ArchivingMember own, Collection<ArchivingMember> others) {
        return others.stream().noneMatch(other -> BEST_FIRST.compare(other, own) < 0);
    }
}
