/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.names.FakeNames;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a host that gives no more threads, as with a limit of processes: who waits for an outcome has one. */
@Timeout(120)
class LookupThreadsTest {
    private static final NodeAddress NODE = NodeAddress.of("127.0.0.1", 1);

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final LookupThreads threads = new LookupThreads(
            task -> {
                throw new OutOfMemoryError("planted: unable to create native thread");
            },
            HostResolver.ofProcess());

    @Test
    void connectionAttemptFailsWithoutThread() throws Exception {
        threads.prepareConnection(NODE, 0, Authentication.NONE, new LookupThreads.PreparationListener() {
            @Override
            public void onPrepared(ConnectionPreparation preparation) {
                heard.add("begun");
            }

            @Override
            public void onLookupFailed(IOException cause) {
                heard.add("failed");
            }

            @Override
            public void onAuthenticationFailed(IOException cause) {
                heard.add("unproved");
            }
        });

        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("failed");
    }

    @Test
    void probeWithoutThreadReportsUnreachable() throws Exception {
        threads.probe(NODE, Duration.ofSeconds(1), outcome -> heard.add(outcome.name()));

        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(Transport.Probe.UNREACHABLE.name());
    }

    /** Its host may have moved, and another one may have its address. */
    @Test
    void refusalByRememberedAddressProvesNothingWithoutNames() throws Exception {
        FakeNames names = new FakeNames();
        try (LookupThreads able = new LookupThreads(Executors.defaultThreadFactory(), HostResolver.with(names))) {
            names.setAddress("nn1.test", "127.0.0.1");
            NodeAddress closed = NodeAddress.of("nn1.test", TestPorts.free());
            able.probe(closed, Duration.ofSeconds(5), outcome -> heard.add(outcome.name()));
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(Transport.Probe.REFUSED.name());
        }
        HostResolver remembering = HostResolver.with(names);
        remembering.restore("nn1.test", List.of(InetAddress.getByName("127.0.0.1")), LocalDate.EPOCH);
        names.vanish();
        try (LookupThreads able = new LookupThreads(Executors.defaultThreadFactory(), remembering)) {
            NodeAddress closed = NodeAddress.of("nn1.test", TestPorts.free());
            able.probe(closed, Duration.ofSeconds(5), outcome -> heard.add(outcome.name()));
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(Transport.Probe.UNREACHABLE.name());
        }
    }

    @Test
    void probeTriesOtherAddressWhenOneRefuses() throws Exception {
        HostResolver hosts = HostResolver.with(new FakeNames());
        hosts.restore(
                "nn1.test",
                List.of(InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.1")),
                LocalDate.EPOCH);
        try (LookupThreads able = new LookupThreads(Executors.defaultThreadFactory(), hosts);
                ServerSocket node = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            able.probe(
                    NodeAddress.of("nn1.test", node.getLocalPort()),
                    Duration.ofSeconds(5),
                    outcome -> heard.add(outcome.name()));
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(Transport.Probe.ACCEPTED.name());
        }
    }
}
