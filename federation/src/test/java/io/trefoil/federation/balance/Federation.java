/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nameservices with directories whose loads are known exactly. Immutable. */
record Federation(Set<String> nameservices, SubtreeTable table, Map<SubtreePath, Load> directories) {
    static final SubtreePath KEPT = SubtreePath.parse("/.trefoil/subtrees");

    /** All directories with one nameservice. */
    static Federation of(Set<String> nameservices, Map<SubtreePath, Load> directories) {
        String first = new TreeSet<>(nameservices).first();
        return new Federation(nameservices, SubtreeTable.first("cluster", first), directories);
    }

    static Load load(double operations, double inodes, double blocks) {
        return Load.builder()
                .operations(operations)
                .inodes(inodes)
                .blocks(blocks)
                .build();
    }

    Federation with(SubtreePath path, String owner) throws TableRefusedException {
        return new Federation(
                nameservices,
                TableChange.assignOwner(table, path, owner).applyTo(table, nameservices, KEPT),
                directories);
    }

    Balance balance() {
        Map<String, Load> loads = new TreeMap<>();
        nameservices.forEach(one -> loads.put(one, Load.NONE));
        directories.forEach((path, load) -> loads.merge(table.ownerOf(path), load, Load::plus));
        return Balance.of(loads);
    }

    /** All directories, and all above them. */
    List<Candidate> candidates() {
        Set<SubtreePath> paths = new TreeSet<>();
        for (SubtreePath directory : directories.keySet()) {
            for (SubtreePath path = directory; !path.isRoot(); path = path.parent()) {
                paths.add(path);
            }
        }
        List<Candidate> candidates = new ArrayList<>();
        for (SubtreePath path : paths) {
            Load load = directories.entrySet().stream()
                    .filter(one -> one.getKey().isWithin(path))
                    .map(Map.Entry::getValue)
                    .reduce(Load.NONE, Load::plus);
            candidates.add(Candidate.of(path, load));
        }
        return candidates;
    }

    BalancePlan plan(PlanLimits limits) {
        return BalancePlan.of(balance(), table, KEPT, candidates(), limits);
    }
}
