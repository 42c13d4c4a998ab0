/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.bookkeeper.client.ClientAccess;
import io.trefoil.journal.model.Bytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.server.auth.DigestLoginModule;

/** The files of a cluster whose bookies want TLS with certificates of both sides, and a login by SASL. */
final class BookieSecurity {
    private final Path directory;
    private final List<String> server;
    private final Path tls;
    private final Path tlsAndSasl;

    BookieSecurity(Path directory) throws Exception {
        this.directory = directory;
        TestCertificates certificates = new TestCertificates(directory, "authority");
        Path password = Files.writeString(directory.resolve("store-password"), TestCertificates.PASSWORD);
        List<String> both = List.of(
                "tlsProvider=JDK",
                "tlsProviderFactoryClass=org.apache.bookkeeper.tls.TLSContextFactory",
                "tlsClientAuthentication=true");
        server = new ArrayList<>(both);
        server.addAll(stores("tls", certificates.createKeystore("bookie", "127.0.0.1"), certificates, password));
        server.add("bookieAuthProviderFactoryClass=org.apache.bookkeeper.sasl.SASLBookieAuthProviderFactory");
        server.add("saslJaasClientAllowedIds=nn");
        List<String> client = new ArrayList<>(both);
        client.addAll(stores("client", certificates.createKeystore("namenode", "127.0.0.1"), certificates, password));
        tls = Files.write(directory.resolve("tls.conf"), client);
        client.add("clientAuthProviderFactoryClass=org.apache.bookkeeper.sasl.SASLClientProviderFactory");
        tlsAndSasl = Files.write(directory.resolve("both.conf"), client);
    }

    private static List<String> stores(String prefix, Path keys, TestCertificates certificates, Path password) {
        return List.of(
                prefix + "KeyStoreType=PKCS12",
                prefix + "KeyStore=" + keys,
                prefix + "KeyStorePasswordPath=" + password,
                prefix + "TrustStoreType=PKCS12",
                prefix + "TrustStore=" + certificates.truststore(),
                prefix + "TrustStorePasswordPath=" + password);
    }

    /** Starts such bookies; clients in this JVM log in as it is configured. */
    Bookies startBookies(Bytes password) throws Exception {
        Path jaas = writeLogin("Bookie", "user_nn=\"pw\"");
        return Bookies.start(
                directory,
                List.of("-Djava.security.auth.login.config=" + jaas, "-Dzookeeper.sasl.client=false"),
                server,
                ClientAccess.of(password, Optional.of(tlsAndSasl)));
    }

    /** The JAAS file of a NameNode. */
    Path clientLogin() throws Exception {
        return writeLogin("BookKeeper", "username=\"nn\" password=\"pw\"");
    }

    private Path writeLogin(String section, String options) throws Exception {
        return Files.write(
                directory.resolve(section + ".jaas"),
                List.of(section + " {", DigestLoginModule.class.getName() + " required " + options + ";", "};"));
    }

    /** The client's settings without a login. */
    Path tls() {
        return tls;
    }

    /** The client's settings, as other users of the cluster have them. */
    Path tlsAndSasl() {
        return tlsAndSasl;
    }
}
