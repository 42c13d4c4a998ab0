/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The spread of the load over the nameservices. The <em>pressure</em> on one is the largest of its three shares, those
 * of operations, inodes and blocks, as a multiple of a fair share: 1 if it has just that, as many as there are
 * nameservices if it has all. Immutable.
 */
public final class Balance {
    private final SortedMap<String, Load> loads;
    /** The total load before any move: moves only shift it, even if they were estimated badly. */
    private final Load total;

    private Balance(SortedMap<String, Load> loads, Load total) {
        this.loads = Collections.unmodifiableSortedMap(loads);
        this.total = total;
    }

    /** @param loads by nameservice */
    public static Balance of(Map<String, Load> loads) {
        Load total = Load.NONE;
        for (Load each : loads.values()) {
            total = total.plus(each);
        }
        return new Balance(new TreeMap<>(loads), total);
    }

    /** The load of each nameservice. */
    public SortedMap<String, Load> loads() {
        return loads;
    }

    public double pressure(String nameservice) {
        return shareOfTotal(loads.get(nameservice)).largest() * loads.size();
    }

    /** The highest of all. */
    public double highestPressure() {
        return loads.keySet().stream().mapToDouble(this::pressure).max().orElse(0);
    }

    /** The shares of the total that a load makes up, from 0 to 1. */
    public Load shareOfTotal(Load load) {
        return load.dividedBy(total);
    }

    /** The nameservices, the one under the highest pressure first. */
    List<String> byDescendingPressure() {
        return loads.keySet().stream()
                .sorted(Comparator.comparingDouble(this::pressure).reversed())
                .collect(Collectors.toList());
    }

    /** A copy of this balance after a load has gone from one nameservice to another. */
    Balance withMove(Load load, String from, String to) {
        SortedMap<String, Load> next = new TreeMap<>(loads);
        next.put(from, loads.get(from).minus(load));
        next.put(to, loads.get(to).plus(load));
        return new Balance(next, total);
    }
}
