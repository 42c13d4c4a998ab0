/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which callers get a session over TLS, and which do not; none that does not has made the node do anything. */
class TlsTest extends TlsNode {

    @Test
    void reportsEarliestCertificateExpiry() throws Exception {
        startNode(requiredTls(ours.createExpiredKeystore("ended", "localhost")));
        assertThat(server.certificateExpiry())
                .hasValueSatisfying(end -> assertThat(end).isBefore(Instant.now()));

        startNode(requiredTls(nodeKeys));
        assertThat(server.certificateExpiry())
                .hasValueSatisfying(end -> assertThat(end).isAfter(Instant.now()));

        startNode(TlsSettings.OFF);
        assertThat(server.certificateExpiry()).isEmpty();
    }

    @Test
    void memberReadsAndWritesWithNodeCertificate() throws Exception {
        startNode(requiredTls(nodeKeys));
        for (CallerRole role : CallerRole.values()) {
            assertThat(call(requiredTls(memberKeys), role).next()).isEqualTo("up n1");
        }
        try (SteadyWriter writer = new SteadyWriter(
                NettyTransport.start("steady", Authentication.NONE, requiredTls(memberKeys)),
                Samples.addressOf(server.boundAddress()))) {
            await().until(() -> writer.answerCount() > 200);
            assertThat(writer.sessionBreakCount()).isZero();
        }
    }

    @Test
    void transfersLargeRequests() throws Exception {
        startNode(requiredTls(nodeKeys));
        NettyTransport transport = NettyTransport.start("caller", Authentication.NONE, requiredTls(memberKeys));
        open.push(transport);
        TestCaller caller = new TestCaller();
        Link link =
                transport.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.WRITER), caller);
        assertThat(caller.next()).isEqualTo("up n1");

        for (int i = 1; i <= 5; i++) {
            long sn = i;
            transport.execute(() -> {
                link.send(Samples.append(sn, 3 << 20));
                link.flush();
            });
            assertThat(caller.reply()).isEqualTo(Samples.appended(sn));
        }
    }

    @Test
    void rejectsCallerWithoutCertificate() throws Exception {
        startNode(requiredTls(nodeKeys));

        assertThatThrownBy(() -> {
                    try (SSLSocket stranger = socketWithoutCertificate()) {
                        stranger.getOutputStream().write(RawCaller.hello(Samples.hello(CallerRole.READER)));
                        new DataInputStream(stranger.getInputStream()).readInt();
                    }
                })
                .isInstanceOf(IOException.class);

        await().until(() -> server.refusals().count(RefusalCause.TLS_HANDSHAKE) == 1);
        assertThat(node.accepted).hasValue(0);
    }

    private SSLSocket socketWithoutCertificate() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAllManager()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket("127.0.0.1", server.boundAddress().getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    @Test
    void bothSidesRejectCertificateOfForeignAuthority() throws Exception {
        TestCertificates theirs = new TestCertificates(directory, "theirs");
        Path keys = theirs.createKeystore("impostor", "localhost", "127.0.0.1", "nn1.test");
        startNode(requiredTls(nodeKeys));

        assertRefused(
                call(tls(TlsPolicy.REQUIRED, keys, ours.truststore()), CallerRole.WRITER),
                "rejected the certificate of this host");
        await().until(() -> server.refusals().count(RefusalCause.TLS_HANDSHAKE) >= 1);

        assertRefused(
                call(tls(TlsPolicy.REQUIRED, memberKeys, theirs.truststore()), CallerRole.WRITER),
                "wanted a certificate that is valid now and signed by one in the truststore");
    }

    @Test
    void bothSidesRejectExpiredCertificate() throws Exception {
        Path expired = ours.createExpiredKeystore("expired", "localhost", "127.0.0.1", "nn1.test");
        startNode(requiredTls(nodeKeys));
        assertRefused(call(requiredTls(expired), CallerRole.WRITER), "certificate of this host");

        startNode(requiredTls(expired));
        assertRefused(call(requiredTls(memberKeys), CallerRole.WRITER), "valid now");
    }

    @Test
    void callerSendsNothingToWrongNode() throws Exception {
        startNode(requiredTls(dataNodeKeys));

        TestCaller caller = call(requiredTls(memberKeys), CallerRole.WRITER);

        assertRefused(caller, "[dn1.test]", "wanted localhost", "CN=datanode");
        assertThat(node.hellos).isEmpty();
        assertThat(server.refusals().countsByCause().values()).containsOnly(0L);
    }

    @Test
    void certificateOfSameAuthorityIsInsufficient() throws Exception {
        startNode(requiredTls(nodeKeys));

        for (CallerRole role : CallerRole.values()) {
            assertRefused(
                    call(requiredTls(dataNodeKeys), role),
                    "CN=datanode",
                    "dn1.test",
                    "trefoil.journal.networks.operators");
        }

        assertThat(server.refusals().count(RefusalCause.FOREIGN_CERTIFICATE)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void rejectsWildcardAndCommonNameAsHost() throws Exception {
        startNode(requiredTls(nodeKeys));

        assertRefused(call(requiredTls(ours.createKeystore("wild", "*.test")), CallerRole.READER), "CN=wild");
        assertRefused(call(requiredTls(ours.createKeystore("nn1.test")), CallerRole.READER), "CN=nn1.test", "for []");
    }

    @Test
    void configuredCertificateGetsItsRights() throws Exception {
        startNode(requiredTls(nodeKeys));
        Path operator = ours.createKeystore("operator", "ops.test");

        assertRefused(call(requiredTls(operator), CallerRole.WRITER), "CN=operator", "no right to WRITE");
        assertThat(call(requiredTls(operator), CallerRole.READER).next()).isEqualTo("up n1");
        assertThat(call(requiredTls(ours.createKeystore("late", "nn9.test")), CallerRole.WRITER)
                        .next())
                .isEqualTo("up n1");
    }

    @Test
    void memberCannotImpersonateDifferentNode() throws Exception {
        startNode(requiredTls(nodeKeys));
        Hello asAnother = Hello.of(
                Samples.JOURNAL,
                Samples.NAMESPACE,
                CallerRole.WRITER,
                "test",
                Optional.of(NodeAddress.of("localhost", 8487)));

        assertRefused(call(requiredTls(memberKeys), asAnother, "localhost"), "pool node of localhost", "nn1.test");
    }

    @Test
    void plainTextMismatchNamesSettingOnBothSides() throws Exception {
        startNode(requiredTls(nodeKeys));
        assertRefused(call(TlsSettings.OFF, CallerRole.WRITER), "does not speak TLS", "trefoil.journal.tls");
        assertThat(server.refusals().count(RefusalCause.TLS_MISMATCH)).isPositive();

        startNode(TlsSettings.OFF);
        assertRefused(call(requiredTls(memberKeys), CallerRole.WRITER), "does not speak TLS", "trefoil.journal.tls");
        assertThat(server.refusals().count(RefusalCause.TLS_MISMATCH)).isPositive();
    }

    /** As hosts change one after the other, from off to optional, and from that to required. */
    @ParameterizedTest
    @CsvSource({"OFF, OPTIONAL", "OPTIONAL, OFF", "OPTIONAL, OPTIONAL", "OPTIONAL, REQUIRED", "REQUIRED, OPTIONAL"})
    void migrationToTlsKeepsAllCallersAdmitted(TlsPolicy callers, TlsPolicy nodes) throws Exception {
        startNode(tls(nodes, nodeKeys, ours.truststore()));

        for (CallerRole role : CallerRole.values()) {
            assertThat(call(tls(callers, memberKeys, ours.truststore()), role).next())
                    .isEqualTo("up n1");
        }
    }

    @Test
    void optionalTlsRejectsWrongCertificate() throws Exception {
        startNode(tls(TlsPolicy.OPTIONAL, nodeKeys, ours.truststore()));

        assertRefused(call(tls(TlsPolicy.OPTIONAL, dataNodeKeys, ours.truststore()), CallerRole.READER), "CN=datanode");
    }

    @Test
    void memberCannotRequestJoinOfForeignNode() throws Exception {
        startNode(requiredTls(nodeKeys));
        TestCaller member = new TestCaller();
        NettyTransport transport = NettyTransport.start("caller", Authentication.NONE, requiredTls(memberKeys));
        open.push(transport);
        Link link = transport.connect(
                NodeAddress.of("localhost", server.boundAddress().getPort()), Samples.hello(CallerRole.READER), member);
        assertThat(member.next()).isEqualTo("up n1");

        transport.execute(() -> {
            link.send(ChangeMembersRequest.of(MemberChange.join("t", NodeAddress.of("dn1.test", 8487))));
            link.flush();
        });

        assertThat(member.reply()).isInstanceOfSatisfying(FailedReply.class, failed -> assertThat(failed.reason())
                .contains("CN=member", "dn1.test may join"));
        assertThat(node.turnSizes).isEmpty();
    }
}
