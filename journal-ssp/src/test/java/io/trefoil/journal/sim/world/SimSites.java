/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.world;

import io.trefoil.journal.sim.plan.SiteMix;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which host is at which of three sites, and which sites are cut off; or one site, which nothing cuts. */
public final class SimSites {

    /** How many there are. */
    public static final int COUNT = 3;

    private final Optional<SiteMix> mix;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final Set<Integer> cutOff = new LinkedHashSet<>();

    public SimSites(Optional<SiteMix> mix) {
        this.mix = mix;
    }

    /** From now on, no message reaches or leaves a site; within it they arrive. */
    public void cutOff(int site) {
        cutOff.add(site);
    }

    /** Undoes {@link #cutOff}. */
    public void rejoin(int site) {
        cutOff.remove(site);
    }

    /** No site is cut off any more. */
    void rejoinAll() {
        cutOff.clear();
    }

    /** Whether a message that is sent now is lost between two sites. */
    boolean isCut(String from, String to) {
        int one = siteOf(from);
        int other = siteOf(to);
        return one != other && (cutOff.contains(one) || cutOff.contains(other));
    }

    /** What the way between the sites of two hosts takes. */
    long nanosBetween(String from, String to) {
        int sites = 1 << siteOf(from) | 1 << siteOf(to);
        return mix.map(distances -> 1_000L * micros(distances, sites)).orElse(0L);
    }

    private static int micros(SiteMix distances, int sites) {
        return switch (sites) {
            case 0b011 -> distances.firstToSecondMicros();
            case 0b101 -> distances.firstToThirdMicros();
            case 0b110 -> distances.secondToThirdMicros();
            default -> 0;
        };
    }

    /** Hosts have numbers in their names, and take turns. */
    private int siteOf(String host) {
        return mix.isPresent()
                ? places.computeIfAbsent(host, name -> Integer.parseInt(name.replaceAll("\\D", "")) % COUNT)
                : 0;
    }
}
