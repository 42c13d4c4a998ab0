/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.host.NamedHosts;
import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.ZooKeeperServer;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Faults of a cluster: hosts die, links break, disks fill up, hang and die, and ZooKeeper shows what is not true. */
public final class ClusterFaults {
    private final ClusterServers roster;
    /** No server has this name, so it stands for the host of the harness. */
    private static final String CLIENTS = "clients";

    private final Network network;
    private final SmallDisks smallDisks;
    private final ClusterLayout layout;
    private final FailoverKind failover;

    ClusterFaults(
            ClusterServers roster,
            Network network,
            SmallDisks smallDisks,
            ClusterLayout layout,
            FailoverKind failover) {
        this.roster = roster;
        this.network = network;
        this.smallDisks = smallDisks;
        this.layout = layout;
        this.failover = failover;
    }

    /**
     * Kills with -9, for good, everything that a real cluster runs on a NameNode's host: the NameNode, its failover
     * controller, and the journal's server of the same number.
     */
    public void killHostOf(NameNodeServer nameNode) {
        List<Server> host = new ArrayList<>(List.of(nameNode));
        int index = roster.nameNodes().indexOf(nameNode);
        Stream.of(roster.failoverServers(), roster.journalServers())
                .filter(servers -> index < servers.size())
                .forEach(servers -> host.add(servers.get(index)));
        ParallelActions.forEach(host, Server::kill9ForGood);
    }

    /** Deletes the active's lock in ZooKeeper, as an operator may by mistake. */
    public void deleteLock() {
        ZooKeeperServer.delete(layout, failover.lockPath(layout));
    }

    /** Shows the lock of a ZKFC that is not there, so that no other ZKFC makes its NameNode active. */
    public void showLockOfZkfc() {
        byte[] nobody = new byte[0];
        String parent = "/hadoop-ha/" + layout.nameservice();
        for (String path : List.of("/hadoop-ha", parent, parent + "/ActiveStandbyElectorLock")) {
            ZooKeeperServer.create(layout, path, nobody);
        }
    }

    /** Registers a NameNode outside the group in the group's folder of ZooKeeper, as anybody who reaches ZooKeeper can. */
    public void showStranger(String name, String rpcAddress) {
        String record = "{\"name\":\"" + name + "\",\"state\":\"JUNIOR\",\"role\":\"STANDBY\",\"eligible\":false,"
                + "\"reason\":\"\",\"rpc\":\"" + rpcAddress + "\",\"http\":\"" + rpcAddress
                + "\",\"pool\":\"\",\"version\":\"1\"}";
        ZooKeeperServer.create(
                layout,
                "/trefoil/" + layout.nameservice() + "/members/" + name,
                record.getBytes(StandardCharsets.UTF_8));
    }

    /** Cuts the link between two hosts, both ways. Packets vanish without an error. */
    public void cutLink(Server one, Server other) {
        network.cutOneWay(one.name(), other.name());
        network.cutOneWay(other.name(), one.name());
    }

    /** Cuts the link in one direction only. */
    public void cutLinkOneWay(Server from, Server to) {
        network.cutOneWay(from.name(), to.name());
    }

    /** Drops what a host says to clients on the host of the harness, which it still hears. */
    public void cutToClients(Server from) {
        network.cutOneWay(from.name(), CLIENTS);
    }

    /** Undoes {@link #cutToClients}. */
    public void healToClients(Server from) {
        network.healOneWay(from.name(), CLIENTS);
    }

    /** Heals a link that was cut both ways. */
    public void healLink(Server one, Server other) {
        network.healOneWay(one.name(), other.name());
        network.healOneWay(other.name(), one.name());
    }

    /** Heals a link that was cut in one direction. */
    public void healLinkOneWay(Server from, Server to) {
        network.healOneWay(from.name(), to.name());
    }

    /**
     * Refuses everything that one server sends to the host of the other, as a firewall that rejects: connections are reset, and new ones
     * are refused.
     */
    public void refuseLinkOneWay(Server from, Server to) {
        network.refuseOneWay(from.name(), to.name());
    }

    /** Undoes {@link #refuseLinkOneWay}. */
    public void acceptLinkOneWay(Server from, Server to) {
        network.acceptOneWay(from.name(), to.name());
    }

    /** From now on each host knows no other name than its own; needs hosts with names. */
    public void loseNames() {
        ((NamedHosts) network).loseNames();
    }

    /**
     * A host vanishes without a word, and has another address from the next start of its server on, under its name; needs hosts with
     * names. The harness finds it there; clients that it has made before do not.
     */
    public void move(NameNodeServer nameNode) {
        ((NamedHosts) network).move(nameNode.name());
        nameNode.moved();
    }

    /** Pulls a host's network cable; clients of the harness do not reach it either. */
    public void isolate(Server server) {
        network.unplug(server.name());
    }

    /** Plugs the cable in again. */
    public void rejoin(Server server) {
        network.plugIn(server.name());
    }

    /** Fills the small disk of the server. */
    public void fillDisk(Server server) {
        smallDisks.of(server).fill();
    }

    /** Frees the space that {@link #fillDisk} took. */
    public void freeDisk(Server server) {
        smallDisks.of(server).free();
    }

    /** Writers to the server's small disk wait until {@link #releaseDisk}; until then not even a kill reaches them. */
    public void hangDisk(Server server) {
        smallDisks.of(server).hang();
    }

    /** Each write to the server's small disk takes about two seconds, until {@link #releaseDisk}. */
    public void slowDisk(Server server) {
        smallDisks.of(server).beSlow();
    }

    /** A small disk that hangs or is slow works again. */
    public void releaseDisk(Server server) {
        smallDisks.of(server).goOn();
    }

    /**
     * Every sync of the server's small disk fails with an I/O error though writes seem to succeed, and seconds later
     * the disk is read-only, until {@link #repairDisk}.
     */
    public void letDiskDie(Server server) {
        smallDisks.of(server).die();
    }

    /**
     * Makes the small disk of a stopped server as good as new. It holds what had reached its medium: what was written
     * but never synced may be gone.
     */
    public void repairDisk(Server server) {
        if (server.isAlive()) {
            throw new IllegalStateException(server + " runs; its disk is repaired while it is down");
        }
        smallDisks.of(server).repair();
    }
}
