/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.minikdc.MiniKdc;

/** The KDC and the certificates of a comparison, if it needs any. */
public final class Security implements AutoCloseable {
    private static final String PASSWORD = "looking-glass";

    private final PoolProtection protection;
    private final Path directory;
    private final List<MiniKdc> kdcs = new ArrayList<>();
    private String keytab;

    private Security(PoolProtection protection, Path directory) {
        this.protection = protection;
        this.directory = directory;
    }

    /**
     * Starts what the protection needs.
     *
     * @param directory for keys
     */
    public static Security start(PoolProtection protection, Path directory) throws IOException {
        Security security = new Security(protection, Files.createDirectories(directory));
        try {
            if (protection != PoolProtection.NONE) {
                security.startKdc();
            }
            if (protection == PoolProtection.TLS) {
                security.createKeyStores();
            }
            return security;
        } catch (IOException | RuntimeException e) {
            security.close();
            throw e;
        }
    }

    private void startKdc() throws IOException {
        try {
            MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
            kdc.start();
            kdcs.add(kdc);
            Path file = directory.resolve("keytab");
            kdc.createPrincipal(file.toFile(), "nn/localhost", "jn/localhost", "HTTP/localhost");
            keytab = file.toString();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("There is no KDC", e);
        }
    }

    /** The certificate of all processes, which are on one host. */
    private void createKeyStores() throws IOException {
        runKeytool(
                "-genkeypair",
                "-keystore",
                "own.p12",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=benchmark",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        runKeytool("-exportcert", "-keystore", "own.p12", "-file", "own.pem", "-rfc");
        runKeytool("-importcert", "-keystore", "trusted.p12", "-file", "own.pem", "-noprompt");
    }

    private void runKeytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "own", "-storetype", "PKCS12", "-storepass", PASSWORD));
        Path said = directory.resolve("keytool.log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + Files.readString(said));
        }
    }

    /** The options of JVMs. */
    public List<String> jvmOptions() {
        return kdcs.stream()
                .map(kdc -> "-Djava.security.krb5.conf=" + kdc.getKrb5conf())
                .toList();
    }

    /** The settings of our journal's processes. */
    public Map<String, String> sspProperties() {
        if (protection == PoolProtection.TLS) {
            Map<String, String> properties = new LinkedHashMap<>();
            properties.put("trefoil.journal.tls", "required");
            for (Map.Entry<String, String> store :
                    Map.of("keystore", "own.p12", "truststore", "trusted.p12").entrySet()) {
                String prefix = "ssl.server." + store.getKey();
                properties.put(
                        prefix + ".location",
                        directory.resolve(store.getValue()).toString());
                properties.put(prefix + ".type", "pkcs12");
                properties.put(prefix + ".password", PASSWORD);
            }
            return properties;
        }
        return kerberosProperties();
    }

    /** The settings of QJM's processes. */
    public Map<String, String> qjmProperties() {
        Map<String, String> properties = kerberosProperties();
        if (!properties.isEmpty()) {
            properties.put("dfs.journalnode.kerberos.principal", principal("jn/_HOST"));
            properties.put("dfs.journalnode.keytab.file", keytab);
            properties.put("dfs.journalnode.kerberos.internal.spnego.principal", principal("HTTP/localhost"));
        }
        return properties;
    }

    private Map<String, String> kerberosProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        if (protection != PoolProtection.NONE) {
            properties.put("hadoop.security.authentication", "kerberos");
            properties.put("hadoop.security.auth_to_local", "DEFAULT");
            properties.put("hadoop.rpc.protection", protection.hadoopValue());
            properties.put("dfs.namenode.kerberos.principal", principal("nn/_HOST"));
            properties.put("dfs.namenode.keytab.file", keytab);
            properties.put("dfs.web.authentication.kerberos.principal", principal("HTTP/localhost"));
            properties.put("dfs.web.authentication.kerberos.keytab", keytab);
        }
        return properties;
    }

    private String principal(String name) {
        return name + "@" + kdcs.get(0).getRealm();
    }

    @Override
    public void close() {
        kdcs.forEach(MiniKdc::stop);
    }
}
