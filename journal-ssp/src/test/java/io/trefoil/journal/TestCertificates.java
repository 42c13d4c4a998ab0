/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** A certificate authority of its own for one test, and the stores of those for whom it signs. Made by the JDK's keytool. */
public final class TestCertificates {

    /** Of all stores and keys. */
    public static final String PASSWORD = "looking-glass";

    private static final String AUTHORITY = "authority";

    private final Path directory;
    private final Path all;
    private final Path trusted;

    /** @param name tells it from other authorities; stores lie in a directory of that name */
    public TestCertificates(Path parent, String name) throws IOException, GeneralSecurityException {
        directory = Files.createDirectories(parent.resolve(name));
        all = directory.resolve("all.p12");
        trusted = directory.resolve("trusted.p12");
        runKeytool(AUTHORITY, "CN=" + name, "-ext", "bc:c");
        trustAuthority();
    }

    private TestCertificates(Path directory) throws IOException, GeneralSecurityException {
        this.directory = directory;
        all = directory.resolve("all.p12");
        trusted = directory.resolve("trusted.p12");
        trustAuthority();
    }

    /** Those of an authority that there is, by its store, with {@link #PASSWORD}; it has the alias {@code authority}. */
    public static TestCertificates fromAuthority(Path store, Path parent, String name)
            throws IOException, GeneralSecurityException {
        Path directory = Files.createDirectories(parent.resolve(name));
        Files.copy(store, directory.resolve("all.p12"));
        return new TestCertificates(directory);
    }

    private void trustAuthority() throws IOException, GeneralSecurityException {
        KeyStore store = newKeyStore();
        store.setCertificateEntry(AUTHORITY, read(all).getCertificate(AUTHORITY));
        write(store, trusted);
    }

    /** The store of those who trust this authority and no other. */
    public Path truststore() {
        return trusted;
    }

    /** A new store of those who trust this authority and another one. */
    public Path truststoreWith(TestCertificates otherCertificates) throws IOException, GeneralSecurityException {
        KeyStore store = read(trusted);
        store.setCertificateEntry("other", read(otherCertificates.trusted).getCertificate(AUTHORITY));
        Path both = directory.resolve("trusted-both.p12");
        write(store, both);
        return both;
    }

    /** The store of a new certificate, with its key, for these names and addresses. */
    public Path createKeystore(String name, String... hosts) throws IOException, GeneralSecurityException {
        return createKeystore(name, List.of(), hosts);
    }

    /** The same, of a certificate that was valid until yesterday. */
    public Path createExpiredKeystore(String name, String... hosts) throws IOException, GeneralSecurityException {
        return createKeystore(name, List.of("-startdate", "-3d", "-validity", "2"), hosts);
    }

    /**
     * A certificate in the place of one that there is: who reads the file sees the one or the other.
     *
     * @param present the store of the other
     */
    public void replaceCertificate(Path present, String name, String... hosts)
            throws IOException, GeneralSecurityException {
        Files.move(createKeystore(name, hosts), present, StandardCopyOption.ATOMIC_MOVE);
    }

    private Path createKeystore(String name, List<String> validity, String... hosts)
            throws IOException, GeneralSecurityException {
        List<String> arguments = new ArrayList<>(List.of("-signer", AUTHORITY));
        arguments.addAll(validity);
        if (hosts.length > 0) {
            arguments.add("-ext");
            arguments.add("san="
                    + Arrays.stream(hosts)
                            .map(host -> (host.matches("[0-9.]+|.*:.*") ? "ip:" : "dns:") + host)
                            .collect(Collectors.joining(",")));
        }
        runKeytool(name, "CN=" + name + ",O=Trefoil", arguments.toArray(new String[0]));
        KeyStore every = read(all);
        KeyStore store = newKeyStore();
        store.setKeyEntry(
                name,
                every.getKey(name, PASSWORD.toCharArray()),
                PASSWORD.toCharArray(),
                every.getCertificateChain(name));
        Path file = directory.resolve(name + ".p12");
        write(store, file);
        return file;
    }

    /** Sets what {@code ssl-server.xml} would say. */
    public static void configure(Configuration conf, Path keys, Path trusted) {
        configure(conf, "server", keys, trusted);
    }

    /** Sets what {@code ssl-client.xml} or {@code ssl-server.xml} would say. */
    public static void configure(Configuration conf, String side, Path keys, Path trusted) {
        conf.set("ssl." + side + ".keystore.location", keys.toString());
        conf.set("ssl." + side + ".keystore.password", PASSWORD);
        conf.set("ssl." + side + ".keystore.type", "pkcs12");
        conf.set("ssl." + side + ".truststore.location", trusted.toString());
        conf.set("ssl." + side + ".truststore.password", PASSWORD);
        conf.set("ssl." + side + ".truststore.type", "pkcs12");
    }

    private void runKeytool(String alias, String subject, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                all.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                subject));
        command.addAll(List.of(arguments));
        Path said = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool: " + Files.readString(said));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static KeyStore newKeyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static KeyStore read(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void write(KeyStore store, Path file) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }
}
