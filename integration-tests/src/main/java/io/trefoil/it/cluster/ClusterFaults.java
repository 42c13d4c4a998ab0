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
import io.trefoil.it.process.faults.Impairment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Faults of a cluster: hosts die, links break, disks fill up, hang and die, and ZooKeeper contains false data. */
public final class ClusterFaults {
    private final ClusterServers servers;
    /** The name that stands for the host of the harness, as no server has it. */
    private static final String CLIENTS = "clients";

    private final Network network;
    private final SmallDisks smallDisks;
    private final ClusterLayout layout;
    private final FailoverKind failover;

    ClusterFaults(
            ClusterServers servers,
            Network network,
            SmallDisks smallDisks,
            ClusterLayout layout,
            FailoverKind failover) {
        this.servers = servers;
        this.network = network;
        this.smallDisks = smallDisks;
        this.layout = layout;
        this.failover = failover;
    }

    /**
     * Kills with -9, for good, everything that would run on a NameNode's host in a real cluster: the NameNode, its failover
     * controller, and the journal's server of the same number.
     */
    public void killHostOf(NameNodeServer nameNode) {
        List<Server> host = new ArrayList<>(List.of(nameNode));
        int index = servers.nameNodes().indexOf(nameNode);
        Stream.of(servers.failoverServers(), servers.journalServers())
                .filter(servers -> index < servers.size())
                .forEach(servers -> host.add(servers.get(index)));
        ParallelActions.forEach(host, Server::kill9ForGood);
    }

    /** Deletes the active's lock in ZooKeeper, as an operator may by mistake. */
    public void deleteLock() {
        ZooKeeperServer.delete(layout, failover.lockPath(layout));
    }

    /** Creates the lock of a nonexistent ZKFC, so that no other ZKFC makes its NameNode active. */
    public void createZkfcLock() {
        byte[] nobody = new byte[0];
        String parent = "/hadoop-ha/" + layout.nameservice();
        for (String path : List.of("/hadoop-ha", parent, parent + "/ActiveStandbyElectorLock")) {
            ZooKeeperServer.create(layout, path, nobody);
        }
    }

    /** Registers a NameNode outside the group in the group's directory of ZooKeeper, as any user who can reach ZooKeeper can. */
    public void registerForeignNameNode(String name, String rpcAddress) {
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

    /** Drops packets from a host to clients on the host of the harness, but not those in the other direction. */
    public void cutLinkToClients(Server from) {
        network.cutOneWay(from.name(), CLIENTS);
    }

    /** Undoes {@link #cutLinkToClients}. */
    public void healLinkToClients(Server from) {
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

    /** Makes what one server sends to the other late and in part lost, until {@link #repairLinkOneWay}. */
    public void impairLinkOneWay(Server from, Server to, Impairment impairment) {
        network.impairOneWay(from.name(), to.name(), impairment);
    }

    /** Undoes {@link #impairLinkOneWay}. */
    public void repairLinkOneWay(Server from, Server to) {
        network.repairOneWay(from.name(), to.name());
    }

    /**
     * Refuses everything that one server sends to the host of the other, like a rejecting firewall: connections are reset, and new ones
     * are refused.
     */
    public void refuseLinkOneWay(Server from, Server to) {
        network.refuseOneWay(from.name(), to.name());
    }

    /** Undoes {@link #refuseLinkOneWay}. */
    public void acceptLinkOneWay(Server from, Server to) {
        network.acceptOneWay(from.name(), to.name());
    }

    /** Makes each host know only its own name from now on; needs hosts with names. */
    public void breakNameResolution() {
        ((NamedHosts) network).breakNameResolution();
    }

    /**
     * Makes a host vanish silently, and reappear under its name, but at another address, with the next start of its server; needs hosts
     * with names. The harness finds it there; clients that it has made before do not.
     */
    public void moveHost(NameNodeServer nameNode) {
        ((NamedHosts) network).moveHost(nameNode.name());
        nameNode.refreshAddress();
    }

    /** Pulls a host's network cable; clients of the harness do not reach it either. */
    public void isolate(Server server) {
        network.unplug(server.name());
    }

    /** Plugs the cable in again. */
    public void reconnect(Server server) {
        network.plugIn(server.name());
    }

    /** Fills the small disk of the server. */
    public void fillDisk(Server server) {
        smallDisks.diskOf(server).fill();
    }

    /** Frees the space that {@link #fillDisk} took. */
    public void freeDisk(Server server) {
        smallDisks.diskOf(server).free();
    }

    /** Makes writers to the server's small disk hang until {@link #releaseDisk}; until then, not even a kill affects them. */
    public void hangDisk(Server server) {
        smallDisks.diskOf(server).hang();
    }

    /** Makes each write to the server's small disk take about two seconds, until {@link #releaseDisk}. */
    public void slowDisk(Server server) {
        smallDisks.diskOf(server).slowDown();
    }

    /** Limits the writes that the server's small disk takes in a second, until {@link #releaseDisk}. */
    public void throttleDisk(Server server, int writesPerSecond) {
        smallDisks.diskOf(server).throttle(writesPerSecond);
    }

    /** Makes a small disk that hangs or is slow work again. */
    public void releaseDisk(Server server) {
        smallDisks.diskOf(server).resume();
    }

    /**
     * Makes every sync of the server's small disk fail with an I/O error although writes seem to succeed, and the disk read-only seconds
     * later, until {@link #repairDisk}.
     */
    public void failDisk(Server server) {
        smallDisks.diskOf(server).fail();
    }

    /**
     * Makes the small disk of a stopped server as good as new. It holds what had reached its medium: what was written
     * but never synced may be gone.
     */
    public void repairDisk(Server server) {
        if (server.isAlive()) {
            throw new IllegalStateException(server + " runs; its disk is repaired while it is down");
        }
        smallDisks.diskOf(server).repair();
    }
}
