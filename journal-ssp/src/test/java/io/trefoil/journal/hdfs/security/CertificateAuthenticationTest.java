/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.codec.Samples;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where callers show certificates, {@code hadoop-policy.xml} knows them by the hosts that these name. */
class CertificateAuthenticationTest {
    private static final String LIST = "security.trefoil.journal.protocol.acl";

    @TempDir
    private Path directory;

    private final Configuration conf = new Configuration(false);
    private final AtomicLong now = new AtomicLong();

    @BeforeEach
    void writeInitialPolicy() throws IOException {
        conf.setClassLoader(new URLClassLoader(new URL[] {directory.toUri().toURL()}, null));
        conf.setBoolean("hadoop.security.authorization", true);
    }

    @Test
    void admitsOnlyCertificatesNamingListedHost() throws Exception {
        writePolicy(Map.of(LIST, "nn1.test,10.0.0.2"));
        AccessController door = accessController();

        assertThat(requestAccess(door, "nn1.test", "nn1")).isEqualTo("let in");
        assertThat(requestAccess(door, "nn2.test", "10.0.0.2")).isEqualTo("let in");
        assertThat(requestAccess(door, "nn3.test"))
                .contains("CN=nn3.test, for [nn3.test], at 127.0.0.1", LIST, "hadoop-policy.xml");
        assertThat(requestAccess(door)).as("a certificate that names no host").contains(LIST);
    }

    @Test
    void singleBlockedNameRejectsCertificate() throws Exception {
        writePolicy(Map.of(LIST, "*", LIST + ".blocked", "dn1.test"));
        AccessController door = accessController();

        assertThat(requestAccess(door, "nn1.test")).isEqualTo("let in");
        assertThat(requestAccess(door, "nn1.test", "dn1.test")).contains(LIST);
    }

    @Test
    void hostListMatchesAddresses() throws Exception {
        writePolicy(Map.of("security.trefoil.journal.protocol.hosts.blocked", "127.0.0.1"));

        assertThat(requestAccess(accessController(), "nn1.test")).contains("security.trefoil.journal.protocol.hosts");
    }

    @Test
    void userListForAllServicesDoesNotRestrictHosts() throws Exception {
        writePolicy(Map.of("security.service.authorization.default.acl", "hdfs,yarn"));

        assertThat(requestAccess(accessController(), "nn1.test")).isEqualTo("let in");
    }

    @Test
    void reloadsChangedPolicyFile() throws Exception {
        writePolicy(Map.of(LIST, "nn1.test"));
        AccessController door = accessController();
        assertThat(requestAccess(door, "nn2.test")).contains(LIST);

        writePolicy(Map.of(LIST, "nn1.test,nn2.test"));
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));

        assertThat(requestAccess(door, "nn2.test")).isEqualTo("let in");
    }

    @Test
    void skipsLookupWithoutServiceAuthorizationOrCertificate() throws Exception {
        writePolicy(Map.of(LIST, "nn1.test"));
        AccessController door = accessController();
        assertThat(requestAccess(door, CallerCredentials.from(InetAddress.getLoopbackAddress())))
                .as("without TLS, where it is optional")
                .isEqualTo("let in");

        conf.setBoolean("hadoop.security.authorization", false);
        assertThat(accessController()).isSameAs(AccessController.OPEN);
    }

    /** As the host of a pool node that is no longer a member. */
    @Test
    void openSessionLosesRevokedRights() throws Exception {
        writePolicy(Map.of(LIST, "nn1.test"));
        Object edition = new Object();
        AccessController door = accessController(new AccessController() {
            @Override
            public boolean expectsCallsFrom(InetAddress from) {
                return true;
            }

            @Override
            public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
                return AccessController.OPEN.admit(hello, credentials);
            }

            @Override
            public Object rightsVersion() {
                return edition;
            }

            @Override
            public Caller recheck(Hello hello, CallerCredentials credentials, Caller admitted) {
                return admitted.withoutRights();
            }
        });

        assertThat(door.rightsVersion()).isSameAs(edition);
        Caller admitted = Caller.of("nn1", EnumSet.allOf(AccessRight.class));
        CallerCredentials credentials = CallerCredentials.from(InetAddress.getLoopbackAddress());
        assertThat(door.recheck(Samples.hello(CallerRole.READER), credentials, admitted)
                        .rights())
                .isEmpty();
    }

    private AccessController accessController() {
        return accessController(AccessController.OPEN);
    }

    private AccessController accessController(AccessController byCertificate) {
        return new CertificateAuthentication(conf, now::get).wrapAccessController(byCertificate);
    }

    private void writePolicy(Map<String, String> properties) throws IOException {
        Configuration policy = new Configuration(false);
        properties.forEach(policy::set);
        Path written = directory.resolve("written");
        try (var out = Files.newOutputStream(written)) {
            policy.writeXml(out);
        }
        Files.move(written, directory.resolve("hadoop-policy.xml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String requestAccess(AccessController door, String... hosts) throws Exception {
        String name = "CN=" + (hosts.length == 0 ? "nobody" : hosts[0]);
        return requestAccess(
                door,
                CallerCredentials.from(InetAddress.getByName("127.0.0.1"))
                        .withIdentity(Identity.of(Identity.Kind.CERTIFICATE, name, Set.of(hosts))));
    }

    private static String requestAccess(AccessController door, CallerCredentials credentials) throws Exception {
        try {
            Caller caller = door.admit(Samples.hello(CallerRole.READER), credentials)
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            assertThat(caller.refusalOf(CallerRole.READER)).isEmpty();
            return "let in";
        } catch (ExecutionException e) {
            return e.getCause().getMessage();
        }
    }
}
