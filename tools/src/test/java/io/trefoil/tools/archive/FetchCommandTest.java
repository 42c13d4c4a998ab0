/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.ArchiverState;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.hdfs.archive.HistoricalNamespace;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code archive fetch} on a pool whose nodes hold what a test says. */
class FetchCommandTest extends ArchiveFixture {

    private int fetched;

    @Test
    void fetchCreatesNamespaceAtTransaction() throws Exception {
        holdImage(2);
        endSegment(1);
        startSegment();
        addBatch(5);

        assertThat(write()).as(pool.errors).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).isEqualTo("The archive has everything up to transaction 8, entry 6, and a new image\n");
        assertThat(run("list")).as(pool.output).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .containsPattern("3-0000000000c0ffee +1 +8 +20")
                .containsPattern(" 2 +10 +[0-9a-f]{32} +20");
        assertThat(run("verify")).isEqualTo(ExitCode.FINE);
        Path to = directory.resolve("past");
        Path newest = directory.resolve("newest");
        assertThat(run("fetch", "--to", newest.toString())).isZero();
        assertThat(pool.output).contains("\nIts last edits were committed by 20");

        assertThat(run("fetch", "--to", to.toString(), "--txid", "6"))
                .as(pool.errors)
                .isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("after transaction 6 is in", "the image of transaction 2");
        Path current = to.resolve("current");
        assertThat(current.resolve("fsimage_0000000000000000002")).hasContent("image of 2");
        assertThat(current.resolve("fsimage_0000000000000000002.md5"))
                .content()
                .endsWith(" *fsimage_0000000000000000002\n");
        assertThat(current.resolve("VERSION")).hasContent(VERSION);
        assertThat(current.resolve("seen_txid")).hasContent("6");
        assertThat(current.toFile().list()).contains("edits_0000000000000000003-0000000000000000003");
        assertThat(txIds(current.resolve("edits_0000000000000000003-0000000000000000003")))
                .containsExactly(3L);
        assertThat(txIds(current.resolve("edits_inprogress_0000000000000000004")))
                .containsExactly(4L, 5L, 6L);
        assertThat(run("fetch", "--to", to.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("current exists already", "nothing was changed");
    }

    @Test
    void fetchReportsUpToWhenInstantIsComplete() throws Exception {
        holdImage(2);
        write();
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        deleteLog(store);
        AtomicLong millis = new AtomicLong(1_000);
        ArchiveWriter writer = newWriter(store, millis);
        writer.writeChunk();
        addBatch(1);
        millis.set(9_000);
        newWriter(store, millis).writeChunk();

        assertThat(fetchAt(5_000)).isZero();
        assertThat(pool.output)
                .endsWith(
                        """
                        Its last edits were committed by 1970-01-01T00:00:01Z; the next ones reached the archive by 1970-01-01T00:00:09Z
                        What else had been committed by then is not known: no writer was up to date
                        """);

        deleteLog(store);
        millis.set(1_000);
        writer = newWriter(store, millis);
        writer.writeChunk();
        millis.set(8_500);
        writer.writeChunk();
        addBatch(1);
        millis.set(9_000);
        writer.writeChunk();
        assertThat(fetchAt(5_000)).isZero();
        assertThat(pool.output).endsWith("\nNothing is missing that was committed by 1970-01-01T00:00:08.500Z\n");
        assertThat(fetchAt(5_000, "--json")).isZero();
        assertThat(pool.output).contains("\"completeUntilMillis\": 8500");
    }

    private ArchiveWriter newWriter(ArchiveStore store, AtomicLong millis) throws IOException {
        return new ArchiveWriter(
                store, pool.openCommittedLog(pool.find(Optional.empty())), () -> {}, "00000000000000aa", millis::get);
    }

    private int fetchAt(long millis, String... options) {
        String to = directory.resolve("past" + fetched++).toString();
        String at = Instant.ofEpochMilli(millis).toString();
        return run(
                "fetch",
                Stream.concat(Stream.of("--to", to, "--at", at), Stream.of(options))
                        .toArray(String[]::new));
    }

    @Test
    void newestNamespaceFollowsRestoredTimeline() throws Exception {
        holdImage(2);
        endSegment(1);
        write();
        startSegment();
        addBatch(4);
        endSegment(4);
        write();
        add(EntryKind.DISCARD, TxRange.emptyRangeAt(4), Bytes.EMPTY);
        nextTxId = 4;
        startSegment();
        addBatch(2);
        write();

        assertThat(run("list")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("Transactions from 4 on became void at entry 8");
        assertThat(run("fetch", "--to", directory.resolve("new").toString()))
                .as(pool.errors)
                .isZero();
        assertThat(txIds(directory.resolve("new/current/edits_inprogress_0000000000000000004")))
                .containsExactly(4L, 5L);
        assertThat(run("fetch", "--to", directory.resolve("no").toString(), "--txid", "7"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("Wanted transaction 7, the archive has 1 to 5");
        assertThat(directory.resolve("no/current")).doesNotExist();
    }

    @Test
    void fetchContinuesWhenChunksAreMergedConcurrently() throws Exception {
        holdImage(2);
        write();
        JournalLocation place = pool.find(Optional.empty());
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        ArchiveWriter writer = new ArchiveWriter(
                store, pool.openCommittedLog(place), () -> {}, "00000000000000aa", System::currentTimeMillis);
        for (int i = 0; i < ArchiverState.CHUNKS_PER_MERGE - 1; i++) {
            addBatch(1);
            writer.writeChunk();
        }
        ArchiveReader reader = new ArchiveReader(store);
        NamespaceRecipe recipe = reader.contents().newestNamespace();
        addBatch(1);
        writer.writeChunk();
        assertThat(store.list("log")).as("they were merged").hasSize(2);

        HistoricalNamespace.write(
                reader, recipe, directory.resolve("past"), Progress.SILENT.begin("fetch", "transactions"));

        long newest = recipe.target().txId();
        assertThat(newest).isEqualTo(nextTxId - 2);
        assertThat(txIds(directory.resolve("past/current/edits_inprogress_0000000000000000003")))
                .hasSize((int) newest - 2)
                .endsWith(newest);
    }

    private static List<Long> txIds(Path edits) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(edits));
        assertThat(bytes.getInt()).as("layout version").isEqualTo(-66);
        assertThat(bytes.getInt()).as("flags").isZero();
        Stream.Builder<Long> txIds = Stream.builder();
        while (bytes.hasRemaining()) {
            int size = bytes.getInt(bytes.position() + 1);
            txIds.add(bytes.getLong(bytes.position() + 5));
            bytes.position(bytes.position() + size + 5);
        }
        return txIds.build().toList();
    }
}
