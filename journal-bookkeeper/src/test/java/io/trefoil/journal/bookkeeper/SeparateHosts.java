/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Network namespaces as hosts, joined to this one by a bridge, of which each may be cut off from the store without a word. Needs
 * root. This host has two addresses there: the store's, and the one that clients come from.
 */
final class SeparateHosts implements AutoCloseable {
    /** A locally administered hardware address that no host has. */
    private static final String NOBODY = "02:00:00:00:de:ad";

    private final int count;
    private final String prefix = "bk" + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX);
    /** One of the networks that are reserved for benchmarks (RFC 2544). */
    private final String subnet = "198.19." + ProcessHandle.current().pid() % 256;

    SeparateHosts(int count) throws IOException, InterruptedException {
        this.count = count;
        run("ip link add " + bridge() + " type bridge");
        run("ip addr add " + subnet + ".254/24 dev " + bridge());
        run("ip addr add " + store() + "/24 dev " + bridge());
        run("ip link set " + bridge() + " up");
        for (int number = 0; number < count; number++) {
            String namespace = namespace(number);
            run("ip netns add " + namespace);
            run("ip link add " + cable(number) + " type veth peer name eth0 netns " + namespace);
            run("ip link set " + cable(number) + " master " + bridge() + " up");
            run("ip -n " + namespace + " addr add " + address(number) + "/24 dev eth0");
            run("ip -n " + namespace + " link set eth0 up");
            run("ip -n " + namespace + " link set lo up");
        }
    }

    private String bridge() {
        return prefix + "b";
    }

    private String cable(int number) {
        return prefix + "v" + number;
    }

    private String namespace(int number) {
        return prefix + "-" + number;
    }

    String address(int number) {
        return subnet + "." + (number + 1);
    }

    /** The address at which hosts find the store. */
    String store() {
        return subnet + ".253";
    }

    /** What a command begins with to run on a host. */
    List<String> commandPrefix(int number) {
        return List.of("nsenter", "--net=/var/run/netns/" + namespace(number));
    }

    /** Whatever a host sends to the store is lost. */
    void cut(int number) throws IOException, InterruptedException {
        run("ip -n " + namespace(number) + " neigh replace " + store() + " lladdr " + NOBODY
                + " dev eth0 nud permanent");
    }

    void heal(int number) throws IOException, InterruptedException {
        run("ip -n " + namespace(number) + " neigh del " + store() + " dev eth0");
    }

    private static void run(String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + output);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        // The cables first: a namespace may live on for a while, for its last packets, and would keep its end.
        for (int number = 0; number < count; number++) {
            run("ip link del " + cable(number));
            run("ip netns del " + namespace(number));
        }
        run("ip link del " + bridge());
    }
}
