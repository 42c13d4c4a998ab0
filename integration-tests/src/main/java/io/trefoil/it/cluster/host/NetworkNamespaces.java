/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.process.Shell;
import io.trefoil.it.process.faults.ImpairedPath;
import io.trefoil.it.process.faults.Impairment;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts each server on its own host: a Linux network namespace, joined to the others and to the harness by a
 * bridge. Needs root and the {@code ip} command.
 *
 * <p>A link is cut by telling one side a wrong hardware address for the other: its packets go out and no host accepts
 * them, as if a switch lost them. This needs no packet filter, and the two directions are independent.
 *
 * <p>All names contain the id of this process; the next run removes what a killed one left behind.
 */
public final class NetworkNamespaces implements Network {
    private static final Pattern OUR_NAMES = Pattern.compile("\\btf([0-9a-z]+)X[0-9]+[0-9a-z-]*");
    private static final AtomicInteger CREATED = new AtomicInteger();
    /** A locally administered hardware address that no host has. */
    private static final String NOBODY = "02:00:00:00:de:ad";

    /** The hardware address of the receiving end of a tunnel; each is in a network of its own. */
    private static final String TUNNEL_END = "02:00:00:00:00:01";

    private static final int HARNESS = 254;
    /** The port of VXLAN (RFC 7348). */
    private static final int TUNNEL_PORT = 4789;

    private final String prefix =
            "tf" + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX) + "X" + CREATED.incrementAndGet();
    private final String subnet;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, String> guests = new HashMap<>();
    private final Map<String, ImpairedPath> impaired = new HashMap<>();

    public NetworkNamespaces() {
        if (!Shell.isRoot()) {
            throw new IllegalStateException("network namespaces need root; without it use the loopback network");
        }
        removeLeftovers();
        subnet = freeSubnet();
        Shell.run(
                """
                ip link add %1$s type bridge
                ip addr add %2$s.%3$d/24 dev %1$s
                ip link set %1$s up
                """
                        .formatted(bridge(), subnet, HARNESS));
    }

    @Override
    public void join(List<String> servers) {
        for (String server : servers) {
            int number = numbers.size() + 1;
            numbers.put(server, number);
            Shell.run(
                    """
                    ip netns add %1$s
                    ip link add %2$s type veth peer name eth0 netns %1$s
                    ip link set %2$s master %3$s up
                    ip -n %1$s addr add %4$s/24 dev eth0
                    ip -n %1$s link set eth0 up
                    ip -n %1$s link set lo up
                    """
                            .formatted(namespace(server), cable(server), bridge(), hostOf(server)));
        }
    }

    @Override
    public void shareHost(String host, List<String> servers) {
        number(host);
        servers.forEach(server -> guests.put(server, host));
    }

    private String host(String server) {
        return guests.getOrDefault(server, server);
    }

    @Override
    public String hostOf(String server) {
        return subnet + "." + numbers.getOrDefault(host(server), HARNESS);
    }

    @Override
    public List<String> commandPrefix(String server) {
        // Not "ip netns exec", which gives each process its own mounts: those of a disk would outlive its unmounting.
        return numbers.containsKey(host(server))
                ? List.of("nsenter", "--net=/var/run/netns/" + namespace(server))
                : List.of();
    }

    @Override
    public void cutOneWay(String from, String to) {
        Shell.run("ip -n %s neigh replace %s lladdr %s dev eth0 nud permanent"
                .formatted(namespace(from), hostOf(to), NOBODY));
    }

    @Override
    public void healOneWay(String from, String to) {
        Shell.run("ip -n %s neigh del %s dev eth0".formatted(namespace(from), hostOf(to)));
    }

    /** Makes a host treat the other's address as its own, on which nothing listens, so that its kernel refuses and resets. */
    @Override
    public void refuseOneWay(String from, String to) {
        Shell.run("ip -n %s addr add %s/32 dev lo".formatted(namespace(from), hostOf(to)));
    }

    @Override
    public void acceptOneWay(String from, String to) {
        Shell.run("ip -n %s addr del %s/32 dev lo".formatted(namespace(from), hostOf(to)));
    }

    /**
     * Routes the packets through a tunnel, one end of which is with the harness. Not segmented by a device that is not there, packets are
     * lost one by one.
     */
    @Override
    public void impairOneWay(String from, String to, Impairment impairment) {
        ImpairedPath path =
                ImpairedPath.open(subnet + "." + HARNESS, new InetSocketAddress(hostOf(to), TUNNEL_PORT), impairment);
        impaired.put(tunnel(from, to), path);
        Shell.run(
                """
                ip -n %2$s link add %3$s type vxlan id %4$d local %6$s dstport %9$d nolearning
                ip -n %2$s link set %3$s address %8$s up
                ip -n %1$s link add %3$s type vxlan id %4$d remote %10$s dstport %7$d nolearning
                ip -n %1$s link set %3$s mtu 1400 gso_max_segs 1 up
                ip -n %1$s neigh add %6$s lladdr %8$s dev %3$s nud permanent
                ip -n %1$s route add %6$s/32 dev %3$s src %5$s
                """
                        .formatted(
                                namespace(from),
                                namespace(to),
                                tunnel(from, to),
                                number(from) * 256 + number(to),
                                hostOf(from),
                                hostOf(to),
                                path.port(),
                                TUNNEL_END,
                                TUNNEL_PORT,
                                subnet + "." + HARNESS));
    }

    @Override
    public void repairOneWay(String from, String to) {
        // What the path still holds is lost with it, which TCP repairs.
        Shell.run("ip -n %s link del %s".formatted(namespace(from), tunnel(from, to)));
        Shell.run("ip -n %s link del %s".formatted(namespace(to), tunnel(from, to)));
        impaired.remove(tunnel(from, to)).close();
    }

    private String tunnel(String from, String to) {
        return "from" + number(from) + "to" + number(to);
    }

    @Override
    public void unplug(String server) {
        Shell.run("ip link set %s down".formatted(cable(server)));
    }

    @Override
    public void plugIn(String server) {
        Shell.run("ip link set %s up".formatted(cable(server)));
    }

    @Override
    public void close() {
        impaired.values().forEach(ImpairedPath::close);
        // The cables first: a namespace may live on for a while, for its last packets, and would keep its end.
        numbers.keySet().forEach(server -> Shell.tryRun("ip link del " + cable(server)));
        numbers.keySet().forEach(server -> Shell.tryRun("ip netns del " + namespace(server)));
        Shell.tryRun("ip link del " + bridge());
    }

    private String bridge() {
        return prefix + "b";
    }

    private String cable(String server) {
        return prefix + "v" + number(server);
    }

    private String namespace(String server) {
        number(server);
        return prefix + "-" + host(server);
    }

    private int number(String server) {
        Integer number = numbers.get(host(server));
        if (number == null) {
            throw new IllegalArgumentException(server + " lives on the host of the harness; only " + numbers.keySet()
                    + " have hosts of their own");
        }
        return number;
    }

    /** A network from those reserved for benchmarks (RFC 2544) that no other run uses. */
    private static String freeSubnet() {
        String used = Shell.run("ip -o -4 addr show");
        int start = (int) (ProcessHandle.current().pid() % 256);
        for (int i = 0; i < 256; i++) {
            String candidate = "198.18." + (start + i) % 256;
            if (!used.contains(" " + candidate + ".")) {
                return candidate;
            }
        }
        throw new IllegalStateException("every network of 198.18.0.0/16 is in use");
    }

    private static void removeLeftovers() {
        removeLeftovers(Shell.run("ip netns list"), "ip netns del ");
        removeLeftovers(Shell.run("ip -o link show"), "ip link del ");
    }

    private static void removeLeftovers(String listing, String deletion) {
        Matcher matcher = OUR_NAMES.matcher(listing);
        while (matcher.find()) {
            long owner = Long.parseLong(matcher.group(1), Character.MAX_RADIX);
            if (ProcessHandle.of(owner).isEmpty()) {
                Shell.tryRun(deletion + matcher.group());
            }
        }
    }
}
