/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Certificates and authorities that are exchanged count for new connections, and end none that there are. */
class TlsRotationTest extends TlsNode {
    /** A call alone may wait for 20 s. */
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    @Test
    void newConnectionsRejectWithdrawnAuthority() throws Exception {
        TestCertificates second = new TestCertificates(directory, "second");
        Path both = second.truststoreWith(ours);
        Path ofSecond = second.createKeystore("member", "nn1.test");
        startNode(tls(TlsPolicy.REQUIRED, nodeKeys, both));
        TlsSettings withSecond = tls(TlsPolicy.REQUIRED, ofSecond, ours.truststore());
        assertThat(call(withSecond, CallerRole.READER).next()).isEqualTo("up n1");
        try (SteadyWriter old = new SteadyWriter(
                NettyTransport.start("old", Authentication.NONE, withSecond),
                NodeAddress.of("localhost", server.boundAddress().getPort()))) {
            await().until(() -> old.answerCount() > 10);

            Files.move(Files.copy(ours.truststore(), directory.resolve("withdrawn.p12")), both, ATOMIC_MOVE);

            await().atMost(LONG_ENOUGH).untilAsserted(() -> assertThat(
                            call(withSecond, CallerRole.READER).next())
                    .startsWith("refused")
                    .contains("rejected the certificate of this host"));
            assertThat(call(requiredTls(memberKeys), CallerRole.READER).next()).isEqualTo("up n1");
            long before = old.answerCount();
            await().until(() -> old.answerCount() > before + 10);
            assertThat(old.sessionBreakCount()).isZero();
        }
        assertThat(server.refusals().count(RefusalCause.TLS_HANDSHAKE)).isPositive();
    }

    @Test
    void newConnectionsUseNewCertificateAndOldOnesContinue() throws Exception {
        Path keys = ours.createKeystore("rotating", "nn1.test");
        startNode(requiredTls(nodeKeys));
        List<String> names = new CopyOnWriteArrayList<>();
        NettyTransport transport = NettyTransport.start("rotating", Authentication.NONE, requiredTls(keys));
        try (SteadyWriter writer = new SteadyWriter(transport, Samples.addressOf(server.boundAddress()))) {
            await().until(() -> writer.answerCount() > 10);

            ours.replaceCertificate(keys, "foreigner", "dn7.test");

            await().atMost(LONG_ENOUGH).untilAsserted(() -> {
                TestCaller caller = new TestCaller();
                try (Link link = transport.connect(
                        NodeAddress.of("localhost", server.boundAddress().getPort()),
                        Samples.hello(CallerRole.READER),
                        caller)) {
                    names.add(caller.next());
                }
                assertThat(names.get(names.size() - 1)).startsWith("refused").contains("CN=foreigner");
            });
            long before = writer.answerCount();
            await().until(() -> writer.answerCount() > before + 10);
            assertThat(writer.sessionBreakCount()).isZero();
        }
    }
}
