/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static io.trefoil.journal.storage.device.JournalStorageContract.IDENTITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.codec.SummaryCodec;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.NioFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of docs/design/storage-format.md: what lies on the disks of users never changes its meaning. */
class StorageFormatTest {

    private static final int FILE_SIZE = 65536;

    private static final Incarnation INCARNATION = Incarnation.of(3, 0x00c0ffeeL);

    private static final LogSummary BASE = LogSummary.of(
                    LogPosition.of(Epoch.of(6), 41),
                    Members.of(List.of(Member.voter(NodeId.of("node-1"), NodeAddress.of("host1", 8485)))),
                    999,
                    Optional.of(990L),
                    Optional.of(StorageRecord.ofFormat(StorageRecord.Version.of(-66, 17))))
            .with(INCARNATION);

    private static final Entry FIRST = Entry.of(
            LogPosition.of(Epoch.of(7), 42), EntryKind.EDITS, TxRange.of(1000, 1003), Bytes.ofUtf8("four edits"));
    private static final Entry SECOND =
            Entry.of(LogPosition.of(Epoch.of(7), 43), EntryKind.SEGMENT_END, TxRange.of(990, 1003), Bytes.EMPTY);

    @TempDir(factory = TargetTempDirFactory.class)
    private Path parent;

    private Path path;

    @BeforeEach
    void write() throws IOException {
        path = parent.resolve("ns1");
        StorageDevice device = new FileStorageDevice(
                path,
                StorageSizes.DEFAULT.withLogFileBytes(FILE_SIZE),
                new NioFiles(),
                Runnable::run,
                () -> 0x5a175a17);
        device.format(StorageIdentity.of(IDENTITY.node(), IDENTITY.namespace(), INCARNATION), BASE, List.of(FIRST));
        try (JournalStorage storage = device.open()) {
            storage.savePromise(Promise.of(Epoch.of(7), WriterId.of("nn1-0"), 5000), LogCompleteness.COMPLETE);
            storage.write(List.of(SECOND), 42);
            storage.sync();
        }
    }

    @Test
    void directoryMatchesFormat() throws IOException {
        try (var names = Files.list(path)) {
            assertThat(names.map(name -> name.getFileName().toString()))
                    .containsExactlyInAnyOrder("VERSION", "promise", "durable", "lock", "log-0000000000000000042");
        }
        assertThat(path.resolve("log-0000000000000000042")).hasSize(FILE_SIZE);
    }

    @Test
    void identityMatchesFormat() {
        assertThat(path.resolve("VERSION"))
                .hasContent(
                        """
                        layoutVersion=1
                        node=node-1
                        clusterId=CID-1
                        namespaceId=4711
                        incarnation=3-0000000000c0ffee
                        crc32c=05a78e43
                        """);
    }

    @Test
    void durableMarkMatchesFormat() throws IOException {
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(path.resolve("durable"))))
                .isEqualTo("5353504455524100" + "000000000000002b" + "57c3f11c");
    }

    @Test
    void promiseMatchesFormat() {
        assertThat(path.resolve("promise"))
                .hasContent(
                        """
                        epoch=7
                        writer=nn1-0
                        leaseMillis=5000
                        completeness=COMPLETE
                        unfinished=NONE
                        crc32c=55b3e75c
                        """);
    }

    @Test
    void summaryWithBarriersMatchesFormat() {
        LogSummary summary = LogSummary.of(
                        LogPosition.of(Epoch.of(6), 41), Members.NONE, 999, Optional.empty(), Optional.empty())
                .with(Barriers.of(List.of(Barrier.of("friday", 980, 901, "text"))));

        assertThat(HexFormat.of().formatHex(SummaryCodec.encode(summary)))
                .isEqualTo("0000000000000000" + "0000000000000000" // no incarnation
                        + "0000000000000006" + "0000000000000029" // its position
                        + "00000000000003e7" // its last txid
                        + "00" // no open segment
                        + "00000000" // no members
                        + "02" + "00000001" // no storage record, one barrier
                        + "00000017"
                        + HexFormat.of().formatHex("friday 980 901 980\ntext".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void logMatchesFormat() throws IOException {
        byte[] bytes = Files.readAllBytes(path.resolve("log-0000000000000000042"));
        String head = "54524546" + "4f494c00" // magic
                + "00000001" // version
                + "00001000" // size of the head
                + "0000000000010000" // size of the file
                + "000000000000002a" // first serial number
                + "5a175a17" // salt
                + "00000060" // size of the summary
                + "0000000000000003" + "0000000000c0ffee" // its incarnation
                + "0000000000000006" + "0000000000000029" // its position
                + "00000000000003e7" // its last txid
                + "01" + "00000000000003de" // its open segment
                + "00000018" + HexFormat.of().formatHex("node-1 host1:8485 VOTER\n".getBytes(StandardCharsets.UTF_8))
                + "01" + "0000000e" + HexFormat.of().formatHex("FORMAT -66 17\n".getBytes(StandardCharsets.UTF_8))
                + "1126e0e4"; // checksum of the head
        String first = "53535046" // magic
                + "0000002f" // size of the entry
                + "000000000000002a" // committed up to
                + "0000000000000029" // durable up to
                + "3d88c6c2" // checksum of the entry
                + "ca7f4761" // checksum of the frame's head
                + "0000000000000007" + "000000000000002a" + "03" + "00000000000003e8" + "00000000000003eb"
                + "0000000a" + "666f7572206564697473"
                + "00"; // padding
        String second = "53535046" + "00000025" + "000000000000002a" + "000000000000002a" + "a11da625" + "b1d51c6a"
                + "0000000000000007" + "000000000000002b" + "04" + "00000000000003de" + "00000000000003eb"
                + "00000000"
                + "000000"; // padding

        assertThat(hex(bytes, 0, head.length() / 2)).isEqualTo(head);
        assertThat(hex(bytes, 4096, first.length() / 2)).isEqualTo(first);
        assertThat(hex(bytes, 4096 + 80, second.length() / 2)).isEqualTo(second);
        Arrays.fill(bytes, 0, head.length() / 2, (byte) 0);
        Arrays.fill(bytes, 4096, 4096 + 80 + second.length() / 2, (byte) 0);
        assertThat(bytes).containsOnly(0);
    }

    private static String hex(byte[] bytes, int offset, int size) {
        return HexFormat.of().formatHex(bytes, offset, offset + size);
    }
}
