/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.promote.JournalPromoter;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.FileStorageDevice;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Node 2 is on this host and stopped; nodes 1 to 3 voted, and 1 and 3 are lost. Node 4 is a learner that came last. */
class PromoteCommandTest {
    private static final Incarnation OLD = Incarnation.ofFormat(5, 0x70);
    private static final long TIME = 1_700_000_000_123L;
    private static final String LOST = "host1:8487,host3:8487";

    @TempDir
    private Path host;

    private final FakePool pool = new FakePool(4);

    @BeforeEach
    void setUpOnlyLocalNode() throws IOException {
        Path names = Files.createDirectories(host.resolve("name"));
        Files.createDirectories(names.resolve("current"));
        Files.writeString(names.resolve("current").resolve("fsimage_%019d".formatted(0)), "image");
        formatJournal();
        Configuration conf = new Configuration(false);
        conf.set("trefoil.journal.dir", host.resolve("pool").toString());
        pool.promotion = nameNode -> JournalPromoter.open(
                conf, JournalId.of("ns1"), List.of(names), List.of(), image -> NamespaceCounters.NONE);
        pool.all().forEach(node -> {
            node.incarnation = OLD;
            node.silence = "Connection refused";
        });
        pool.node(4).isInUri = false;
    }

    private void formatJournal() throws IOException {
        Members members = Members.of(List.of(
                Member.voter(FakePool.id(1), FakePool.address(1)),
                Member.voter(FakePool.id(2), FakePool.address(2)),
                Member.voter(FakePool.id(3), FakePool.address(3))));
        byte[] made = ByteBuffer.allocate(8 + 2 + 3 + 8 + 8)
                .putLong(20_001)
                .putShort((short) 3)
                .put("/ab".getBytes(StandardCharsets.UTF_8))
                .putLong(TIME)
                .array();
        new FileStorageDevice(host.resolve("pool").resolve("ns1"), StorageSizes.DEFAULT.withLogFileBytes(1 << 20))
                .format(
                        StorageIdentity.of(FakePool.id(2), NamespaceId.of("CID-1", 7), OLD),
                        LogSummary.ORIGIN.with(OLD),
                        List.of(
                                entry(1, EntryKind.MEMBERS, TxRange.NONE, members.toPayload()),
                                entry(
                                        2,
                                        EntryKind.STORAGE,
                                        TxRange.NONE,
                                        StorageRecord.ofFormat(StorageRecord.Version.of(-67, 0))
                                                .toPayload()),
                                entry(3, EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67")),
                                entry(
                                        4,
                                        EntryKind.EDITS,
                                        TxRange.of(1, 1),
                                        EditFrames.newFrame(FSEditLogOpCodes.OP_MKDIR, 1, made))));
    }

    private static Entry entry(long sn, EntryKind kind, TxRange txIds, Bytes payload) {
        return Entry.of(LogPosition.of(FakePool.EPOCH, sn), kind, txIds, payload);
    }

    private int promote(String... more) {
        String[] arguments = new String[4 + more.length];
        System.arraycopy(new String[] {"journal", "promote", "--lost", LOST}, 0, arguments, 0, 4);
        System.arraycopy(more, 0, arguments, 4, more.length);
        return pool.run(arguments);
    }

    @Test
    void reportsSurvivingEditsAndTimestamps() {
        assertThat(promote()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("Certainly there: all transactions up to 1, ")
                .contains("Its last edit with a time was made at " + Instant.ofEpochMilli(TIME)
                        + " by the clock of the NameNode that wrote it.")
                .contains("Nothing was changed.");
        assertThat(promote("--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("\"lastEditMillis\": " + TIME);
    }

    @Test
    void printsRemainingStepsForAllHosts() {
        assertThat(promote("--last-tx", "1", "--execute")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("is now the only voter")
                .contains("1. Start this pool node and this NameNode, and make it active.")
                .contains(
                        "2. On the host of every other NameNode, where everything is from before: stop it, run hdfs namenode"
                                + " -bootstrapStandby -force, start it.")
                .contains("3. A pool node that survived moves its data aside and joins by itself")
                .contains("hdfs trefoil journal repair, then hdfs trefoil journal add");
    }

    /** It became a member after the log here ended, and only node 3 knows it, of those that are asked first. */
    @Test
    void contactsSurvivorKnownOnlyToAnotherNode() {
        pool.node(3).silence = "";
        pool.node(4).silence = "";
        pool.node(3).log.addAll(Logs.withBatches(1));
        pool.node(3).members = pool.node(3).members.with(Member.permanentLearner(FakePool.id(4), FakePool.address(4)));
        pool.node(4).log.addAll(Logs.withBatches(5));

        assertThat(pool.run("journal", "promote", "--lost", "host1:8487")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("Refused: host4:8487 has a log up to")
                .doesNotContain("Refused: host3:8487 has a log up to");
    }
}
