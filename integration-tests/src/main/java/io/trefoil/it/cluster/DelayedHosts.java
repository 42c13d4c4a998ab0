/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.process.faults.SlowLink;
import io.trefoil.it.process.jvm.JavaCommand;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hosts at other sites: everything sent to their pool nodes is delayed. On each, a {@link SlowLink} in a process of its own
 * listens in the pool node's place, so that it shares the fate of the host's links.
 */
final class DelayedHosts implements AutoCloseable {
    /** The ports on which their pool nodes listen, reachable only from their own hosts. */
    static final String DELAYED_ADDRESS = "127.0.0.4";

    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final Map<String, Duration> delays;
    private final ClusterLayout layout;
    private final Network network;
    private final Path leash;
    private final List<Process> links = new ArrayList<>();

    /** @param leashDirectory where the classes of {@link SlowLink} are */
    DelayedHosts(Map<String, Duration> delays, ClusterLayout layout, Network network, Path leashDirectory) {
        this.delays = new LinkedHashMap<>(delays);
        this.layout = layout;
        this.network = network;
        this.leash = leashDirectory;
    }

    /** Starts the delays; returns when all ports are open. */
    void start() {
        delays.forEach((server, delay) -> {
            String front = layout.address(server, "pool");
            JavaCommand command = new JavaCommand(
                    Jdk.ofThisJvm(),
                    network.commandPrefix(server),
                    JVM_OPTIONS,
                    List.of(leash),
                    SlowLink.class.getName(),
                    List.of(
                            front,
                            DELAYED_ADDRESS + front.substring(front.lastIndexOf(':')),
                            String.valueOf(delay.toMillis())));
            try {
                Process link = command.toProcessBuilder()
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                links.add(link);
                if (link.getInputStream().read() < 0) {
                    throw new IllegalStateException("no slow link at " + front);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void close() {
        links.forEach(Process::destroyForcibly);
    }
}
