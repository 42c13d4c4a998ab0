/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import io.trefoil.benchmarks.writer.WriterMain;
import io.trefoil.benchmarks.writer.bookkeeper.BookieMain;
import io.trefoil.benchmarks.writer.bookkeeper.ZooKeeperMain;
import io.trefoil.it.cluster.host.PortAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Bookies of Apache BookKeeper and their ZooKeeper, as provided by {@code benchmarks/bookkeeper}. */
final class BookKeeper {
    /**
     * The settings of an operator who wants short delays: a group is synced when the queue is empty instead of after a
     * wait, entries for later reads go to RocksDB, off the write path, and the thread of a connection gives an entry to the
     * journal itself. (Answers are sent by the thread that syncs: BookKeeper 4.17 does not read {@code numJournalCallbackThreads}.)
     */
    static final List<String> TUNED = List.of(
            "journalFlushWhenQueueEmpty=true",
            "journalMaxGroupWaitMSec=0",
            "ledgerStorageClass=org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage",
            "dbStorage_writeCacheMaxSizeMb=128",
            "dbStorage_readAheadCacheMaxSizeMb=32",
            "numAddWorkerThreads=0");

    /**
     * Lets writers continue while a bookie is down and there is no spare one; by default, the ledger fails. The second
     * version of the wire protocol costs less than the third, which is the default.
     */
    static final List<String> TUNED_CLIENT = List.of("delayEnsembleChange=true", "useV2WireProtocol=true");

    private BookKeeper() {}

    /**
     * A writer that uses BookKeeper's client itself.
     *
     * @param settings lines of the bookies' configuration, in addition to what every bookie needs
     * @param ofClient lines of the client's configuration
     */
    static Candidate newCandidate(
            String name, int bookieCount, List<String> settings, List<String> ofClient, Path directory) {
        return newCandidate(name, bookieCount, settings, directory, zooKeeper -> {
            List<String> arguments = new ArrayList<>(
                    List.of(Candidate.BOOKKEEPER, BookieMain.metadataUri(zooKeeper), String.valueOf(bookieCount)));
            arguments.addAll(ofClient);
            return new JvmSpec(name + "-writer", WriterMain.class.getName(), arguments, Map.of(), libraries());
        });
    }

    /** Our journal in the ledgers of tuned bookies. */
    static Candidate newJournal(String name, int bookieCount, Path directory) {
        Map<String, String> properties = Map.of(
                "trefoil.bookkeeper.quorums",
                bookieCount + "," + bookieCount + ",2",
                "trefoil.bookkeeper.password.file",
                writePassword(directory.resolve(name + "-password")).toString());
        return newCandidate(
                name,
                bookieCount,
                TUNED,
                directory,
                zooKeeper -> new JvmSpec(
                        name + "-writer",
                        WriterMain.class.getName(),
                        List.of(
                                "hdfs",
                                "io.trefoil.journal.bookkeeper.hdfs.BkJournalManager",
                                "bk://127.0.0.1:" + zooKeeper + "/ledgers/benchmark"),
                        properties,
                        libraries()));
    }

    private static Path writePassword(Path file) {
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, "of no secret");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Candidate newCandidate(
            String name, int bookieCount, List<String> settings, Path directory, IntFunction<JvmSpec> writer) {
        int zooKeeper = PortAllocator.free();
        Candidate.Node keeper = new Candidate.Node(
                new JvmSpec(
                        name + "-zookeeper",
                        ZooKeeperMain.class.getName(),
                        List.of(
                                String.valueOf(zooKeeper),
                                directory.resolve(name + "-zookeeper").toString()),
                        Map.of(),
                        libraries()),
                zooKeeper);
        List<Candidate.Node> bookies = new ArrayList<>();
        for (int number = 1; number <= bookieCount; number++) {
            int port = PortAllocator.free();
            String bookie = name + "-bookie" + number;
            List<String> arguments = new ArrayList<>(List.of(
                    number == 1 ? "first" : "other",
                    String.valueOf(zooKeeper),
                    directory.resolve(bookie).toString(),
                    "bookiePort=" + port));
            arguments.addAll(settings);
            bookies.add(new Candidate.Node(
                    new JvmSpec(bookie, BookieMain.class.getName(), arguments, Map.of(), libraries()), port));
        }
        return Candidate.withReplicasBesideWriter(name, List.of(keeper), bookies, writer.apply(zooKeeper));
    }

    private static String libraries() {
        String libraries = System.getProperty("trefoil.bookkeeper.classpath", "");
        if (libraries.isEmpty()) {
            throw new IllegalStateException("BookKeeper's class path is missing: run bin/benchmark-journal");
        }
        return libraries;
    }
}
