/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.TestKdc;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.Doorkeeper;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.access.JournalWriters;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.Dialogue;
import io.trefoil.journal.transport.authentication.Protection;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.WireFormatTest;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers and nodes with principals of a KDC in this process, honest ones and others, over real connections. */
class KerberosAuthenticationTest {
    private static final int LARGE = 300_000;

    @TempDir
    private static Path directory;

    private static TestKdc kdc;
    private static final Map<String, UserGroupInformation> USERS = new HashMap<>();

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final TestNode node = new TestNode();
    private final List<PoolRequest> performed = new CopyOnWriteArrayList<>();
    private final TestCaller caller = new TestCaller();
    private final Configuration conf = new Configuration(false);
    private final Map<Link, NettyTransport> transports = new HashMap<>();
    private NettyPoolServer server;

    @BeforeAll
    static void principals() throws Exception {
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
    static void noPrincipals() throws IOException {
        kdc.close();
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"authentication", "integrity", "privacy"})
    void aNameNodeWritesAndReadsByEveryQualityOfProtection(String protection) throws Exception {
        conf.set("hadoop.rpc.protection", protection);
        node.turn = requests -> requests.forEach(one ->
                one.answer(EntriesReply.of(Samples.NODE, List.of(Samples.entry(1, LARGE), Samples.entry(2, 10)), 2)));
        serve();
        Relay relay = relay((index, words) -> List.of(words));
        Link link = connect("nn/localhost", conf, CallerRole.WRITER, relay.address());

        assertThat(caller.next()).startsWith("up");
        assertThat(ask(link, Samples.append(1, LARGE)))
                .isInstanceOfSatisfying(EntriesReply.class, reply -> assertThat(reply.entries())
                        .containsExactly(Samples.entry(1, LARGE), Samples.entry(2, 10)));
        assertThat(ask(link, Samples.append(2))).isInstanceOf(EntriesReply.class);

        boolean isReadable = relay.said.stream().skip(3).anyMatch(KerberosAuthenticationTest::isAppend);
        assertThat(isReadable).isEqualTo(protection.equals("authentication"));
    }

    private static boolean isAppend(byte[] words) {
        return words[0] == 1 && words[1] == MessageType.APPEND.code();
    }

    @Test
    void theTwoSidesAgreeOnTheFirstThatTheCallerWants() throws Exception {
        conf.set("hadoop.rpc.protection", "authentication,privacy");
        serve();
        Configuration wantsMore = new Configuration(false);
        wantsMore.set("hadoop.rpc.protection", "privacy,authentication");
        Relay relay = relay((index, words) -> List.of(words));

        Link link = connect("nn/localhost", wantsMore, CallerRole.WRITER, relay.address());

        assertThat(caller.next()).startsWith("up");
        ask(link, Samples.append(1));
        assertThat(relay.said.stream().anyMatch(KerberosAuthenticationTest::isAppend))
                .isFalse();
    }

    @Test
    void withoutACommonProtectionThereIsNoSession() throws Exception {
        conf.set("hadoop.rpc.protection", "authentication");
        serve();
        Configuration wantsMore = new Configuration(false);
        wantsMore.set("hadoop.rpc.protection", "privacy");

        connect("nn/localhost", wantsMore, CallerRole.WRITER, server.boundAddress());

        assertThat(caller.next()).startsWith("refused").contains("No common protection layer");
        assertThat(node.accepted).hasValue(0);
    }

    @Test
    void validCredentialsOfAWrongPrincipalAreRefusedWhateverTheyAskFor() throws Exception {
        serve();
        for (String user : List.of("dn/localhost", "stranger")) {
            for (CallerRole role : CallerRole.values()) {
                TestCaller refused = new TestCaller();
                connect(user, conf, role, server.boundAddress(), refused);
                assertThat(refused.next())
                        .startsWith("refused " + kdc.principal(user) + " may not use the journals of this cluster");
            }
        }
        assertThat(node.accepted).hasValue(0);
        assertThat(server.refusals().count(RefusalCause.FORBIDDEN)).isEqualTo(4);
    }

    /** Rules of {@code auth_to_local} often make the NameNode's user of it. */
    @Test
    void aDataNodeWithTheUserOfTheNameNodeIsNoNameNode() throws Exception {
        conf.set("dfs.cluster.administrators", "dn,nn");
        serve();

        connect("dn/localhost", conf, CallerRole.READER, server.boundAddress());

        assertThat(caller.next()).startsWith("refused " + kdc.principal("dn/localhost"));
    }

    @Test
    void anAdministratorReadsAndAdministersAndWritesNothing() throws Exception {
        conf.set("dfs.cluster.administrators", "operator");
        serve();
        Link link = connect("operator", conf, CallerRole.READER, server.boundAddress());
        assertThat(caller.next()).startsWith("up");

        for (PoolRequest request : WireFormatTest.requests()) {
            if (type(request) != MessageType.COMMIT) {
                PoolReply reply = ask(link, request);
                boolean isRefused = reply instanceof FailedReply;
                assertThat(isRefused).as("%s", request).isEqualTo(!performed.contains(request));
            }
        }
        assertThat(performed.stream().map(KerberosAuthenticationTest::type))
                .containsExactly(
                        MessageType.FETCH,
                        MessageType.STATUS,
                        MessageType.AWAIT_COMMIT,
                        MessageType.SEGMENTS,
                        MessageType.CHANGE_MEMBERS,
                        MessageType.START_OVER,
                        MessageType.IMAGES,
                        MessageType.IMAGE_PART);

        TestCaller writer = new TestCaller();
        connect("operator", conf, CallerRole.WRITER, server.boundAddress(), writer);
        assertThat(writer.next()).contains("no right to WRITE");
    }

    @Test
    void aNameNodeOfAnotherHostIsANameNode() throws Exception {
        serve();
        connect("nn/elsewhere", conf, CallerRole.WRITER, server.boundAddress());
        assertThat(caller.next()).startsWith("up");
    }

    @Test
    void aNameNodeOfAnotherNameserviceReadsAndDoesNotWrite() throws Exception {
        PoolPrincipals any = PoolPrincipals.of(kdc.principal("nn/_HOST"), List.of(kdc.principal("nn/_HOST")));
        JournalWriters atLocalhost = JournalWriters.of(Map.of(Samples.JOURNAL, Set.of("localhost")));
        server = serve(new KerberosAuthentication(
                conf, any.withWriters(atLocalhost, Map.of()), () -> USERS.get("nn/localhost")));
        connect("nn/localhost", conf, CallerRole.WRITER, server.boundAddress());
        assertThat(caller.next()).startsWith("up");

        TestCaller other = new TestCaller();
        connect("nn/elsewhere", conf, CallerRole.WRITER, server.boundAddress(), other);
        assertThat(other.next())
                .startsWith("refused")
                .contains("nn/elsewhere@", "no right to WRITE", "[localhost]", "trefoil.journal.writers");

        TestCaller reading = new TestCaller();
        Link link = connect("nn/elsewhere", conf, CallerRole.READER, server.boundAddress(), reading);
        assertThat(reading.next()).startsWith("up");
        PoolRequest format = FormatRequest.of(Samples.NAMESPACE, Samples.NODE, LogSummary.ORIGIN, List.of(), true);
        transportOf(link).execute(() -> {
            link.send(format);
            link.flush();
        });
        assertThat(reading.reply()).isInstanceOf(FailedReply.class);
        assertThat(performed).doesNotContain(format);
    }

    /** Two nameservices may have their NameNodes on the same hosts, with principals of their own. */
    @Test
    void aNameNodeOfTheSameHostWithThePrincipalOfAnotherNameserviceDoesNotWrite() throws Exception {
        PoolPrincipals both = PoolPrincipals.of(
                kdc.principal("nn/_HOST"), List.of(kdc.principal("nn/_HOST"), kdc.principal("ssp/_HOST")));
        JournalWriters atLocalhost = JournalWriters.of(Map.of(Samples.JOURNAL, Set.of("127.0.0.1")));
        server = serve(new KerberosAuthentication(
                conf,
                both.withWriters(atLocalhost, Map.of(Samples.JOURNAL, Set.of(kdc.principal("nn/_HOST")))),
                () -> USERS.get("nn/localhost")));

        connect("nn/localhost", conf, CallerRole.WRITER, server.boundAddress());
        assertThat(caller.next()).startsWith("up");
        TestCaller other = new TestCaller();
        connect("ssp/localhost", conf, CallerRole.WRITER, server.boundAddress(), other);
        assertThat(other.next()).startsWith("refused").contains("no right to WRITE");
    }

    @Test
    void thePolicyFileSaysWhoMayComeAndIsReadAgainWhenItChanges() throws Exception {
        conf.setBoolean("hadoop.security.authorization", true);
        conf.set("dfs.cluster.administrators", "operator");
        Path classpath = Files.createDirectories(directory.resolve("policy"));
        conf.setClassLoader(new URLClassLoader(new URL[] {classpath.toUri().toURL()}, null));
        Path policy = classpath.resolve("hadoop-policy.xml");
        write(policy, "security.trefoil.journal.protocol.acl", "nn");
        serve();
        assertThat(first("nn/localhost")).startsWith("up");
        assertThat(first("operator"))
                .startsWith("refused operator@")
                .contains("security.trefoil.journal.protocol.acl", "hadoop-policy.xml");

        write(policy, "security.trefoil.journal.protocol.acl", "nn,operator");
        await().untilAsserted(() -> assertThat(first("operator")).startsWith("up"));
        assertThat(first("stranger")).startsWith("refused").contains("hadoop-policy.xml");

        Files.writeString(policy, "<configuration> nonsense");
        write(policy, "security.trefoil.journal.protocol.acl.blocked", "operator");
        await().untilAsserted(() -> assertThat(first("operator")).contains("hadoop-policy.xml"));
        assertThat(first("stranger")).as("lets it in, and it has no right").contains("may not use the journals");
        assertThat(first("nn/localhost")).startsWith("up");

        Files.writeString(policy, "<configuration> nonsense");
        await().pollDelay(Duration.ofMillis(1_100))
                .untilAsserted(() -> assertThat(first("operator")).contains("hadoop-policy.xml"));
        assertThat(first("nn/localhost")).as("a file that is half written").startsWith("up");
    }

    @Test
    void administratorsAreReadAgainWhenTheFileChangesUnlessTheyWereGivenInAnotherWay() throws Exception {
        Path classpath = Files.createDirectories(directory.resolve("site"));
        conf.setClassLoader(new URLClassLoader(new URL[] {classpath.toUri().toURL()}, null));
        Path site = classpath.resolve("hdfs-site.xml");
        write(site, "dfs.cluster.administrators", "nobody");
        conf.set("dfs.cluster.administrators", "nobody");
        serve();
        assertThat(first("operator")).contains("may not use the journals");

        write(site, "dfs.cluster.administrators", "nobody,operator");
        await().untilAsserted(() -> assertThat(first("operator")).startsWith("up"));

        AtomicLong now = new AtomicLong();
        conf.set("dfs.cluster.administrators", "somebody");
        Administrators given = new Administrators(conf, now::get);
        write(site, "dfs.cluster.administrators", "operator,somebody,another");
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(given.contain("operator@EXAMPLE.COM", USERS.get("nn/localhost")))
                .isFalse();
        assertThat(given.contain("somebody@EXAMPLE.COM", USERS.get("nn/localhost")))
                .isTrue();
    }

    /** What a caller hears first. */
    private String first(String user) throws Exception {
        TestCaller listener = new TestCaller();
        Link link = connect(user, conf, CallerRole.READER, server.boundAddress(), listener);
        String heard = listener.next();
        link.close();
        return heard;
    }

    private static void write(Path file, String key, String value) throws IOException {
        Path written = file.resolveSibling("written");
        Files.writeString(
                written,
                "<configuration><property><name>" + key + "</name><value>" + value
                        + "</value></property></configuration>");
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Each has got its challenge, for which it costs what it can; half of them have valid credentials. */
    @Test
    void massesOfHalfDoneProofsKeepNobodyOut() throws Exception {
        serve();
        List<RawCaller> masses = new ArrayList<>();
        TestCaller steady = new TestCaller();
        Link writer = connect("nn/localhost", conf, CallerRole.READER, server.boundAddress(), steady);
        assertThat(steady.next()).startsWith("up");
        try {
            for (int i = 0; i < 160; i++) {
                RawCaller one = new RawCaller(server.boundAddress());
                masses.add(one);
                String user = i % 2 == 0 ? "nn/localhost" : "stranger";
                one.send(RawCaller.hello(proved(user)));
                assertThat(one.readFrame()[1]).isEqualTo(MessageType.CHALLENGE.code());
                if (i % 50 == 25) {
                    transportOf(writer).execute(() -> {
                        writer.send(Samples.request(CallerRole.READER, 1));
                        writer.flush();
                    });
                    assertThat(steady.reply()).isNotNull();
                    assertThat(first("nn/localhost")).startsWith("up");
                }
            }
            // The oldest, by those that come after them, or at their deadline.
            await().until(() -> server.refusals().count(RefusalCause.HANDSHAKE_LIMIT)
                            + server.refusals().count(RefusalCause.HANDSHAKE_TIMEOUT)
                    >= 60 - 5);
            assertThat(server.connectionCount()).isLessThanOrEqualTo(100 + 5);
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("ssp-dialogue")))
                    .hasSizeLessThanOrEqualTo(4);
        } finally {
            for (RawCaller one : masses) {
                one.close();
            }
        }
        await().until(() -> server.connectionCount() <= 1);
    }

    @Test
    void whoHasNoTicketIsToldSoAndSendsNothing() throws Exception {
        serve();
        connect("nobody", conf, CallerRole.READER, server.boundAddress());
        assertThat(caller.next()).startsWith("refused").contains("nobody", "No valid credentials provided");
        assertThat(server.connectionCount()).isZero();
    }

    @Test
    void withoutCredentialsNobodyIsLetInWhateverHeAsksFor() throws Exception {
        serve();
        for (CallerRole role : CallerRole.values()) {
            for (PoolRequest request : WireFormatTest.requests()) {
                RawCaller stranger = raw().send(RawCaller.hello(Samples.hello(role)));
                byte[] answer = stranger.readFrame();
                assertThat(answer[1]).isEqualTo(MessageType.REFUSAL.code());
                assertThat(text(answer)).contains("GSSAPI", "hadoop.security.authentication");
                try {
                    stranger.send(RawCaller.request(1, request));
                } catch (IOException e) {
                    assertThat(e).hasMessageMatching("(?i).*(reset|broken).*");
                }
                stranger.assertClosed();
            }
        }
        assertThat(node.accepted).hasValue(0);
        assertThat(performed).isEmpty();
    }

    @Test
    void aRequestInThePlaceOfAResponseEndsTheConnection() throws Exception {
        serve();
        for (PoolRequest request : WireFormatTest.requests()) {
            RawCaller stranger = raw().send(RawCaller.hello(proved("nn/localhost")));
            assertThat(stranger.readType()).isEqualTo(MessageType.CHALLENGE.code());
            stranger.send(RawCaller.request(1, request));
            stranger.assertClosed();
        }
        RawCaller again = raw().send(RawCaller.hello(proved("nn/localhost")));
        again.readType();
        again.send(RawCaller.hello(proved("nn/localhost"))).assertClosed();
        assertThat(node.accepted).hasValue(0);
        assertThat(performed).isEmpty();
    }

    @Test
    void tokensThatAreCutChangedRepeatedOrMadeUpProveNothing() throws Exception {
        serve();
        Hello good = proved("nn/localhost");
        byte[] token = good.credentials().toByteArray();
        for (int length : new int[] {0, 1, 20, token.length / 2, token.length - 1}) {
            assertThat(refusalOf(Arrays.copyOf(token, length))).contains("did not prove");
        }
        for (int at : new int[] {0, 10, token.length / 3, token.length - 20}) {
            byte[] changed = token.clone();
            changed[at] ^= 0x20;
            assertThat(refusalOf(changed)).contains("did not prove");
        }
        assertThat(refusalOf(new byte[70_000])).contains("did not prove");

        RawCaller first = raw().send(RawCaller.hello(good));
        byte[] challenge = first.readFrame();
        assertThat(challenge[1]).isEqualTo(MessageType.CHALLENGE.code());
        assertThat(refusalOf(token)).as("the same token again").contains("did not prove");
        // What the node says, said to itself.
        byte[] reflected = Arrays.copyOfRange(challenge, 14, challenge.length);
        assertThat(refusalOf(reflected)).contains("did not prove");
        first.send(frame(MessageType.RESPONSE, reflected));
        assertThat(text(first.readFrame())).contains("did not prove");
        first.assertClosed();

        RawCaller giant = raw().send(ByteBuffer.allocate(4).putInt(80_000).array());
        giant.assertClosed();
        assertThat(server.refusals().count(RefusalCause.GIANT_FRAME)).isEqualTo(1);
        assertThat(node.accepted).hasValue(0);
    }

    @Test
    void emptyResponsesForEverProveNothing() throws Exception {
        serve();
        RawCaller stranger = raw().send(RawCaller.hello(proved("nn/localhost")));
        byte[] heard = stranger.readFrame();
        int rounds = 0;
        while (heard[1] == MessageType.CHALLENGE.code()) {
            rounds++;
            stranger.send(frame(MessageType.RESPONSE, new byte[0]));
            heard = stranger.readFrame();
        }
        assertThat(heard[1]).isEqualTo(MessageType.REFUSAL.code());
        assertThat(rounds).isLessThanOrEqualTo(4);
        assertThat(node.accepted).hasValue(0);
    }

    @Test
    void whatSomebodyInTheMiddleMadeOfAHelloIsNoticed() throws Exception {
        conf.set("hadoop.rpc.protection", "integrity");
        serve();
        // "ns1" is the journal: the same rights there, and another log.
        Relay relay = relay((index, words) -> List.of(index == 0 ? replaced(words, "ns1", "ns2") : words));

        connect("nn/localhost", conf, CallerRole.WRITER, relay.address());

        assertThat(caller.next()).startsWith("refused").contains("changed on its way");
    }

    @ParameterizedTest
    @ValueSource(strings = {"change", "repeat", "leave out", "cut", "exchange", "plain"})
    void whatIsProtectedComesAsItWasSentOrNotAtAll(String how) throws Exception {
        conf.set("hadoop.rpc.protection", how.equals("plain") ? "privacy" : "integrity");
        serve();
        // A hello and two responses come first.
        byte[][] held = new byte[2][];
        Relay relay = relay((index, words) -> {
            if (index == 3 || index == 4) {
                held[index - 3] = words;
            }
            if (index < 4) {
                return List.of(words);
            }
            return switch (how) {
                case "change" -> List.of(changed(words));
                case "repeat" -> List.of(held[0], words);
                case "leave out" -> index == 4 ? List.of() : List.of(words);
                case "cut" -> List.of(Arrays.copyOf(words, words.length - 1));
                case "exchange" -> index == 4 ? List.of() : List.of(words, held[1]);
                default -> List.of(withoutLength(RawCaller.request(9, Samples.append(9))));
            };
        });
        Link link = connect("nn/localhost", conf, CallerRole.WRITER, relay.address());
        assertThat(caller.next()).startsWith("up");
        ask(link, Samples.append(1));

        transportOf(link).execute(() -> {
            link.send(Samples.append(2));
            link.send(Samples.append(3));
            link.flush();
        });

        assertThat(caller.next()).startsWith("down");
        await().untilAsserted(() ->
                assertThat(server.refusals().count(RefusalCause.PROTECTION)).isEqualTo(1));
        assertThat(performed).contains(Samples.append(1)).doesNotContain(Samples.append(9));
        assertThat(performed.stream().filter(Samples.append(1)::equals)).hasSize(1);
    }

    private static byte[] changed(byte[] words) {
        byte[] changed = words.clone();
        changed[words.length / 2] ^= 1;
        return changed;
    }

    private static byte[] withoutLength(byte[] frame) {
        return Arrays.copyOfRange(frame, 4, frame.length);
    }

    @Test
    void aPieceOfAnyLengthThatNobodySendsIsRefused() throws Exception {
        conf.set("hadoop.rpc.protection", "privacy");
        serve();
        Relay relay = relay((index, words) -> index < 3 ? List.of(words) : List.of(new byte[100_000]));
        Link link = connect("nn/localhost", conf, CallerRole.WRITER, relay.address());
        assertThat(caller.next()).startsWith("up");

        transportOf(link).execute(() -> {
            link.send(Samples.append(1));
            link.flush();
        });

        assertThat(caller.next()).startsWith("down");
        await().untilAsserted(() ->
                assertThat(server.refusals().count(RefusalCause.GIANT_FRAME)).isEqualTo(1));
    }

    @Test
    void aNodeThatProvesNothingIsNotBelieved() throws Exception {
        NettyPoolServer impostor = NettyPoolServer.start(
                "localhost", 0, node, Doorkeeper.OPEN, impostor(), ServerLimits.USUAL, TlsSettings.OFF);
        open.push(impostor);

        connect("nn/localhost", conf, CallerRole.WRITER, impostor.boundAddress());

        assertThat(caller.next()).startsWith("refused").contains("has not proved who it is itself");
    }

    @Test
    void aNodeOfAnotherPrincipalIsNotBelieved() throws Exception {
        NettyPoolServer other = NettyPoolServer.start(
                "localhost",
                0,
                node,
                Doorkeeper.OPEN,
                authentication("dn/localhost", conf, "dn/_HOST"),
                ServerLimits.USUAL,
                TlsSettings.OFF);
        open.push(other);

        connect("nn/localhost", conf, CallerRole.WRITER, other.boundAddress());

        assertThat(caller.next()).startsWith("refused").contains("did not prove");
        assertThat(node.accepted).hasValue(0);
    }

    /** A writer ends when it hears that its journal is no more (rule R11). */
    @Test
    void onlyANodeThatIsKnownSaysThatAJournalIsAnother() throws Exception {
        List<Incarnation> heard = new CopyOnWriteArrayList<>();
        TestCaller strange = new TestCaller() {
            @Override
            public void strange(Link link, Incarnation kept) {
                heard.add(kept);
            }
        };
        node.doorman = hello -> {
            throw new SessionRefusedException(
                    SessionRefusedException.Reason.WRONG_CLUSTER, "another", Optional.of(Incarnation.of(7, 7)));
        };
        NettyPoolServer impostor = NettyPoolServer.start(
                "localhost", 0, node, Doorkeeper.OPEN, impostor(), ServerLimits.USUAL, TlsSettings.OFF);
        open.push(impostor);
        connect("nn/localhost", conf, CallerRole.WRITER, impostor.boundAddress(), strange);
        assertThat(strange.next()).isEqualTo("refused another");
        assertThat(heard).isEmpty();

        serve();
        connect("nn/localhost", conf, CallerRole.WRITER, server.boundAddress(), strange);
        assertThat(strange.next()).isEqualTo("refused another");
        assertThat(heard).containsExactly(Incarnation.of(7, 7));
    }

    @Test
    void aCallerWithoutKerberosAndANodeWithItTellWhatIsWrong() throws Exception {
        serve();
        NettyTransport plain = NettyTransport.start("plain");
        open.push(plain);
        plain.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.READER), caller);
        assertThat(caller.next()).startsWith("refused").contains("GSSAPI", "hadoop.security.authentication");

        NettyPoolServer open =
                NettyPoolServer.start("localhost", 0, node, Doorkeeper.OPEN, ServerLimits.USUAL, TlsSettings.OFF);
        this.open.push(open);
        TestCaller kerberised = new TestCaller();
        connect("nn/localhost", conf, CallerRole.READER, open.boundAddress(), kerberised);
        assertThat(kerberised.next()).startsWith("refused").contains("NONE", "hadoop.security.authentication");
    }

    @Test
    void aProcessThatCallersWouldNotKnowAsANodeDoesNotBecomeOne() {
        assertThatThrownBy(
                        () -> authentication("dn/localhost", conf, "nn/_HOST").guard(Doorkeeper.OPEN))
                .hasMessageContaining(kdc.principal("nn/_HOST"))
                .hasMessageContaining(kdc.principal("dn/localhost"));
    }

    @Test
    void aNodeOfItsOwnPrincipalServesNameNodesAndReadsFromOthers() throws Exception {
        KerberosAuthentication own = authentication("ssp/localhost", conf, "ssp/_HOST");
        server = serve(own);
        TestCaller standAlone = new TestCaller();
        NettyTransport transport = NettyTransport.start("node", own);
        open.push(transport);
        transport.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.READER), standAlone);
        assertThat(standAlone.next()).startsWith("up");
        TestCaller writer = new TestCaller();
        transport.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.WRITER), writer);
        assertThat(writer.next()).contains("no right to WRITE");

        NettyTransport nameNode = NettyTransport.start("nn", authentication("nn/localhost", conf, "ssp/_HOST"));
        open.push(nameNode);
        nameNode.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");
    }

    @Test
    void aNodeOfItsOwnPrincipalJoinsAsItselfOnly() throws Exception {
        NodeAddress itself = NodeAddress.of("localhost", 8487);
        PoolRequest join = ChangeMembersRequest.of(MemberChange.join("t1", itself));
        PoolRequest joinAnother = ChangeMembersRequest.of(MemberChange.join("t2", NodeAddress.of("localhost", 8488)));
        KerberosAuthentication own = authentication("ssp/localhost", conf, "ssp/_HOST");
        server = serve(own);

        Link honest = connectNode(own, itself, caller);
        assertThat(caller.next()).startsWith("up");
        assertThat(ask(honest, joinAnother)).isInstanceOf(FailedReply.class);
        assertThat(ask(honest, join)).isNotInstanceOf(FailedReply.class);
        assertThat(performed).containsExactly(join);

        connectNode(own, NodeAddress.of("nowhere.invalid", 8487), caller);
        assertThat(caller.next()).startsWith("up");
        Link lying = connectNode(own, NodeAddress.of("192.0.2.1", 8487), caller);
        assertThat(caller.next()).startsWith("up");
        assertThat(ask(lying, ChangeMembersRequest.of(MemberChange.join("t3", NodeAddress.of("192.0.2.1", 8487)))))
                .isInstanceOfSatisfying(
                        FailedReply.class, failed -> assertThat(failed.reason()).contains("no right to JOIN"));
        assertThat(performed).containsExactly(join);
    }

    private Link connectNode(KerberosAuthentication own, NodeAddress itself, TestCaller listener) {
        NettyTransport transport = NettyTransport.start("node", own);
        open.push(transport);
        Hello hello = Hello.of(Samples.JOURNAL, Samples.NAMESPACE, CallerRole.READER, "node", Optional.of(itself));
        Link link = transport.connect(Samples.addressOf(server.boundAddress()), hello, listener);
        transports.put(link, transport);
        return link;
    }

    /** Says that nothing is to be proved, in the name of Kerberos. */
    private static Authentication impostor() {
        return new Authentication() {
            @Override
            public String mechanism() {
                return KerberosAuthentication.MECHANISM;
            }

            @Override
            public Dialogue call(InetAddress called) throws IOException {
                return NONE.call(called);
            }

            @Override
            public Dialogue receive(InetAddress from) throws IOException {
                return new Credulous();
            }

            @Override
            public Doorkeeper guard(Doorkeeper byAddress) {
                return byAddress;
            }
        };
    }

    /** Believes everything at once. */
    private static final class Credulous implements Dialogue {
        @Override
        public Bytes hear(Bytes said) {
            return Bytes.EMPTY;
        }

        @Override
        public boolean isComplete() {
            return true;
        }

        @Override
        public Identity peer() {
            return Identity.of(Identity.Kind.PRINCIPAL, "anybody", Set.of());
        }

        @Override
        public Optional<Protection> protection() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private void serve() throws IOException {
        server = serve(authentication("nn/localhost", conf, "nn/_HOST"));
    }

    private NettyPoolServer serve(KerberosAuthentication authentication) throws IOException {
        TestNode.Turn answer = node.turn;
        node.turn = requests -> {
            requests.forEach(one -> performed.add(one.request()));
            answer.serve(requests);
        };
        NettyPoolServer started = NettyPoolServer.start(
                "localhost",
                0,
                node,
                authentication.guard(Doorkeeper.OPEN),
                authentication,
                ServerLimits.of(Duration.ofSeconds(10), 100, 500),
                TlsSettings.OFF);
        open.push(started);
        return started;
    }

    private static KerberosAuthentication authentication(String user, Configuration settings, String nodes) {
        return new KerberosAuthentication(
                settings,
                PoolPrincipals.of(kdc.principal(nodes), List.of(kdc.principal("nn/_HOST"))),
                () -> USERS.get(user));
    }

    private Link connect(String user, Configuration settings, CallerRole role, InetSocketAddress to) {
        return connect(user, settings, role, to, caller);
    }

    private Link connect(
            String user, Configuration settings, CallerRole role, InetSocketAddress to, TestCaller listener) {
        NettyTransport transport = NettyTransport.start("caller", authentication(user, settings, "nn/_HOST"));
        open.push(transport);
        Link link = transport.connect(Samples.addressOf(to), Samples.hello(role), listener);
        transports.put(link, transport);
        return link;
    }

    private NettyTransport transportOf(Link link) {
        return transports.get(link);
    }

    private PoolReply ask(Link link, PoolRequest request) throws InterruptedException {
        transportOf(link).execute(() -> {
            link.send(request);
            link.flush();
        });
        return caller.reply();
    }

    private RawCaller raw() throws IOException {
        RawCaller raw = new RawCaller(server.boundAddress());
        open.push(raw);
        return raw;
    }

    private Relay relay(Relay.Meddler meddler) throws IOException {
        Relay relay = new Relay(server.boundAddress(), meddler);
        open.push(relay);
        return relay;
    }

    /** A hello with a token that is good for once. */
    private Hello proved(String user) throws IOException {
        Dialogue dialogue = authentication(user, conf, "nn/_HOST").call(InetAddress.getLoopbackAddress());
        return Samples.hello(CallerRole.WRITER).proving(KerberosAuthentication.MECHANISM, dialogue.hear(Bytes.EMPTY));
    }

    private String refusalOf(byte[] token) throws IOException {
        RawCaller stranger = raw().send(RawCaller.hello(
                Samples.hello(CallerRole.WRITER).proving(KerberosAuthentication.MECHANISM, Bytes.wrap(token))));
        byte[] answer = stranger.readFrame();
        assertThat(answer[1]).isEqualTo(MessageType.REFUSAL.code());
        stranger.assertClosed();
        return text(answer);
    }

    private static byte[] frame(MessageType type, byte[] token) {
        return ByteBuffer.allocate(4 + 10 + 4 + token.length)
                .putInt(14 + token.length)
                .put((byte) 0)
                .put(type.code())
                .putLong(0)
                .putInt(token.length)
                .put(token)
                .array();
    }

    private static byte[] replaced(byte[] words, String from, String to) {
        String text = new String(words, StandardCharsets.ISO_8859_1);
        int at = text.indexOf(from);
        assertThat(at).isPositive();
        byte[] changed = words.clone();
        System.arraycopy(to.getBytes(StandardCharsets.ISO_8859_1), 0, changed, at, to.length());
        return changed;
    }

    private static String text(byte[] frame) {
        return new String(frame, StandardCharsets.UTF_8);
    }

    private static MessageType type(PoolRequest request) {
        byte code = RawCaller.request(1, request)[5];
        return List.of(MessageType.values()).stream()
                .filter(type -> type.code() == code)
                .collect(Collectors.toList())
                .get(0);
    }
}
