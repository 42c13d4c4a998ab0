/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the voters of a journal are spread over sites, and which sites it cannot lose. With all of them in one site it stands and
 * falls with that one, which is a choice; with voters in three or more none need be fatal. In two, one always is. Immutable.
 */
public final class VoterSites {
    private final Map<String, Integer> counts = new TreeMap<>();
    private final int voters;

    private VoterSites(Collection<String> sites) {
        sites.forEach(site -> counts.merge(site, 1, Integer::sum));
        this.voters = sites.size();
    }

    /** @param sites one for each voter; empty if it is not known */
    public static VoterSites of(Collection<String> sites) {
        return new VoterSites(sites);
    }

    /** Where the voters are that the others are no majority without; none if all are in one site, or the site of one is not known. */
    public List<String> fatal() {
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

    /** As {@code east 1, west 2}. */
    public String text() {
        List<String> parts = new ArrayList<>();
        counts.forEach((site, count) -> parts.add(site + " " + count));
        return String.join(", ", parts);
    }

    /** What follows from {@link #fatal}, as a clause; empty if nothing does. */
    public String warning() {
        List<String> fatal = fatal();
        if (fatal.isEmpty()) {
            return "";
        }
        return "the voters are in " + counts.size() + " sites (" + text() + "), and the loss of "
                + (fatal.size() == 1 ? fatal.get(0) : "any of " + String.join(", ", fatal)) + " stops the journal";
    }

    /** What to do about it, a sentence without its full stop. */
    public static String advice() {
        return "Put all voters in one site and learners in the others, or voters in three sites of which any two have a majority";
    }
}
