/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import io.trefoil.it.cluster.ClusterFaults;
import io.trefoil.it.cluster.server.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Directions in which packets between hosts vanish without a word. */
public record LinkCut(String name, List<Direction> directions) {
    /** What one host says to another. */
    record Direction(Server from, Server to) {}

    public LinkCut {
        directions = List.copyOf(directions);
    }

    /** Nothing that a host says arrives at another, of which it hears all. */
    public static LinkCut oneWay(Server from, Server to) {
        return new LinkCut(from + " to " + to, List.of(new Direction(from, to)));
    }

    /** Two hosts do not hear each other. */
    public static LinkCut bothWays(Server one, Server otherServer) {
        return new LinkCut(
                "between " + one + " and " + otherServer,
                List.of(new Direction(one, otherServer), new Direction(otherServer, one)));
    }

    /** A host and the others do not hear each other. */
    public static LinkCut isolating(Server host, List<? extends Server> otherServers) {
        return new LinkCut(
                "around " + host,
                otherServers.stream()
                        .flatMap(other -> bothWays(host, other).directions().stream())
                        .toList());
    }

    /** None of the others hears a host, which hears them all. */
    public static LinkCut muteHost(Server host, List<? extends Server> otherServers) {
        return new LinkCut(
                host + " to all others",
                otherServers.stream().map(other -> new Direction(host, other)).toList());
    }

    /** A host hears none of the others, which all hear it. */
    public static LinkCut deafenHost(Server host, List<? extends Server> otherServers) {
        return new LinkCut(
                "all others to " + host,
                otherServers.stream().map(other -> new Direction(other, host)).toList());
    }

    /** Each pair of hosts, in each direction and in both. */
    public static List<LinkCut> cutsOfEachPair(List<? extends Server> hosts) {
        List<LinkCut> cuts = new ArrayList<>();
        for (Server one : hosts) {
            for (Server otherServer : hosts.subList(hosts.indexOf(one) + 1, hosts.size())) {
                Stream.of(oneWay(one, otherServer), oneWay(otherServer, one), bothWays(one, otherServer))
                        .forEach(cuts::add);
            }
        }
        return cuts;
    }

    /** Whether a host is at an end of what is cut. */
    public boolean touches(Server host) {
        return directions.stream().anyMatch(one -> one.from() == host || one.to() == host);
    }

    /** From now on packets vanish. */
    public void strike(ClusterFaults faults) {
        directions.forEach(one -> faults.cutLinkOneWay(one.from(), one.to()));
    }

    /** They arrive again. */
    public void heal(ClusterFaults faults) {
        directions.forEach(one -> faults.healLinkOneWay(one.from(), one.to()));
    }

    @Override
    public String toString() {
        return name;
    }
}
