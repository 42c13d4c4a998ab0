/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.it.cluster.host.SiteFiles;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.host.WorkDirectory;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.SupervisedProcess;
import io.trefoil.it.process.jvm.JavaCommand;
import io.trefoil.it.process.jvm.Jdk;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A stand-alone pool node with the heap of a small daemon serves two hundred journals, which are written in turn. The
 * system property {@code trefoil.it.journals.seconds} sets the duration; ten minutes need
 * {@code -Dtest.jvm.args=-Xmx4g} for the writers.
 */
@Tag("long")
class ManyJournalsIT {
    private static final int JOURNALS = 200;
    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("trefoil.it.journals.seconds", 15));
    private static final int BATCHES = 4;
    private static final int BATCH_BYTES = 200 << 10;

    @Test
    void nodeWithTwoHundredJournalsStaysWithinHeap() throws Exception {
        WorkDirectory directory = WorkDirectory.create("many-journals");
        NodeAddress address = NodeAddress.of("127.0.0.1", PortAllocator.free());
        try (SupervisedProcess node = new SupervisedProcess("pool", () -> poolNode(directory, address), false)) {
            node.start();
            Await.until("the pool node listens", Await.TIMEOUT, () -> isListening(address), () -> node.exits()
                    .toString());
            int rounds = writeInTurn(address);

            assertThat(rounds).isPositive();
            assertThat(node.isAlive()).isTrue();
            assertThat(node.exits()).isEmpty();
        } finally {
            PoolProcess.closeAll();
        }
        directory.delete();
    }

    private static int writeInTurn(NodeAddress address) throws IOException {
        List<JournalLoad> turns = new ArrayList<>();
        for (int i = 1; i <= JOURNALS; i++) {
            turns.add(new JournalLoad(address, JournalId.of("ns" + i)));
        }
        byte[] batch = new byte[BATCH_BYTES];
        new Random(7).nextBytes(batch);
        long begun = System.nanoTime();
        int rounds = 0;
        while (rounds == 0 || System.nanoTime() - begun < DURATION.toNanos()) {
            for (JournalLoad turn : turns) {
                turn.write(Bytes.wrap(batch));
            }
            rounds++;
        }
        return rounds;
    }

    private static ProcessBuilder poolNode(WorkDirectory directory, NodeAddress address) {
        Path configuration = directory.configuration("pool");
        SiteFiles.write(configuration, Map.of(), directory.logs().resolve("pool.log"));
        List<String> options = new ArrayList<>(Jdk.ofThisJvm().openPackages());
        options.add("-Xmx512m");
        List<String> arguments = List.of(
                "-Dtrefoil.journal.address=" + address,
                "-Dtrefoil.journal.dir=" + directory.data("pool"),
                "-Dtrefoil.journal.log.file.size=1m");
        ProcessBuilder builder = new JavaCommand(
                        Jdk.ofThisJvm(),
                        List.of(),
                        options,
                        StockHadoop.fromSystemProperties().classPathWith(List.of(configuration, directory.leash())),
                        "io.trefoil.journal.hdfs.PoolNodeMain",
                        arguments)
                .toProcessBuilder();
        File console = directory.logs().resolve("pool.out").toFile();
        return builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(console));
    }

    private static boolean isListening(NodeAddress address) {
        try (Socket socket = new Socket(address.host(), address.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** One journal and its writer. */
    private static final class JournalLoad {
        private final JournalWriter writer;
        private long nextTxId = 1;

        JournalLoad(NodeAddress address, JournalId id) throws IOException {
            Journal journal = PoolProcess.journal(PoolSettings.builder()
                    .journal(id)
                    .addresses(List.of(address))
                    .minReplicas(1)
                    .build());
            journal.format(NamespaceId.of("CID-many", 1), StorageRecord.Version.of(-66, 0), false);
            writer = journal.openWriter(1);
            writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-66"));
        }

        void write(Bytes batch) throws IOException {
            for (int i = 0; i < BATCHES; i++) {
                writer.append(EntryKind.EDITS, TxRange.of(nextTxId, nextTxId), batch);
                nextTxId++;
            }
        }
    }
}
