/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.bookkeeper.hdfs.BkJournalManager;
import io.trefoil.journal.bookkeeper.hdfs.BkTailingPlugin;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.security.UserGroupInformation;

/** A nameservice of three NameNodes, each a process, with their journal on bookies and our agent in each. */
final class NameNodeProcesses implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final List<String> NAMES = List.of("nn1", "nn2", "nn3");
    private static final int RPC_MILLIS = 2_000;
    /** What Hadoop's classes and BookKeeper's need of a newer JVM. */
    private static final List<String> OPENS =
            List.of("java.lang", "java.lang.reflect", "java.util", "java.net", "java.io", "java.nio", "sun.nio.ch");

    private final Path directory;
    private final Optional<SeparateHosts> hosts;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, Process> running = new LinkedHashMap<>();
    private final List<String> options = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");

    /** NameNodes on this host. */
    NameNodeProcesses(Path directory, String nameservice, Bookies bookies) throws IOException {
        this(directory, nameservice, bookies.servers(), Optional.empty());
    }

    /** NameNodes on hosts of their own, with bookies and ZooKeeper on another one. */
    NameNodeProcesses(Path directory, String nameservice, Bookies bookies, SeparateHosts hosts) throws IOException {
        this(directory, nameservice, bookies.servers(hosts.store()), Optional.of(hosts));
    }

    private NameNodeProcesses(Path directory, String nameservice, String zooKeeper, Optional<SeparateHosts> hosts)
            throws IOException {
        this.directory = Files.createDirectories(directory);
        this.hosts = hosts;
        String uri = "bk://" + zooKeeper + "/ledgers/" + nameservice;
        settings.put("fs.defaultFS", "hdfs://" + nameservice);
        settings.put("dfs.nameservices", nameservice);
        settings.put("dfs.nameservice.id", nameservice);
        settings.put("dfs.ha.namenodes." + nameservice, String.join(",", NAMES));
        for (String name : NAMES) {
            String suffix = "." + nameservice + "." + name;
            String host = hosts.map(each -> each.address(NAMES.indexOf(name))).orElse("localhost");
            settings.put("dfs.namenode.rpc-address" + suffix, host + ":" + TestPorts.free());
            settings.put("dfs.namenode.http-address" + suffix, host + ":" + TestPorts.free());
            settings.put("dfs.ha.zkfc.port" + suffix, String.valueOf(TestPorts.free()));
            settings.put(
                    "dfs.namenode.name.dir" + suffix,
                    directory.resolve(name + "/name").toUri().toString());
        }
        settings.put("dfs.namenode.shared.edits.dir", uri);
        settings.put("dfs.namenode.edits.dir", uri);
        settings.put("dfs.namenode.edits.journal-plugin.bk", BkJournalManager.class.getName());
        settings.put("dfs.namenode.plugins", BkTailingPlugin.class.getName() + ",io.trefoil.ha.hdfs.MamsPlugin");
        settings.put("dfs.ha.automatic-failover.enabled", "true");
        settings.put("dfs.ha.fencing.methods", "shell(/bin/true)");
        settings.put("ha.zookeeper.quorum", zooKeeper);
        settings.put("dfs.namenode.safemode.extension", "0");
        settings.put(
                "dfs.client.failover.proxy.provider." + nameservice,
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        settings.put(
                "trefoil.bookkeeper.password.file",
                Files.writeString(directory.resolve("password"), "secret\n").toString());
    }

    void set(String key, String value) {
        settings.put(key, value);
    }

    void addOption(String option) {
        options.add(option);
    }

    /** The class path of the NameNodes, which is that of the test otherwise. */
    void setClassPath(String jars) {
        classPath = jars;
    }

    void format() throws IOException, InterruptedException {
        if (launch("nn1", "-format", "-nonInteractive").waitFor() != 0) {
            throw new IOException("Not formatted: " + Files.readString(directory.resolve("nn1.log")));
        }
        for (String other : NAMES.subList(1, NAMES.size())) {
            copy(directory.resolve("nn1"), directory.resolve(other));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    List<String> names() {
        return NAMES;
    }

    private Configuration conf() {
        Configuration conf = new HdfsConfiguration();
        settings.forEach(conf::set);
        return conf;
    }

    void startAll() throws IOException {
        for (String name : NAMES) {
            start(name);
        }
    }

    void start(String name) throws IOException {
        running.put(name, launch(name));
    }

    private Process launch(String name, String... arguments) throws IOException {
        Path files = Files.createDirectories(directory.resolve(name + "-conf"));
        Configuration conf = new Configuration(false);
        settings.forEach(conf::set);
        conf.set("dfs.ha.namenode.id", name);
        for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
            try (OutputStream out = Files.newOutputStream(files.resolve(file))) {
                conf.writeXml(out);
            }
        }
        // Stock Hadoop's logger, which says nothing without it.
        Files.write(
                files.resolve("log4j.properties"),
                List.of(
                        "log4j.rootLogger=INFO,console",
                        "log4j.appender.console=org.apache.log4j.ConsoleAppender",
                        "log4j.appender.console.layout=org.apache.log4j.PatternLayout",
                        "log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                files + File.pathSeparator + classPath));
        command.addAll(1, options);
        OPENS.forEach(opened -> command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
        command.add(NameNode.class.getName());
        command.addAll(List.of(arguments));
        hosts.ifPresent(each -> command.addAll(0, each.commandPrefix(NAMES.indexOf(name))));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".log").toFile()))
                .start();
    }

    boolean isAlive(String name) {
        return running.get(name).isAlive();
    }

    void kill(String name) throws InterruptedException {
        running.get(name).destroyForcibly().waitFor();
    }

    /** Stops the process in its tracks, or lets it run again. */
    void signal(String name, String signal) throws IOException, InterruptedException {
        new ProcessBuilder(
                        "kill", "-" + signal, String.valueOf(running.get(name).pid()))
                .start()
                .waitFor();
    }

    /** A client that finds the active, as HDFS's own do, but waits only for seconds for one that is frozen. */
    FileSystem client() throws IOException {
        Configuration conf = conf();
        conf.setInt("ipc.client.rpc-timeout.ms", RPC_MILLIS);
        return FileSystem.newInstance(conf);
    }

    /** A client of one NameNode, whatever its role, that waits for an answer as long as it takes. */
    ClientProtocol client(String name) throws IOException {
        return client(name, conf());
    }

    /** A client of one NameNode that waits only for seconds. */
    ClientProtocol impatientClient(String name) throws IOException {
        Configuration conf = conf();
        conf.setInt("ipc.client.rpc-timeout.ms", RPC_MILLIS);
        return client(name, conf);
    }

    private static ClientProtocol client(String name, Configuration conf) throws IOException {
        InetSocketAddress address = new NNHAServiceTarget(conf, conf.get("dfs.nameservices"), name).getAddress();
        return NameNodeProxies.createNonHAProxy(
                        conf, address, ClientProtocol.class, UserGroupInformation.getCurrentUser(), false)
                .getProxy();
    }

    /** The document of the page {@code /trefoil/}, as one NameNode serves it. */
    String status(String name) throws IOException {
        String address = settings.get("dfs.namenode.http-address." + settings.get("dfs.nameservices") + "." + name);
        try (InputStream in =
                URI.create("http://" + address + "/trefoil/status").toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    Optional<String> active() {
        return NAMES.stream()
                .filter(name ->
                        state(name).filter(HAServiceState.ACTIVE::equals).isPresent())
                .findFirst();
    }

    Optional<HAServiceState> state(String name) {
        if (!running.get(name).isAlive()) {
            return Optional.empty();
        }
        Configuration conf = conf();
        try {
            return Optional.of(new NNHAServiceTarget(conf, conf.get("dfs.nameservices"), name)
                    .getProxy(conf, RPC_MILLIS)
                    .getServiceStatus()
                    .getState());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    String awaitActive() {
        await().atMost(TIMEOUT).until(() -> active().isPresent());
        return active().get();
    }

    /** Waits for an active among the others, whatever this one thinks of itself. */
    String awaitActiveOtherThan(String old) {
        List<String> others = NAMES.stream().filter(name -> !name.equals(old)).toList();
        await().atMost(TIMEOUT).until(() -> others.stream()
                .anyMatch(name ->
                        state(name).filter(HAServiceState.ACTIVE::equals).isPresent()));
        return others.stream()
                .filter(name ->
                        state(name).filter(HAServiceState.ACTIVE::equals).isPresent())
                .findFirst()
                .get();
    }

    void awaitStandby(String name) {
        await().atMost(TIMEOUT)
                .until(() -> state(name).filter(HAServiceState.STANDBY::equals).isPresent());
    }

    /** {@code hdfs haadmin -failover}; returns its exit code. */
    int failOver(String from, String to) throws Exception {
        DFSHAAdmin admin = new DFSHAAdmin();
        admin.setConf(conf());
        return admin.run(new String[] {"-failover", from, to});
    }

    @Override
    public void close() throws InterruptedException {
        for (Process one : running.values()) {
            one.destroyForcibly();
            one.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
