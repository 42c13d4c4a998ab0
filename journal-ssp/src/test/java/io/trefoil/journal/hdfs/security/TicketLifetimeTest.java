/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.hdfs.TestKdc;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What time does to tickets, keys and clocks, with a KDC whose tickets are good for seconds. */
class TicketLifetimeTest {
    private static final Duration LIFETIME = Duration.ofSeconds(16);

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final org.apache.hadoop.conf.Configuration conf = new org.apache.hadoop.conf.Configuration(false);
    private TestKdc kdc;
    private NettyPoolServer server;

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void survivesTicketExpiryKeyChangesAndClockSkew() throws Exception {
        kdc = TestKdc.withShortLivedTickets(directory, LIFETIME, Duration.ofSeconds(4));
        open.push(kdc);
        conf.set("hadoop.kerberos.min.seconds.before.relogin", "0");
        kdc.login(conf, "nn/localhost");
        serve();
        TestCaller steady = new TestCaller();
        Link session = connect(authentication(), steady);
        assertThat(steady.next()).startsWith("up");
        Subject byHand = loginManually();
        assertThat(firstReply(authentication(UserGroupInformation.getUGIFromSubject(byHand))))
                .startsWith("up");
        Bytes earlyToken =
                authentication().beginAsCaller(InetAddress.getLoopbackAddress()).process(Bytes.EMPTY);

        await().atMost(LIFETIME.multipliedBy(2)).until(() -> areAllTicketsExpired(byHand));

        checkKeytabLoginIsRenewed();
        checkSessionOutlivesItsTicket(session, steady);
        checkExpiredTicketIsReported(byHand);
        checkClockSkewIsReported(earlyToken);
        checkRewrittenKeytabIsReloaded();
    }

    private void checkKeytabLoginIsRenewed() throws Exception {
        assertThat(firstReply(authentication())).startsWith("up");
    }

    private void checkSessionOutlivesItsTicket(Link session, TestCaller steady) throws Exception {
        transport.execute(() -> {
            session.send(Samples.request(CallerRole.READER, 1));
            session.flush();
        });
        assertThat(steady.reply()).isNotNull();
    }

    private void checkExpiredTicketIsReported(Subject byHand) throws Exception {
        assertThat(firstReply(authentication(UserGroupInformation.getUGIFromSubject(byHand))))
                .startsWith("refused")
                .contains("nn/localhost@", "No valid credentials provided");
    }

    private void checkClockSkewIsReported(Bytes earlyToken) throws Exception {
        Hello hello = Samples.hello(CallerRole.READER).withAuthentication(KerberosAuthentication.MECHANISM, earlyToken);
        try (RawCaller late = new RawCaller(server.boundAddress())) {
            late.send(RawCaller.hello(hello));
            assertThat(new String(late.readFrame(), StandardCharsets.UTF_8)).contains("Clock skew too great");
        }
    }

    private void checkRewrittenKeytabIsReloaded() throws Exception {
        UserGroupInformation late = kdc.user("late");
        conf.set("dfs.cluster.administrators", "late,early");
        serve();
        KerberosAuthentication early = authentication(kdc.user("early"));
        assertThat(firstReply(early)).startsWith("up");
        kdc.changeKeys("nn/localhost");
        assertThat(firstReply(authentication(late)))
                .startsWith("refused")
                .containsAnyOf("Checksum failed", "Cannot find key of appropriate type", "Specified version of key");

        kdc.writeKeytab("nn/localhost");
        checkTicketForOldKeysIsNotReused(early);
        UserGroupInformation later = kdc.user("later");
        conf.set("dfs.cluster.administrators", "late,later");
        assertThat(firstReply(authentication(later))).contains("may not use the journals of this cluster");
    }

    /** The first time it is refused, if it has not run out meanwhile. */
    private void checkTicketForOldKeysIsNotReused(KerberosAuthentication caller) throws Exception {
        assertThat(List.of(firstReply(caller), firstReply(caller)))
                .last(InstanceOfAssertFactories.STRING)
                .startsWith("up");
    }

    private void serve() throws Exception {
        server = NettyPoolServer.start(
                "localhost",
                0,
                new TestNode(),
                authentication().wrapAccessController(AccessController.OPEN),
                authentication(),
                ServerLimits.of(Duration.ofSeconds(10), 100, 500),
                TlsSettings.OFF);
        open.push(server);
    }

    /** Of this process, as its NameNode has it. */
    private KerberosAuthentication authentication() {
        return KerberosAuthentication.of(conf, principals());
    }

    private KerberosAuthentication authentication(UserGroupInformation user) {
        return new KerberosAuthentication(conf, principals(), () -> user);
    }

    private PoolPrincipals principals() {
        return PoolPrincipals.of(kdc.principal("nn/_HOST"), List.of(kdc.principal("nn/_HOST")));
    }

    private NettyTransport transport;

    private Link connect(KerberosAuthentication authentication, TestCaller listener) {
        transport = NettyTransport.start("caller", authentication);
        open.push(transport);
        return transport.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.READER), listener);
    }

    /** What a caller hears first. */
    private String firstReply(KerberosAuthentication authentication) throws Exception {
        TestCaller listener = new TestCaller();
        try (NettyTransport own = NettyTransport.start("once", authentication)) {
            own.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.READER), listener);
            return listener.next();
        }
    }

    /** As a user who typed {@code kinit}, whom Hadoop does not log in again. */
    private Subject loginManually() throws Exception {
        Subject subject = new Subject();
        AppConfigurationEntry entry = new AppConfigurationEntry(
                "com.sun.security.auth.module.Krb5LoginModule",
                LoginModuleControlFlag.REQUIRED,
                Map.of(
                        "useKeyTab",
                        "true",
                        "doNotPrompt",
                        "true",
                        "keyTab",
                        directory.resolve("nn-localhost.keytab").toString(),
                        "principal",
                        kdc.principal("nn/localhost")));
        Configuration logins = new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {entry};
            }
        };
        login(subject, logins);
        return subject;
    }

    private static void login(Subject subject, Configuration logins) throws LoginException {
        new LoginContext("by hand", subject, null, logins).login();
    }

    /** That for the server runs out later than that for the realm, by what lay between the two requests. */
    private static boolean areAllTicketsExpired(Subject subject) {
        return subject.getPrivateCredentials(KerberosTicket.class).stream().noneMatch(KerberosTicket::isCurrent);
    }
}
