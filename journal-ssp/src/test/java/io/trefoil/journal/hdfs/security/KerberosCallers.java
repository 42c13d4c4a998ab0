/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.foundation.hdfs.TestKdc;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Callers and nodes with principals of a KDC in this process, over real connections. */
abstract class KerberosCallers {
    @TempDir
    static Path directory;

    static TestKdc kdc;
    static final Map<String, UserGroupInformation> USERS = new HashMap<>();

    final Deque<AutoCloseable> open = new ArrayDeque<>();
    final TestNode node = new TestNode();
    final List<PoolRequest> performed = new CopyOnWriteArrayList<>();
    final TestCaller caller = new TestCaller();
    final Configuration conf = new Configuration(false);
    final Map<Link, NettyTransport> transports = new HashMap<>();
    NettyPoolServer server;

    @BeforeAll
    static void createPrincipals() throws Exception {
        kdc = new TestKdc(directory);
        Configuration security = new Configuration(false);
        kdc.login(security, "nn/localhost");
        for (String user : List.of("dn/localhost", "ssp/localhost", "nn/elsewhere", "operator", "stranger")) {
            USERS.put(user, kdc.user(user));
        }
        USERS.put("nn/localhost", UserGroupInformation.getLoginUser());
        USERS.put("nobody", UserGroupInformation.createRemoteUser("nobody"));
    }

    @AfterAll
    static void forgetPrincipals() throws IOException {
        kdc.close();
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** What a caller hears first. */
    String firstReply(String user) throws Exception {
        TestCaller listener = new TestCaller();
        Link link = connect(user, conf, CallerRole.READER, server.boundAddress(), listener);
        String heard = listener.next();
        link.close();
        return heard;
    }

    static byte[] alter(byte[] words) {
        byte[] changed = words.clone();
        changed[words.length / 2] ^= 1;
        return changed;
    }

    void serve() throws IOException {
        server = serve(authentication("nn/localhost", conf, "nn/_HOST"));
    }

    NettyPoolServer serve(KerberosAuthentication authentication) throws IOException {
        TestNode.Turn answer = node.turn;
        node.turn = requests -> {
            requests.forEach(one -> performed.add(one.request()));
            answer.serve(requests);
        };
        NettyPoolServer started = NettyPoolServer.start(
                "localhost",
                0,
                node,
                authentication.wrapAccessController(AccessController.OPEN),
                authentication,
                ServerLimits.of(Duration.ofSeconds(10), 100, 500),
                TlsSettings.OFF);
        open.push(started);
        return started;
    }

    static KerberosAuthentication authentication(String user, Configuration settings, String nodes) {
        return new KerberosAuthentication(
                settings,
                PoolPrincipals.of(kdc.principal(nodes), List.of(kdc.principal("nn/_HOST"))),
                () -> USERS.get(user));
    }

    Link connect(String user, Configuration settings, CallerRole role, InetSocketAddress to) {
        return connect(user, settings, role, to, caller);
    }

    Link connect(String user, Configuration settings, CallerRole role, InetSocketAddress to, TestCaller listener) {
        NettyTransport transport = NettyTransport.start("caller", authentication(user, settings, "nn/_HOST"));
        open.push(transport);
        Link link = transport.connect(Samples.addressOf(to), Samples.hello(role), listener);
        transports.put(link, transport);
        return link;
    }

    NettyTransport transportOf(Link link) {
        return transports.get(link);
    }

    PoolReply request(Link link, PoolRequest request) throws InterruptedException {
        transportOf(link).execute(() -> {
            link.send(request);
            link.flush();
        });
        return caller.reply();
    }

    WireTap relay(WireTap.FrameInterceptor meddler) throws IOException {
        WireTap relay = new WireTap(server.boundAddress(), meddler);
        open.push(relay);
        return relay;
    }

    /** A hello with a token that is good for once. */
    Hello authenticatedHello(String user) throws IOException {
        AuthenticationExchange dialogue =
                authentication(user, conf, "nn/_HOST").beginAsCaller(InetAddress.getLoopbackAddress());
        return Samples.hello(CallerRole.WRITER)
                .withAuthentication(KerberosAuthentication.MECHANISM, dialogue.process(Bytes.EMPTY));
    }

    static byte[] frame(MessageType type, byte[] token) {
        return ByteBuffer.allocate(4 + 10 + 4 + token.length)
                .putInt(14 + token.length)
                .put((byte) 0)
                .put(type.code())
                .putLong(0)
                .putInt(token.length)
                .put(token)
                .array();
    }

    static MessageType type(PoolRequest request) {
        byte code = RawCaller.request(1, request)[5];
        return List.of(MessageType.values()).stream()
                .filter(type -> type.code() == code)
                .collect(Collectors.toList())
                .get(0);
    }
}
