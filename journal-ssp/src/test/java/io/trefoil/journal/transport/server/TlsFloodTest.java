/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.tls.Keys;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.transport.tls.TlsSettings;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;

/** Callers that never finish a handshake, broken or in masses, cost the node little and keep no caller out. */
class TlsFloodTest extends TlsNode {

    @Test
    void malformedHandshakesDoNotDisturbSessions() throws Exception {
        startNode(requiredTls(nodeKeys));
        try (SteadyWriter good = new SteadyWriter(
                NettyTransport.start("steady", Authentication.NONE, requiredTls(memberKeys)),
                Samples.addressOf(server.boundAddress()))) {
            await().until(() -> good.answerCount() > 10);
            byte[] hello = clientHello();
            Random random = new Random(1);
            for (int i = 0; i < 100; i++) {
                byte[] bytes = Arrays.copyOf(hello, 1 + random.nextInt(hello.length));
                for (int changes = random.nextInt(4); changes > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                assertEndsAfter(bytes);
            }
            byte[] endless = new byte[300_000];
            Arrays.fill(endless, 0, endless.length, (byte) 22);
            assertEndsAfter(endless);
            long before = good.answerCount();
            await().until(() -> good.answerCount() > before + 10);
            assertThat(good.sessionBreakCount()).isZero();
        }
        assertThat(node.accepted).hasValue(1);
        await().until(() -> server.connectionCount() == 0);
        assertThat(server.refusals().count(RefusalCause.INTERNAL)).isZero();
    }

    private void assertEndsAfter(byte[] bytes) throws IOException {
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
        context.init(null, new TrustManager[] {new TrustAllManager()}, null);
        SSLEngine engine = context.createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(32 * 1024);
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Each has asked for a handshake, which costs a signature, and has hung up: it would wait in a queue without end, with its buffers. */
    @Test
    void skipsHandshakeWorkForClosedConnections() throws Exception {
        CountDownLatch bothThreads = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger signatures = new AtomicInteger();
        startNode(TlsSettings.of(
                TlsPolicy.REQUIRED,
                side -> Keys.ofFixed(
                        new KeyManager[] {
                            watchKeyUse(nodeKeys, () -> {
                                signatures.incrementAndGet();
                                bothThreads.countDown();
                                awaitUninterruptibly(goOn);
                            })
                        },
                        new TrustManager[] {new TrustAllManager()})));
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

            assertThat(call(requiredTls(memberKeys), CallerRole.READER).next()).isEqualTo("up n1");
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
    private static X509ExtendedKeyManager watchKeyUse(Path keys, Runnable onUse) throws IOException {
        try (InputStream in = Files.newInputStream(keys)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, TestCertificates.PASSWORD.toCharArray());
            String alias = store.aliases().nextElement();
            for (String one : Collections.list(store.aliases())) {
                alias = store.isKeyEntry(one) ? one : alias;
            }
            return new SingleKeyManager(
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

    private static final class SingleKeyManager extends X509ExtendedKeyManager {
        private final String alias;
        private final PrivateKey key;
        private final X509Certificate[] chain;
        private final Runnable onUse;

        SingleKeyManager(String alias, PrivateKey key, X509Certificate[] chain, Runnable onUse) {
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
    void halfOpenConnectionsFromOneAddressDoNotBlockCallers() throws Exception {
        startNode(requiredTls(nodeKeys));
        byte[] hello = clientHello();
        List<Socket> masses = new ArrayList<>();
        try (SteadyWriter good = new SteadyWriter(
                NettyTransport.start("steady", Authentication.NONE, requiredTls(memberKeys)),
                Samples.addressOf(server.boundAddress()))) {
            await().until(() -> good.answerCount() > 10);
            for (int i = 0; i < 300; i++) {
                Socket one = new Socket();
                one.bind(new InetSocketAddress("127.0.0.2", 0));
                one.connect(server.boundAddress());
                masses.add(one);
                if (i % 2 == 0) {
                    sendIfOpen(one, hello);
                }
                if (i % 100 == 50) {
                    assertThat(call(requiredTls(memberKeys), CallerRole.WRITER).next())
                            .isEqualTo("up n1");
                }
            }
            assertThat(call(requiredTls(memberKeys), CallerRole.READER).next()).isEqualTo("up n1");
            await().until(() -> server.refusals().count(RefusalCause.HANDSHAKE_LIMIT) >= 250);
            // A refusal is counted before the connection is closed.
            await().until(() -> server.connectionCount() <= 50 + 5);
            assertThat(good.sessionBreakCount()).isZero();
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("ssp-tls-node")))
                    .hasSizeLessThanOrEqualTo(2);
        } finally {
            for (Socket one : masses) {
                one.close();
            }
        }
    }

    private static void sendIfOpen(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
        }
    }
}
