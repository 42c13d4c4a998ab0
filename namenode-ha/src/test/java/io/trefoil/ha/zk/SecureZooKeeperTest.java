/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import io.trefoil.ha.run.Coordination;
import io.trefoil.ha.zk.connection.ZkClient;
import io.trefoil.ha.zk.connection.ZkSettings;
import io.trefoil.ha.zk.connection.ZkTls;
import io.trefoil.journal.TestCertificates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may take part, by a real ZooKeeper in this process: with passwords, with SASL, and over TLS. */
class SecureZooKeeperTest {
    /** For a host that is busy. */
    private static final Duration SOON = Duration.ofMinutes(1);

    /** Longer than threads stand still; a connection that ZooKeeper forgot while it started is given up after as long. */
    private static final Duration SESSION = Duration.ofSeconds(20);

    private static final String SECRET = "nn:wonderland";
    private static final List<ACL> ANYBODY = List.of(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone")));

    @TempDir
    private Path directory;

    private final List<Coordination> members = new ArrayList<>();
    private final Properties before = new Properties();
    private ZooKeeperServerMain server;
    private Thread serving;
    private int port;

    @BeforeEach
    void saveSystemProperties() throws IOException {
        before.putAll(System.getProperties());
        System.setProperty("zookeeper.admin.enableServer", "false");
        port = TestPorts.free();
    }

    @AfterEach
    void stopEverything() throws InterruptedException {
        members.forEach(Coordination::close);
        server.close();
        // That returns when no client is served any more; the log in the directory is closed later.
        serving.join(SOON.toMillis());
        System.setProperties(before);
        javax.security.auth.login.Configuration.setConfiguration(null);
    }

    private void startZooKeeper(String... settings) throws Exception {
        Path file = directory.resolve("zoo.cfg");
        List<String> lines = new ArrayList<>(List.of(settings));
        lines.add("dataDir=" + directory.resolve("data"));
        lines.add("tickTime=100");
        lines.add("maxSessionTimeout=" + SESSION.toMillis());
        lines.add("admin.enableServer=false");
        Files.write(file, lines);
        ServerConfig config = new ServerConfig();
        config.parse(file.toString());
        ZooKeeperServerMain starting = new ZooKeeperServerMain();
        server = starting;
        serving = new Thread(() -> run(starting, config), "zookeeper");
        serving.setDaemon(true);
        serving.start();
    }

    private static void run(ZooKeeperServerMain server, ServerConfig config) {
        try {
            server.runFromConfig(config);
        } catch (Exception e) {
            throw new IllegalStateException("no ZooKeeper to test with", e);
        }
    }

    private ZkSettings.Builder open() {
        return ZkSettings.builder()
                .quorum("localhost:" + port)
                .path("/trefoil/ns1")
                .sessionTimeout(SESSION);
    }

    private ZkSettings withPassword() throws Exception {
        return open().acl("digest:" + DigestAuthenticationProvider.generateDigest(SECRET) + ":cdrwa")
                .auths(List.of(ZkSettings.Auth.of("digest", SECRET)))
                .build();
    }

    @Test
    void passwordPreventsStrangersFromJoiningAndChangingAcls() throws Exception {
        startZooKeeper("clientPort=" + port);
        Member one = new Member("nn1", withPassword());
        Member other = new Member("nn2", withPassword());
        one.coordination.publish(record("nn1"));
        await().atMost(SOON).until(() -> other.view.member("nn1").isPresent());
        one.coordination.takeLock(
                LockRecord.ofHolder("nn1", Ballot.NONE.next(), one.view.session()), Ballot.NONE, Optional.empty());
        await().atMost(SOON).until(() -> other.view.lock().isPresent());
        View seen = other.view;

        try (CuratorFramework stranger = stranger()) {
            stranger.getZookeeperClient()
                    .getZooKeeper()
                    .addAuthInfo("digest", "eve:guess".getBytes(StandardCharsets.UTF_8));
            byte[] forged = RecordFormat.write(record("nn3"));
            for (Attempt attempt : List.<Attempt>of(
                    () -> stranger.create().forPath("/trefoil/ns1/members/nn3", forged),
                    () -> stranger.setData().forPath("/trefoil/ns1/members/nn1", forged),
                    () -> stranger.delete().forPath("/trefoil/ns1/members/nn1"),
                    () -> stranger.delete().forPath("/trefoil/ns1/lock"),
                    () -> stranger.setData().forPath("/trefoil/ns1/election", forged),
                    () -> stranger.create().forPath("/trefoil/ns1/more", forged),
                    () -> stranger.create().forPath("/trefoil/ns2", forged),
                    () -> stranger.getData().forPath("/trefoil/ns1/members/nn1"),
                    () -> stranger.setACL().withACL(ANYBODY).forPath("/trefoil/ns1/members/nn1"),
                    () -> stranger.setACL().withACL(ANYBODY).forPath("/trefoil/ns1"),
                    () -> stranger.setACL().withACL(ANYBODY).forPath("/trefoil"))) {
                assertThatThrownBy(attempt::run).isInstanceOf(KeeperException.NoAuthException.class);
            }
        }
        assertThat(other.view).isEqualTo(seen);
    }

    @Test
    void warnsOnceAboutDirectoriesCreatedBeforePassword() throws Exception {
        startZooKeeper("clientPort=" + port);
        Member former = new Member("nn1", open().auths(withPassword().auths()).build());
        former.coordination.publish(record("nn1"));
        await().atMost(SOON).until(() -> former.view.member("nn1").isPresent());

        PrintStream errors = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            Member careful = new Member("nn2", withPassword());
            careful.coordination.publish(record("nn2"));
            await().atMost(SOON).until(() -> former.view.member("nn2").isPresent());
            assertThat(careful.view.member("nn1"))
                    .as("one that is not restarted yet still counts")
                    .isPresent();
            await().atMost(SOON)
                    .until(() -> said.toString(StandardCharsets.UTF_8).contains("setAcl -R /trefoil"));
        } finally {
            System.setErr(errors);
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("/trefoil lets in world:anyone:cdrwa")
                .contains("/trefoil/ns1/members lets in world:anyone:cdrwa")
                .contains("/trefoil/ns1/election lets in")
                .doesNotContain("wonderland");
    }

    @Test
    void unreadableMemberDoesNotHideOthers() throws Exception {
        startZooKeeper("clientPort=" + port);
        Member former = new Member("nn1", open().build());
        Member careful = new Member("nn2", withPassword());
        careful.coordination.publish(record("nn2"));
        await().atMost(SOON).until(() -> careful.view.member("nn2").isPresent());

        former.coordination.publish(record("nn1"));

        await().atMost(SOON).until(() -> former.view.member("nn1").isPresent());
        assertThat(former.view.member("nn2")).isEmpty();
        await().atMost(SOON).until(() -> careful.view.member("nn1").isPresent());
    }

    @Test
    void ignoresMembersBeyondMaximumGroupSize() throws Exception {
        startZooKeeper("clientPort=" + port);
        Member one = new Member("nn1", open().build());
        try (CuratorFramework stranger = stranger()) {
            for (int i = 0; i < ViewReader.MAX_MEMBERS + 10; i++) {
                String name = String.format(Locale.ROOT, "x%03d", i);
                stranger.create().forPath("/trefoil/ns1/members/" + name, RecordFormat.write(record(name)));
            }
            await().atMost(SOON).until(() -> one.view.members().size() == ViewReader.MAX_MEMBERS);
            stranger.delete().forPath("/trefoil/ns1/members/x000");
            await().atMost(SOON).until(() -> one.view.member("x100").isPresent());
            assertThat(one.view.members()).hasSize(ViewReader.MAX_MEMBERS);
        }
    }

    @Test
    void connectsOverTlsWithMutualCertificates() throws Exception {
        TestCertificates ours = new TestCertificates(directory, "ours");
        TestCertificates theirs = new TestCertificates(directory, "theirs");
        ZkTls.Store key = store(ours.createKeystore("server", "localhost", "127.0.0.1"));
        ZkTls.Store trusted = store(ours.truststore());
        startZooKeeper(
                "secureClientPort=" + port,
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "ssl.keyStore.location=" + key.location(),
                "ssl.keyStore.password=" + key.password(),
                "ssl.trustStore.location=" + trusted.location(),
                "ssl.trustStore.password=" + trusted.password());
        Member one = new Member("nn1", open().tls(ZkTls.of(key, trusted)).build());
        Member other = new Member("nn2", open().tls(ZkTls.of(key, trusted)).build());
        one.coordination.publish(record("nn1"));
        await().atMost(SOON).until(() -> other.view.member("nn1").isPresent());

        ZkTls.Store foreignKey = store(theirs.createKeystore("foreign", "localhost", "127.0.0.1"));
        assertNeverConnected(open().tls(ZkTls.of(key, store(theirs.truststore()))));
        assertNeverConnected(open().tls(ZkTls.of(foreignKey, trusted)));
        assertNeverConnected(open());
    }

    /** By the certificate of one side, of the other, or of none. */
    private static void assertNeverConnected(ZkSettings.Builder settings) throws Exception {
        try (CuratorFramework client =
                ZkClient.of(settings.sessionTimeout(Duration.ofSeconds(2)).build())) {
            client.start();
            assertThat(client.blockUntilConnected(3, TimeUnit.SECONDS))
                    .as("connection with %s", settings.build().tls())
                    .isFalse();
        }
    }

    @Test
    void memberAuthenticatesByJaasSaslLogin() throws Exception {
        Path jaas = Files.writeString(
                directory.resolve("jaas.conf"),
                "Server { org.apache.zookeeper.server.auth.DigestLoginModule required user_nn=\"wonderland\"; };\n"
                        + "Client { org.apache.zookeeper.server.auth.DigestLoginModule required username=\"nn\""
                        + " password=\"wonderland\"; };\n");
        System.setProperty("java.security.auth.login.config", jaas.toString());
        javax.security.auth.login.Configuration.setConfiguration(null);
        startZooKeeper(
                "clientPort=" + port, "authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
        ZkSettings settings = open().acl("sasl:nn:cdrwa").build();
        Member one = new Member("nn1", settings);
        one.coordination.publish(record("nn1"));
        await().atMost(SOON).until(() -> one.view.member("nn1").isPresent());
        try (CuratorFramework same = ZkClient.of(settings)) {
            same.start();
            same.blockUntilConnected();
            assertThat(same.getACL().forPath("/trefoil/ns1/election"))
                    .containsExactly(new ACL(ZooDefs.Perms.ALL, new Id("sasl", "nn")));
        }

        System.setProperty("zookeeper.sasl.client", "false");
        try (CuratorFramework stranger = stranger()) {
            assertThatThrownBy(() -> stranger.setData().forPath("/trefoil/ns1/members/nn1", new byte[0]))
                    .isInstanceOf(KeeperException.NoAuthException.class);
        }
    }

    private static ZkTls.Store store(Path file) {
        return ZkTls.Store.of(file.toString(), TestCertificates.PASSWORD);
    }

    private CuratorFramework stranger() throws InterruptedException {
        CuratorFramework stranger = CuratorFrameworkFactory.newClient("localhost:" + port, new RetryOneTime(100));
        stranger.start();
        stranger.blockUntilConnected();
        return stranger;
    }

    private static MemberRecord record(String name) {
        return MemberRecord.builder()
                .name(name)
                .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                .version("1")
                .build();
    }

    /** An attempt by a user who may not. */
    private interface Attempt {
        void run() throws Exception;
    }

    /** One that takes part, and the view that it has. */
    private final class Member implements Coordination.Listener {
        final Coordination coordination;
        volatile View view = View.NOTHING;

        /** Returns when it has seen the view. */
        Member(String name, ZkSettings settings) {
            coordination = new ZkCoordination(settings, () -> "");
            members.add(coordination);
            coordination.start(this);
            await("view of " + name).atMost(SOON).until(() -> view != View.NOTHING);
        }

        @Override
        public void viewChanged(View now) {
            view = now;
        }

        @Override
        public void disconnected() {}

        @Override
        public void lockTaken(LockRecord lock) {}

        @Override
        public void lockMissed() {}
    }
}
