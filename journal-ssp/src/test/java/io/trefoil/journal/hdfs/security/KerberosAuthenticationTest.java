/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.PermittedWriters;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.WireFormatTest;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which principal may do what, by the configuration, the policy file and the administrators. */
class KerberosAuthenticationTest extends KerberosCallers {
    @Test
    void rejectsValidCredentialsOfWrongPrincipalForEveryRole() throws Exception {
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
        // Who was refused comes again a moment later.
        assertThat(server.refusals().count(RefusalCause.FORBIDDEN)).isGreaterThanOrEqualTo(4);
    }

    /** Rules of {@code auth_to_local} often make the NameNode's user of it. */
    @Test
    void dataNodeSharingNameNodeUserIsNotNameNode() throws Exception {
        conf.set("dfs.cluster.administrators", "dn,nn");
        serve();

        connect("dn/localhost", conf, CallerRole.READER, server.boundAddress());

        assertThat(caller.next()).startsWith("refused " + kdc.principal("dn/localhost"));
    }

    @Test
    void administratorReadsAndAdministersButCannotWrite() throws Exception {
        conf.set("dfs.cluster.administrators", "operator");
        serve();
        Link link = connect("operator", conf, CallerRole.READER, server.boundAddress());
        assertThat(caller.next()).startsWith("up");

        for (PoolRequest request : WireFormatTest.requests()) {
            if (type(request) != MessageType.COMMIT) {
                PoolReply reply = request(link, request);
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
    void nameNodeOnDifferentHostIsAccepted() throws Exception {
        serve();
        connect("nn/elsewhere", conf, CallerRole.WRITER, server.boundAddress());
        assertThat(caller.next()).startsWith("up");
    }

    @Test
    void nameNodeOfForeignNameserviceReadsButCannotWrite() throws Exception {
        PoolPrincipals any = PoolPrincipals.of(kdc.principal("nn/_HOST"), List.of(kdc.principal("nn/_HOST")));
        PermittedWriters atLocalhost = PermittedWriters.of(Map.of(Samples.JOURNAL, Set.of("localhost")));
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
    void foreignNameservicePrincipalOnSameHostCannotWrite() throws Exception {
        PoolPrincipals both = PoolPrincipals.of(
                kdc.principal("nn/_HOST"), List.of(kdc.principal("nn/_HOST"), kdc.principal("ssp/_HOST")));
        PermittedWriters atLocalhost = PermittedWriters.of(Map.of(Samples.JOURNAL, Set.of("127.0.0.1")));
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
    void policyFileControlsAdmissionAndIsReloadedOnChange() throws Exception {
        conf.setBoolean("hadoop.security.authorization", true);
        conf.set("dfs.cluster.administrators", "operator");
        Path policy = onClassPath("hadoop-policy.xml");
        write(policy, "security.trefoil.journal.protocol.acl", "nn");
        serve();
        assertThat(firstReply("nn/localhost")).startsWith("up");
        assertThat(firstReply("operator"))
                .startsWith("refused operator@")
                .contains("security.trefoil.journal.protocol.acl", "hadoop-policy.xml");

        write(policy, "security.trefoil.journal.protocol.acl", "nn,operator");
        await().untilAsserted(() -> assertThat(firstReply("operator")).startsWith("up"));
        assertThat(firstReply("stranger")).startsWith("refused").contains("hadoop-policy.xml");

        Files.writeString(policy, "<configuration> nonsense");
        write(policy, "security.trefoil.journal.protocol.acl.blocked", "operator");
        await().untilAsserted(() -> assertThat(firstReply("operator")).contains("hadoop-policy.xml"));
        assertThat(firstReply("stranger")).as("lets it in, and it has no right").contains("may not use the journals");
        assertThat(firstReply("nn/localhost")).startsWith("up");

        Files.writeString(policy, "<configuration> nonsense");
        await().pollDelay(Duration.ofMillis(1_100))
                .untilAsserted(() -> assertThat(firstReply("operator")).contains("hadoop-policy.xml"));
        assertThat(firstReply("nn/localhost")).as("a file that is half written").startsWith("up");
    }

    @Test
    void missingPolicyFileRejectsCallersUntilFileIsRepaired() throws Exception {
        conf.setBoolean("hadoop.security.authorization", true);
        conf.set("dfs.cluster.administrators", "operator");
        Path policy = onClassPath("hadoop-policy.xml");
        write(policy, "security.trefoil.journal.protocol.acl", "nn");
        serve();
        assertThat(firstReply("operator")).contains("hadoop-policy.xml");

        Path aside = Files.move(policy, policy.resolveSibling("aside"));
        await().pollDelay(Duration.ofMillis(1_100))
                .untilAsserted(() -> assertThat(firstReply("operator")).contains("hadoop-policy.xml"));
        Files.move(aside, policy);

        write(policy, "security.trefoil.journal.protocol.acl", "nn,operator");
        String whole = Files.readString(policy);
        FileTime written = Files.getLastModifiedTime(policy);
        Files.writeString(policy, whole.replace("</configuration>", "</konfiguration>"));
        Files.setLastModifiedTime(policy, written);
        await().pollDelay(Duration.ofMillis(1_100))
                .untilAsserted(() -> assertThat(firstReply("operator")).contains("hadoop-policy.xml"));
        Files.writeString(policy, whole);
        Files.setLastModifiedTime(policy, written);
        await().untilAsserted(() -> assertThat(firstReply("operator")).startsWith("up"));
    }

    @Test
    void reloadsAdministratorsFromFileUnlessSetProgrammatically() throws Exception {
        Path site = onClassPath("hdfs-site.xml");
        write(site, "dfs.cluster.administrators", "nobody");
        conf.set("dfs.cluster.administrators", "nobody");
        serve();
        assertThat(firstReply("operator")).contains("may not use the journals");

        write(site, "dfs.cluster.administrators", "nobody,operator");
        await().untilAsserted(() -> assertThat(firstReply("operator")).startsWith("up"));

        AtomicLong now = new AtomicLong();
        conf.set("dfs.cluster.administrators", "somebody");
        Administrators given = new Administrators(conf, now::get);
        write(site, "dfs.cluster.administrators", "operator,somebody,another");
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(given.contains("operator@EXAMPLE.COM", USERS.get("nn/localhost")))
                .isFalse();
        assertThat(given.contains("somebody@EXAMPLE.COM", USERS.get("nn/localhost")))
                .isTrue();
    }

    /** Where the configuration finds such a file, and nothing else. */
    private Path onClassPath(String name) throws IOException {
        Path classPath = Files.createDirectories(directory.resolve("conf"));
        conf.setClassLoader(new URLClassLoader(new URL[] {classPath.toUri().toURL()}, null));
        return classPath.resolve(name);
    }

    private static void write(Path file, String key, String value) throws IOException {
        Path written = file.resolveSibling("written");
        Files.writeString(
                written,
                "<configuration><property><name>" + key + "</name><value>" + value
                        + "</value></property></configuration>");
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
