/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.output.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The common instant of a federation whose nameservices ns1 and ns2 have archives beside each other; checkpoint b lacks ns2. */
class CheckpointInstantTest extends ArchiveFixture {

    private static final CheckpointId A = CheckpointId.of("a", "00000001");
    private static final CheckpointId B = CheckpointId.of("b", "00000002");
    private static final CheckpointId P = CheckpointId.of("p", "00000003");

    @BeforeEach
    void writeBothArchives() throws Exception {
        holdImage(2);
        addCheckpoint("ns2", A, 1_000);
        write();
        String identity = "trefoil-archive 1\njournal=ns2\nclusterId=CID-1\nnamespaceId=8\n";
        Files.move(archive.resolve("ns1"), archive.resolve("ns2"));
        Files.writeString(archive.resolve("ns2/archive"), identity + checksum(identity));

        pool.node(1).log.clear();
        nextTxId = 1;
        startLog();
        addCheckpoint("ns1", A, 1_000);
        addBatch(2);
        addCheckpoint("ns1", B, 2_000);
        addBatch(1);
        write();
    }

    @Test
    void choosesNewestCheckpointOfAllNameservices() throws Exception {
        Path to = directory.resolve("past");

        assertThat(run("fetch", "--to", to.toString(), "--checkpoint", "newest"))
                .as(pool.errors)
                .isZero();

        assertThat(pool.output)
                .contains(
                        "The namespace after transaction 3 is in",
                        "Not used: checkpoint b.00000002 is not in the archive of nameservice ns2\n",
                        "It is that of checkpoint a.00000001 of 1970-01-01T00:00:01Z: ns1 after transaction 3, ns2 after"
                                + " transaction 3; --checkpoint a.00000001 is the same instant of each");
        assertThat(to.resolve("current")).isDirectory();
    }

    @Test
    void newestSkipsCheckpointThatLacksNameservice() throws Exception {
        addCheckpoint("ns1", P, 3_000, List.of("ns1"));
        addBatch(1);
        write();
        for (String nameservice : List.of("ns1", "ns2")) {
            pool.nameNodes.all.add(NameNodeGroup.of(nameservice, Map.of("nn1", nameservice + ":9870")));
        }
        String to = directory.resolve("past").toString();

        assertThat(run("fetch", "--to", to, "--checkpoint", "newest"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output)
                .contains(
                        "Not used: checkpoint p.00000003 was made without nameservices [ns2]",
                        "It is that of checkpoint a.00000001");
        assertThat(run("fetch", "--to", directory.resolve("one").toString(), "--checkpoint", P.toString()))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output).contains("1970-01-01T00:00:03Z: ns1 after transaction 6;");
    }

    @Test
    void restoreNamesItsCheckpointInJson() {
        pool.nameNodes.pages.clear();

        assertThat(run("restore", "--to", directory.resolve("nn").toString(), "--checkpoint", "newest", "--json"))
                .as(pool.errors)
                .isZero();

        assertThat(pool.output)
                .contains(
                        "\"checkpoint\": \"a.00000001\"",
                        "\"checkpointMillis\": 1000",
                        "\"ns1\": 3",
                        "\"ns2\": 3",
                        "checkpoint b.00000002 is not in the archive of nameservice ns2");
    }

    @Test
    void newestSkipsVoidCheckpointAndNameFindsIt() {
        add(EntryKind.DISCARD, TxRange.emptyRangeAt(3), Bytes.EMPTY);
        nextTxId = 3;
        startSegment();
        addBatch(2);
        write();
        String to = directory.resolve("past").toString();

        assertThat(run("fetch", "--to", to, "--checkpoint", "newest")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("Wanted a checkpoint that the archives of all nameservices [ns1] have");
        assertThat(run("fetch", "--to", to, "--checkpoint", A.toString()))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output).contains("The namespace after transaction 3 is in");
    }

    @Test
    void rejectsCheckpointThatNameserviceLacks() {
        assertThat(run("fetch", "--to", directory.resolve("no").toString(), "--checkpoint", B.toString()))
                .isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors)
                .contains(
                        "Checkpoint b.00000002 cannot be had of nameservice ns2: Wanted checkpoint b.00000002, the archive has no barrier of it");
        assertThat(directory.resolve("no")).doesNotExist();
    }

    @Test
    void rejectsCheckpointWhenArchiveOfOtherNameserviceIsAbsent() throws Exception {
        Files.delete(archive.resolve("ns2/archive"));

        assertThat(run("fetch", "--to", directory.resolve("no").toString(), "--checkpoint", "newest"))
                .isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors).contains("wanted an archive, found no object 'archive' there");
    }

    @Test
    void timeMeansNewestCheckpointBeforeIt() {
        String to = directory.resolve("past").toString();

        assertThat(run("fetch", "--to", to, "--checkpoint", "newest", "--at", "1970-01-01T00:00:00.999Z"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains(
                        "Wanted a checkpoint that the archives of all nameservices [ns1] have by that time, found none");
        assertThat(run("fetch", "--to", to, "--checkpoint", "newest", "--at", "2101-01-01T00:00:00Z"))
                .as(pool.errors)
                .isZero();
        assertThat(run("fetch", "--to", to, "--checkpoint", A.toString(), "--at", "1970-01-01T00:00:01Z"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("fetch", "--to", to, "--checkpoint", "newest", "--txid", "3"))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void listShowsBarriersOfCheckpoints() {
        assertThat(run("list")).as(pool.errors).isZero();

        assertThat(pool.output)
                .containsPattern("CHECKPOINT +LAST-TXID +TIME +NAMESERVICES")
                .containsPattern("a\\.00000001 +3 +1970-01-01T00:00:01Z +ns1, ns2")
                .containsPattern("b\\.00000002 +5 +1970-01-01T00:00:02Z +ns1, ns2");
        assertThat(run("list", "--json")).isZero();
        assertThat(pool.output).contains("\"checkpoints\"", "\"millis\": 2000", "\"nameservices\"");
    }

    /** Ends the segment, adds the barrier behind it, and begins the next one. */
    private void addCheckpoint(String nameservice, CheckpointId id, long timeMillis) {
        addCheckpoint(nameservice, id, timeMillis, List.of("ns1", "ns2"));
    }

    private void addCheckpoint(String nameservice, CheckpointId id, long timeMillis, List<String> nameservices) {
        long cut = nextTxId - 1;
        endSegment(cut - 1);
        Manifest manifest = Manifest.of(
                Agreement.of(id, timeMillis, 0, "ns1", nameservices),
                Cut.builder()
                        .nameservice(nameservice)
                        .nameNode("nn1")
                        .txId(cut)
                        .imageTxId(2)
                        .files(1)
                        .blocks(0)
                        .waitedMicros(0)
                        .cutMicros(0)
                        .frozenMicros(0)
                        .build());
        add(
                EntryKind.BARRIER,
                TxRange.NONE,
                Barrier.of(
                                id.toString(),
                                cut,
                                3,
                                CheckpointJson.toJson(manifest).toString())
                        .toPayload());
        startSegment();
    }
}
