/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes how the voters of a journal are spread over sites, and which sites it cannot lose. With all voters in one site, the
 * journal depends on that site, which is a choice. In two sites, one is always fatal; with three or more, none need be.
 * Immutable.
 */
public final class VoterSites {
    private final Map<String, Integer> counts = new TreeMap<>();
    private final int voters;

    private VoterSites(Collection<String> sites) {
        sites.forEach(site -> counts.merge(site, 1, Integer::sum));
        this.voters = sites.size();
    }

    /** @param sites the site of each voter; empty if it is not known */
    public static VoterSites of(Collection<String> sites) {
        return new VoterSites(sites);
    }

    /** The sites without whose voters there is no majority. None if all voters are in one site, or the site of one is not known. */
    public List<String> indispensableSites() {
        List<String> fatal = new ArrayList<>();
        if (counts.containsKey("") || counts.size() < 2) {
            return fatal;
        }
        int majority = voters / 2 + 1;
        counts.forEach((site, count) -> {
            if (voters - count < majority) {
                fatal.add(site);
            }
        });
        return fatal;
    }

    /** The voters per site, such as {@code east 1, west 2}. */
    public String text() {
        List<String> parts = new ArrayList<>();
        counts.forEach((site, count) -> parts.add(site + " " + count));
        return String.join(", ", parts);
    }

    /** The consequence of {@link #indispensableSites}, as a clause; empty if there is none. */
    public String warning() {
        List<String> fatal = indispensableSites();
        if (fatal.isEmpty()) {
            return "";
        }
        return "the voters are in " + counts.size() + " sites (" + text() + "), and the loss of "
                + (fatal.size() == 1 ? fatal.get(0) : "any of " + String.join(", ", fatal)) + " stops the journal";
    }

    /** The advice on the sites of voters; a sentence without its full stop. */
    public static String advice() {
        return "Put all voters in one site and learners in the others, or voters in three sites of which any two have a majority";
    }
}
