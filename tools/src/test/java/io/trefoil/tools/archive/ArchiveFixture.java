/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.FakePool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An archive of a pool whose nodes hold what a test says, and the commands that write and read it. */
abstract class ArchiveFixture {

    static final String VERSION = "namespaceID=7\nclusterID=CID-1\nblockpoolID=BP-1\ncTime=0\n";

    /** Above those from which HDFS counts. */
    static final long FIRST_ID = 1L << 40;

    @TempDir
    Path directory;

    final FakePool pool = new FakePool(1);
    Path archive;
    long nextTxId = 1;

    @BeforeEach
    void startLog() {
        archive = directory.resolve("archive");
        pool.node(1).members = Members.NONE;
        pool.node(1).incarnation = Incarnation.of(3, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(Incarnation.of(3, 0xc0ffee));
        add(EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
        startSegment();
        addBatch(3);
    }

    void startSegment() {
        add(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(nextTxId), Bytes.ofUtf8("-66"));
    }

    void addBatch(int count) {
        ByteArrayOutputStream edits = new ByteArrayOutputStream();
        for (long txId = nextTxId; txId < nextTxId + count; txId++) {
            edits.writeBytes(EditFrames.newFrame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, txId, FIRST_ID + txId)
                    .toByteArray());
        }
        add(EntryKind.EDITS, TxRange.of(nextTxId, nextTxId + count - 1), Bytes.wrap(edits.toByteArray()));
        nextTxId += count;
    }

    void endSegment(long first) {
        add(EntryKind.SEGMENT_END, TxRange.of(first, nextTxId - 1), Bytes.EMPTY);
    }

    void add(EntryKind kind, TxRange txIds, Bytes payload) {
        List<Entry> log = pool.node(1).log;
        log.add(Entry.of(LogPosition.of(FakePool.EPOCH, log.size() + 1), kind, txIds, payload));
    }

    void holdImage(long txId) throws Exception {
        byte[] bytes = ("image of " + txId).getBytes(StandardCharsets.UTF_8);
        Bytes checksums = Bytes.wrap(
                ByteBuffer.allocate(4).putInt(Crc32c.of(bytes, 0, bytes.length)).array());
        String md5 = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        pool.node(1)
                .images
                .put(HeldImage.of(ImageId.of(txId, bytes.length, md5), checksums, VERSION), Bytes.wrap(bytes));
    }

    int write() {
        return pool.run(
                "archive",
                "write",
                "--dir",
                archive.toUri().toString(),
                "--work",
                directory.resolve("work").toString(),
                "--once");
    }

    int run(String command, String... options) {
        return pool.run(Stream.concat(
                        Stream.of("archive", command, "--dir", archive.toUri().toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    List<Path> objects() throws IOException {
        try (Stream<Path> files = Files.walk(archive)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    static void deleteLog(ArchiveStore store) throws IOException {
        for (String name : store.list("log")) {
            store.delete(name);
        }
    }

    static String checksum(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return String.format("crc32c=%08x%n", Crc32c.of(bytes, 0, bytes.length));
    }
}
