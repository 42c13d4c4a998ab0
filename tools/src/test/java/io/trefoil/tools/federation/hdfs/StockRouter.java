/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** A stock Router of two nameservices in a process of its own. Several share a State Store in a directory. */
final class StockRouter implements AutoCloseable {

    private static final String DFS_ROUTER = "org.apache.hadoop.hdfs.server.federation.router.DFSRouter";

    private final String administration;
    private final Process process;
    private final Path log;

    private StockRouter(String administration, Process process, Path log) {
        this.administration = administration;
        this.process = process;
        this.log = log;
    }

    /** @param host one of this machine's own, as Routers listen at the same ports */
    static StockRouter start(Configuration conf, Path directory, String host, int clientPort, int adminPort)
            throws IOException {
        Configuration site = new Configuration(conf);
        String prefix = "dfs.federation.router.";
        site.set(prefix + "rpc-address", host + ":" + clientPort);
        site.set(prefix + "admin-address", host + ":" + adminPort);
        site.set(prefix + "http.enable", "false");
        site.set(prefix + "default.nameservice.enable", "false");
        site.set(prefix + "monitor.namenode", "ns1.nn1,ns2.nn1");
        site.set(prefix + "monitor.localnamenode.enable", "false");
        site.set(prefix + "heartbeat.interval", "500");
        site.set(prefix + "safemode.enable", "false");
        site.set(prefix + "quota.enable", "true");
        // Long enough that a Router that is not told of a change does not learn of it meanwhile by itself.
        site.set(prefix + "cache.ttl", "5s");
        // Otherwise a path cannot have more than one place.
        site.set(
                prefix + "file.resolver.client.class",
                "org.apache.hadoop.hdfs.server.federation.resolver.MultipleDestinationMountTableResolver");
        site.set(
                prefix + "store.driver.class",
                "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
        site.set(
                prefix + "store.driver.file.directory",
                directory.resolve("state-store").toString());
        Path home = Files.createDirectories(directory.resolve("router-" + host));
        try (OutputStream out = Files.newOutputStream(home.resolve("hdfs-rbf-site.xml"))) {
            site.writeXml(out);
        }
        Path log = home.resolve("log");
        Process process = javaProcess(home + File.pathSeparator + classPath(), DFS_ROUTER)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new StockRouter(host + ":" + adminPort, process, log);
    }

    /** That of the test. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** A program on the JDK of the test. */
    static ProcessBuilder javaProcess(String classPath, String... program) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                classPath);
        builder.command().addAll(List.of(program));
        return builder;
    }

    /** Where its administration listens. */
    String adminAddress() {
        return administration;
    }

    /** Fails with its log if it has ended. */
    boolean isAlive() {
        if (process.isAlive()) {
            return true;
        }
        try {
            throw new AssertionError("the Router has ended\n" + Files.readString(log));
        } catch (IOException e) {
            throw new AssertionError("the Router has ended", e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
