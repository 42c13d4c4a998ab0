/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.hdfs.security.HadoopKeys;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.AddressDoorkeeper;
import io.trefoil.journal.transport.access.Networks;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.tls.Keys;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets a session over TLS, and who does not; nobody who does not has made the node do anything. */
class TlsTest {

    @TempDir
    private static Path directory;

    private static TestCertificates ours;
    private static Path nodeKeys;
    private static Path memberKeys;
    private static Path dataNodeKeys;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final TestNode node = new TestNode();
    private NettyPoolServer server;

    @BeforeAll
    static void sign() throws Exception {
        ours = new TestCertificates(directory, "ours");
        nodeKeys = ours.of("node", "localhost", "127.0.0.1");
        memberKeys = ours.of("member", "NN1.test");
        dataNodeKeys = ours.of("datanode", "dn1.test");
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private static TlsSettings tls(TlsPolicy policy, Path keys, Path trusted) {
        Configuration conf = new Configuration(false);
        TestCertificates.configure(conf, keys, trusted);
        conf.setInt("ssl.server.stores.reload.interval", 50);
        return TlsSettings.of(policy, new HadoopKeys(conf));
    }

    private static TlsSettings required(Path keys) {
        return tls(TlsPolicy.REQUIRED, keys, ours.trusted());
    }

    /** A node whose members are on hosts nn1.test and localhost, and whose operators are on ops.test. */
    private void startNode(TlsSettings tls) throws IOException {
        AccessSettings access = AccessSettings.of(Set.of("nn1.test"), Networks.NONE, Networks.NONE)
                .withCertificates(Set.of("nn9.test"), Set.of("ops.test"));
        AddressDoorkeeper doorkeeper = AddressDoorkeeper.start("nn1.test:8487", access, () -> Set.of("localhost"));
        open.push(doorkeeper);
        server = NettyPoolServer.start(
                "127.0.0.1",
                0,
                node,
                doorkeeper,
                ServerLimits.of(Duration.ofSeconds(10), 100, 500).withMaxHandshakesPerAddress(50),
                tls);
        open.push(server);
    }

    private TestCaller call(TlsSettings tls, Hello hello, String host) throws IOException {
        NettyTransport transport = NettyTransport.start("caller", Authentication.NONE, tls);
        open.push(transport);
        TestCaller caller = new TestCaller();
        transport.connect(NodeAddress.of(host, server.boundAddress().getPort()), hello, caller);
        return caller;
    }

    private TestCaller call(TlsSettings tls, CallerRole role) throws IOException {
        return call(tls, Samples.hello(role), "localhost");
    }

    private void assertRefused(TestCaller caller, String... why) throws InterruptedException {
        assertThat(caller.next()).startsWith("refused ").contains(why);
        assertThat(node.accepted).hasValue(0);
        assertThat(node.turnSizes).isEmpty();
    }

    @Test
    void aMemberReadsAndWritesWithItsOwnCertificate() throws Exception {
        startNode(required(nodeKeys));
        for (CallerRole role : CallerRole.values()) {
            assertThat(call(required(memberKeys), role).next()).isEqualTo("up n1");
        }
        try (SteadyWriter writer = new SteadyWriter(
                NettyTransport.start("steady", Authentication.NONE, required(memberKeys)),
                Samples.addressOf(server.boundAddress()))) {
            await().until(() -> writer.answers() > 200);
            assertThat(writer.breaks()).isZero();
        }
    }

    @Test
    void largeRequestsAndAnswersGetThrough() throws Exception {
        startNode(required(nodeKeys));
        NettyTransport transport = NettyTransport.start("caller", Authentication.NONE, required(memberKeys));
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
    void whoHasNoCertificateIsNobody() throws Exception {
        startNode(required(nodeKeys));

        assertThatThrownBy(() -> {
                    try (SSLSocket stranger = withoutCertificate()) {
                        stranger.getOutputStream().write(RawCaller.hello(Samples.hello(CallerRole.READER)));
                        new DataInputStream(stranger.getInputStream()).readInt();
                    }
                })
                .isInstanceOf(IOException.class);

        await().until(() -> server.refusals().count(RefusalCause.TLS_HANDSHAKE) == 1);
        assertThat(node.accepted).hasValue(0);
    }

    private SSLSocket withoutCertificate() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAnybody()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket("127.0.0.1", server.boundAddress().getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    @Test
    void certificatesOfAnotherAuthorityCountOnNeitherSide() throws Exception {
        TestCertificates theirs = new TestCertificates(directory, "theirs");
        Path keys = theirs.of("impostor", "localhost", "127.0.0.1", "nn1.test");
        startNode(required(nodeKeys));

        assertRefused(
                call(tls(TlsPolicy.REQUIRED, keys, ours.trusted()), CallerRole.WRITER),
                "rejected the certificate of this host");
        await().until(() -> server.refusals().count(RefusalCause.TLS_HANDSHAKE) >= 1);

        assertRefused(
                call(tls(TlsPolicy.REQUIRED, memberKeys, theirs.trusted()), CallerRole.WRITER),
                "wanted a certificate that is valid now and signed by one in the truststore");
    }

    @Test
    void anExpiredCertificateCountsOnNeitherSide() throws Exception {
        Path expired = ours.expired("expired", "localhost", "127.0.0.1", "nn1.test");
        startNode(required(nodeKeys));
        assertRefused(call(required(expired), CallerRole.WRITER), "certificate of this host");

        startNode(required(expired));
        assertRefused(call(required(memberKeys), CallerRole.WRITER), "valid now");
    }

    @Test
    void nothingIsSaidToANodeThatIsNotTheOneThatWasWanted() throws Exception {
        startNode(required(dataNodeKeys));

        TestCaller caller = call(required(memberKeys), CallerRole.WRITER);

        assertRefused(caller, "[dn1.test]", "wanted localhost", "CN=datanode");
        assertThat(node.hellos).isEmpty();
        assertThat(server.refusals().byName().values()).containsOnly(0L);
    }

    @Test
    void aCertificateOfTheSameAuthorityIsNotEnough() throws Exception {
        startNode(required(nodeKeys));

        for (CallerRole role : CallerRole.values()) {
            assertRefused(
                    call(required(dataNodeKeys), role),
                    "CN=datanode",
                    "dn1.test",
                    "trefoil.journal.certificates.operators");
        }

        assertThat(server.refusals().count(RefusalCause.FOREIGN_CERTIFICATE)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void neitherAWildcardNorACommonNameIsAHost() throws Exception {
        startNode(required(nodeKeys));

        assertRefused(call(required(ours.of("wild", "*.test")), CallerRole.READER), "CN=wild");
        assertRefused(call(required(ours.of("nn1.test")), CallerRole.READER), "CN=nn1.test", "for []");
    }

    @Test
    void aConfiguredCertificateHasItsRights() throws Exception {
        startNode(required(nodeKeys));
        Path operator = ours.of("operator", "ops.test");

        assertRefused(call(required(operator), CallerRole.WRITER), "CN=operator", "no right to WRITE");
        assertThat(call(required(operator), CallerRole.READER).next()).isEqualTo("up n1");
        assertThat(call(required(ours.of("late", "nn9.test")), CallerRole.WRITER)
                        .next())
                .isEqualTo("up n1");
    }

    @Test
    void aMemberCannotPassForAnother() throws Exception {
        startNode(required(nodeKeys));
        Hello asAnother = Hello.of(
                Samples.JOURNAL,
                Samples.NAMESPACE,
                CallerRole.WRITER,
                "test",
                Optional.of(NodeAddress.of("localhost", 8487)));

        assertRefused(call(required(memberKeys), asAnother, "localhost"), "pool node of localhost", "nn1.test");
    }

    @Test
    void whereOneSideSpeaksPlainTextBothSayWhatToSet() throws Exception {
        startNode(required(nodeKeys));
        assertRefused(call(TlsSettings.OFF, CallerRole.WRITER), "does not speak TLS", "trefoil.journal.tls");
        assertThat(server.refusals().count(RefusalCause.TLS_MISMATCH)).isPositive();

        startNode(TlsSettings.OFF);
        assertRefused(call(required(memberKeys), CallerRole.WRITER), "does not speak TLS", "trefoil.journal.tls");
        assertThat(server.refusals().count(RefusalCause.TLS_MISMATCH)).isPositive();
    }

    /** As hosts change one after the other, from off to optional, and from that to required. */
    @ParameterizedTest
    @CsvSource({"OFF, OPTIONAL", "OPTIONAL, OFF", "OPTIONAL, OPTIONAL", "OPTIONAL, REQUIRED", "REQUIRED, OPTIONAL"})
    void onTheWayToTlsNobodyIsLockedOut(TlsPolicy callers, TlsPolicy nodes) throws Exception {
        startNode(tls(nodes, nodeKeys, ours.trusted()));

        for (CallerRole role : CallerRole.values()) {
            assertThat(call(tls(callers, memberKeys, ours.trusted()), role).next())
                    .isEqualTo("up n1");
        }
    }

    @Test
    void onTheWayToTlsAWrongCertificateIsWrongAlready() throws Exception {
        startNode(tls(TlsPolicy.OPTIONAL, nodeKeys, ours.trusted()));

        assertRefused(call(tls(TlsPolicy.OPTIONAL, dataNodeKeys, ours.trusted()), CallerRole.READER), "CN=datanode");
    }

    @Test
    void bytesThatAreNoHandshakeChangeNothing() throws Exception {
        startNode(required(nodeKeys));
        try (SteadyWriter good = new SteadyWriter(
                NettyTransport.start("steady", Authentication.NONE, required(memberKeys)),
                Samples.addressOf(server.boundAddress()))) {
            await().until(() -> good.answers() > 10);
            byte[] hello = clientHello();
            Random random = new Random(1);
            for (int i = 0; i < 100; i++) {
                byte[] bytes = Arrays.copyOf(hello, 1 + random.nextInt(hello.length));
                for (int changes = random.nextInt(4); changes > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                endsAfter(bytes);
            }
            byte[] endless = new byte[300_000];
            Arrays.fill(endless, 0, endless.length, (byte) 22);
            endsAfter(endless);
            long before = good.answers();
            await().until(() -> good.answers() > before + 10);
            assertThat(good.breaks()).isZero();
        }
        assertThat(node.accepted).hasValue(1);
        await().until(() -> server.connectionCount() == 0);
        assertThat(server.refusals().count(RefusalCause.INTERNAL)).isZero();
    }

    private void endsAfter(byte[] bytes) throws IOException {
        try (RawCaller caller = new RawCaller(server.boundAddress())) {
            try {
                caller.send(bytes).endOutput();
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
            }
            caller.assertClosed();
        }
    }

    /** What a JVM says first. */
    private static byte[] clientHello() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAnybody()}, null);
        SSLEngine engine = context.createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(32 * 1024);
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Each has asked for a handshake, which costs a signature, and has hung up: it would wait in a queue without end, with its buffers. */
    @Test
    void nothingIsReckonedForWhoHasHungUp() throws Exception {
        CountDownLatch bothThreads = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger signatures = new AtomicInteger();
        startNode(TlsSettings.of(
                TlsPolicy.REQUIRED,
                side -> Keys.fixed(
                        new KeyManager[] {
                            watched(nodeKeys, () -> {
                                signatures.incrementAndGet();
                                bothThreads.countDown();
                                awaitUninterruptibly(goOn);
                            })
                        },
                        new TrustManager[] {new TrustsAnybody()})));
        byte[] hello = clientHello();
        List<Socket> busy = new ArrayList<>();
        try {
            while (bothThreads.getCount() > 0) {
                busy.add(new Socket(
                        server.boundAddress().getAddress(),
                        server.boundAddress().getPort()));
                busy.get(busy.size() - 1).getOutputStream().write(hello);
                bothThreads.await(100, TimeUnit.MILLISECONDS);
            }
            int before = busy.size();
            // Fewer at once than push out the two that keep the threads busy.
            for (int i = 0; i < 150; i++) {
                try (Socket one = new Socket(
                        server.boundAddress().getAddress(),
                        server.boundAddress().getPort())) {
                    one.getOutputStream().write(hello);
                }
                if (i % 30 == 0) {
                    await().until(() -> server.connectionCount() <= before);
                }
            }
            await().until(() -> server.connectionCount() <= before);

            goOn.countDown();

            assertThat(call(required(memberKeys), CallerRole.READER).next()).isEqualTo("up n1");
            assertThat(signatures).hasValueLessThanOrEqualTo(before + 20);
        } finally {
            goOn.countDown();
            for (Socket one : busy) {
                one.close();
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The key of a node, which tells when it is used. */
    private static X509ExtendedKeyManager watched(Path keys, Runnable onUse) throws IOException {
        try (InputStream in = Files.newInputStream(keys)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, TestCertificates.PASSWORD.toCharArray());
            String alias = store.aliases().nextElement();
            for (String one : Collections.list(store.aliases())) {
                alias = store.isKeyEntry(one) ? one : alias;
            }
            return new OneKey(
                    alias,
                    (PrivateKey) store.getKey(alias, TestCertificates.PASSWORD.toCharArray()),
                    Arrays.stream(store.getCertificateChain(alias))
                            .map(X509Certificate.class::cast)
                            .toArray(X509Certificate[]::new),
                    onUse);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static final class OneKey extends X509ExtendedKeyManager {
        private final String alias;
        private final PrivateKey key;
        private final X509Certificate[] chain;
        private final Runnable onUse;

        OneKey(String alias, PrivateKey key, X509Certificate[] chain, Runnable onUse) {
            this.alias = alias;
            this.key = key;
            this.chain = chain;
            this.onUse = onUse;
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return alias;
        }

        @Override
        public PrivateKey getPrivateKey(String name) {
            onUse.run();
            return key;
        }

        @Override
        public X509Certificate[] getCertificateChain(String name) {
            return chain;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {alias};
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return alias;
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {alias};
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return alias;
        }
    }

    @Test
    void massesOfHalfOpenConnectionsFromOneAddressKeepNobodyOut() throws Exception {
        startNode(required(nodeKeys));
        byte[] hello = clientHello();
        List<Socket> masses = new ArrayList<>();
        try (SteadyWriter good = new SteadyWriter(
                NettyTransport.start("steady", Authentication.NONE, required(memberKeys)),
                Samples.addressOf(server.boundAddress()))) {
            await().until(() -> good.answers() > 10);
            for (int i = 0; i < 300; i++) {
                Socket one = new Socket();
                one.bind(new InetSocketAddress("127.0.0.2", 0));
                one.connect(server.boundAddress());
                masses.add(one);
                if (i % 2 == 0) {
                    sendIfOpen(one, hello);
                }
                if (i % 100 == 50) {
                    assertThat(call(required(memberKeys), CallerRole.WRITER).next())
                            .isEqualTo("up n1");
                }
            }
            assertThat(call(required(memberKeys), CallerRole.READER).next()).isEqualTo("up n1");
            await().until(() -> server.refusals().count(RefusalCause.HANDSHAKE_LIMIT) >= 250);
            assertThat(server.connectionCount()).isLessThanOrEqualTo(50 + 5);
            assertThat(good.breaks()).isZero();
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("ssp-tls-node")))
                    .hasSizeLessThanOrEqualTo(2);
        } finally {
            for (Socket one : masses) {
                one.close();
            }
        }
    }

    @Test
    void anAuthorityThatIsWithdrawnIsTrustedByNoNewConnection() throws Exception {
        TestCertificates second = new TestCertificates(directory, "second");
        Path both = second.trustedWith(ours);
        Path ofSecond = second.of("member", "nn1.test");
        startNode(tls(TlsPolicy.REQUIRED, nodeKeys, both));
        TlsSettings withSecond = tls(TlsPolicy.REQUIRED, ofSecond, ours.trusted());
        assertThat(call(withSecond, CallerRole.READER).next()).isEqualTo("up n1");
        try (SteadyWriter old = new SteadyWriter(
                NettyTransport.start("old", Authentication.NONE, withSecond),
                NodeAddress.of("localhost", server.boundAddress().getPort()))) {
            await().until(() -> old.answers() > 10);

            Files.move(Files.copy(ours.trusted(), directory.resolve("withdrawn.p12")), both, ATOMIC_MOVE);

            await().untilAsserted(
                            () -> assertThat(call(withSecond, CallerRole.READER).next())
                                    .startsWith("refused")
                                    .contains("rejected the certificate of this host"));
            assertThat(call(required(memberKeys), CallerRole.READER).next()).isEqualTo("up n1");
            long before = old.answers();
            await().until(() -> old.answers() > before + 10);
            assertThat(old.breaks()).isZero();
        }
        assertThat(server.refusals().count(RefusalCause.TLS_HANDSHAKE)).isPositive();
    }

    @Test
    void nobodyAsksThatTheNodeOfAnotherHostMayJoin() throws Exception {
        startNode(required(nodeKeys));
        TestCaller member = new TestCaller();
        NettyTransport transport = NettyTransport.start("caller", Authentication.NONE, required(memberKeys));
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

    private static void sendIfOpen(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
        }
    }

    @Test
    void newConnectionsUseTheNewCertificateAndTheOldOnesGoOn() throws Exception {
        Path keys = ours.of("rotating", "nn1.test");
        startNode(required(nodeKeys));
        List<String> names = new CopyOnWriteArrayList<>();
        NettyTransport transport = NettyTransport.start("rotating", Authentication.NONE, required(keys));
        try (SteadyWriter writer = new SteadyWriter(transport, Samples.addressOf(server.boundAddress()))) {
            await().until(() -> writer.answers() > 10);

            ours.exchange(keys, "foreigner", "dn7.test");

            await().untilAsserted(() -> {
                TestCaller caller = new TestCaller();
                try (Link link = transport.connect(
                        NodeAddress.of("localhost", server.boundAddress().getPort()),
                        Samples.hello(CallerRole.READER),
                        caller)) {
                    names.add(caller.next());
                }
                assertThat(names.get(names.size() - 1)).startsWith("refused").contains("CN=foreigner");
            });
            long before = writer.answers();
            await().until(() -> writer.answers() > before + 10);
            assertThat(writer.breaks()).isZero();
        }
    }

    /** Accepts every node. */
    private static final class TrustsAnybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
