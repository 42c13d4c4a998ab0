/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TcpProbe;
import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.bookkeeper.client.BookKeeperLedgers;
import io.trefoil.journal.bookkeeper.client.ClientAccess;
import io.trefoil.journal.bookkeeper.client.Quorums;
import io.trefoil.journal.bookkeeper.zk.ZkRecordStore;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.JournalId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;

/** Three bookies and their ZooKeeper, each a process, which a test may kill and start again. */
final class Bookies implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int COUNT = 3;
    private static final int PROCESSES = 2;

    private static final Bytes PASSWORD = Bytes.ofUtf8("secret");
    private static final ClientAccess ACCESS = ClientAccess.of(PASSWORD, Optional.empty());

    private final Path directory;
    private final List<String> options;
    private final List<String> settings;
    private final int zooKeeperPort = TestPorts.free();
    private final int[] ports = {TestPorts.free(), TestPorts.free(), TestPorts.free()};
    private final List<Process> bookies = new ArrayList<>(Collections.nCopies(COUNT, null));
    private final Process zooKeeper;
    private final CuratorFramework client;
    private final List<BookKeeperLedgers> ledgers = new ArrayList<>();

    private Bookies(Path directory, List<String> options, List<String> settings) throws Exception {
        this.directory = directory;
        this.options = options;
        this.settings = settings;
        zooKeeper = launch("zookeeper", "zookeeper", zooKeeperPort);
        client = CuratorFrameworkFactory.newClient(servers(), new RetryForever(200));
        client.start();
        client.blockUntilConnected();
        Process format = launch("format", "format", zooKeeperPort);
        if (!format.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) || format.exitValue() != 0) {
            throw new IOException("The cluster was not made: see " + directory.resolve("format.log"));
        }
    }

    static Bookies start(Path directory) throws Exception {
        return start(directory, List.of(), List.of(), ACCESS);
    }

    /** Bookies that clients find at another address of this host. */
    static Bookies startAt(String address, Path directory) throws Exception {
        return start(directory, List.of(), List.of("advertisedAddress=" + address), ACCESS);
    }

    /**
     * Bookies with settings of their own.
     *
     * @param options of their JVMs
     */
    static Bookies start(Path directory, List<String> options, List<String> settings, ClientAccess access)
            throws Exception {
        Bookies bookies = new Bookies(directory, options, settings);
        for (int i = 0; i < COUNT; i++) {
            bookies.start(i);
        }
        bookies.awaitAvailable(COUNT);
        for (int i = 0; i < PROCESSES; i++) {
            bookies.ledgers.add(bookies.connect(access));
        }
        return bookies;
    }

    /** Another client of this cluster, which the caller closes. */
    BookKeeperLedgers connect(ClientAccess access) throws IOException {
        return BookKeeperLedgers.connect(servers(), "/ledgers", Quorums.DEFAULT, access);
    }

    private Process launch(String name, String what, int port, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:MaxDirectMemorySize=128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                BookieMain.class.getName(),
                what,
                String.valueOf(port),
                directory.resolve(name).toString()));
        command.addAll(1, options);
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".log").toFile()))
                .start();
    }

    void start(int i) throws IOException {
        List<String> more = new ArrayList<>(List.of(String.valueOf(ports[i])));
        more.addAll(settings);
        bookies.set(i, launch("bookie" + i, "bookie", zooKeeperPort, more.toArray(new String[0])));
    }

    void kill(int i) throws InterruptedException {
        bookies.get(i).destroyForcibly().waitFor();
    }

    /** Starts those that were killed, and waits until all are there. */
    void restartAll() throws IOException {
        for (int i = 0; i < COUNT; i++) {
            if (!bookies.get(i).isAlive()) {
                start(i);
            }
        }
        awaitAvailable(COUNT);
    }

    void awaitAvailable(int count) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> client.getChildren().forPath("/ledgers/available").stream()
                                .filter(name -> name.contains(":"))
                                .count()
                        >= count);
        // That of a bookie which was killed stays for a while.
        for (int i = 0; i < COUNT; i++) {
            if (bookies.get(i).isAlive()) {
                InetSocketAddress address = new InetSocketAddress("127.0.0.1", ports[i]);
                await().atMost(TIMEOUT).until(() -> TcpProbe.isListening(address, TIMEOUT));
            }
        }
    }

    String servers() {
        return servers("127.0.0.1");
    }

    /** The same under another address of this host. */
    String servers(String address) {
        return address + ":" + zooKeeperPort;
    }

    static String recordPath(String journal) {
        return "/trefoil-journals/ledgers/" + journal;
    }

    /** A client without an identity. */
    CuratorFramework zooKeeper() {
        return client;
    }

    /** The ledgers as the process with this number reaches them. */
    BookKeeperLedgers ledgers(int number) {
        return ledgers.get(number);
    }

    /** A process that uses a journal of this cluster; each number has a client of its own. */
    CuttableProcess process(int number, String journal, LedgerLimits limits) {
        return new CuttableProcess(
                JournalId.of(journal),
                ZkRecordStore.start(servers(), recordPath(journal), PASSWORD),
                ledgers.get(number),
                limits);
    }

    @Override
    public void close() throws InterruptedException {
        ledgers.forEach(BookKeeperLedgers::close);
        client.close();
        for (Process bookie : bookies) {
            if (bookie != null) {
                bookie.destroyForcibly().waitFor();
            }
        }
        zooKeeper.destroyForcibly().waitFor();
    }
}
