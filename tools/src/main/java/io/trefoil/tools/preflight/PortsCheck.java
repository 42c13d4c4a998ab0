/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.HostPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks whether the NameNode can listen on its addresses, and other hosts can reach it there. */
final class PortsCheck implements Check {
    private final Processes processes;

    PortsCheck(Processes processes) {
        this.processes = processes;
    }

    @Override
    public String name() {
        return "ports";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        boolean runs = processes.isRunning(Processes.NAME_NODE);
        List<PreflightFinding> findings = new ArrayList<>();
        for (Map.Entry<String, String> listener : plan.listeners().entrySet()) {
            NodeAddress endpoint = NodeAddress.parse(listener.getValue());
            findings.add(
                    isLoopbackOnly(endpoint, plan)
                            ? hiddenAddressProblem(listener.getKey(), endpoint)
                            : checkPort(listener.getKey(), endpoint, runs));
        }
        return findings;
    }

    /** Whether only this host can reach an address, although there are others: Debian and Ubuntu map a host's own name to 127.0.1.1. */
    private static boolean isLoopbackOnly(NodeAddress endpoint, HostPlan plan) {
        return isLoopback(endpoint)
                && plan.otherNodes().stream().anyMatch(other -> !isLoopback(NodeAddress.parse(other)));
    }

    private static boolean isLoopback(NodeAddress endpoint) {
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    private static PreflightFinding hiddenAddressProblem(String property, NodeAddress endpoint) {
        String address = new InetSocketAddress(endpoint.host(), endpoint.port())
                .getAddress()
                .getHostAddress();
        return PreflightFinding.problem(
                endpoint + " (" + property + ") is " + address + " on this host: no other host reaches it there",
                "give " + endpoint.host() + " the address by which others reach this host, in place of " + address
                        + " in /etc/hosts");
    }

    private static PreflightFinding checkPort(String property, NodeAddress endpoint, boolean nameNodeRuns) {
        String what = endpoint + " (" + property + ")";
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        if (address.isUnresolved()) {
            return PreflightFinding.problem(what + " has no address", "add the host to DNS or /etc/hosts");
        }
        if (!isLocal(address.getAddress())) {
            return PreflightFinding.problem(
                    what + " is not an address of this host",
                    "correct " + property + ", or /etc/hosts, which gives "
                            + address.getAddress().getHostAddress());
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            return PreflightFinding.ok(what + " is free");
        } catch (IOException taken) {
            return nameNodeRuns
                    ? PreflightFinding.ok(what + " is in use, and a NameNode runs")
                    : PreflightFinding.problem(
                            what + " is in use: " + taken.getMessage(),
                            "stop the process that has it: ss -ltnp 'sport = :" + endpoint.port() + "'");
        }
    }

    private static boolean isLocal(InetAddress address) {
        try {
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException unknown) {
            return false;
        }
    }
}
