/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code archive restore} on a pool whose nodes hold what a test says. */
class RestoreCommandTest extends ArchiveFixture {

    @Test
    void restorePreparesSuccessorWhenNoNameNodeAnswers() throws Exception {
        holdImage(2);
        write();
        pool.poolConfigured = true;
        Path to = directory.resolve("nn");

        assertThat(run("restore", "--to", to.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("NameNode nn1 of ns1 answers at host1:9870", "nothing was changed");
        assertThat(to).doesNotExist();

        pool.nameNodes.pages.clear();
        pool.nameNodes.hung.add("host2:9870");
        assertThat(run("restore", "--to", to.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains("NameNode nn2 of ns1 accepts connections at host2:9870", "nothing was changed");
        assertThat(to).doesNotExist();

        pool.nameNodes.hung.clear();
        assertThat(run("restore", "--to", to.toString())).as(pool.errors).isZero();
        assertThat(pool.output)
                .startsWith("The namespace after transaction 3 is in " + to)
                .endsWith("Next: hdfs namenode -initializeSharedEdits, and start this host's NameNode\n");
        assertThat(to.resolve("current/successor")).exists();
        assertThat(to.resolve("current/fsimage_0000000000000000002")).exists();

        pool.cannotReserveIds = true;
        assertThat(run("restore", "--to", directory.resolve("full").toString())).isEqualTo(ExitCode.FINDING);
        assertThat(directory.resolve("full/current"))
                .as("it would assign ids a second time")
                .doesNotExist();
        assertThat(run("restore", "--to", to.toString(), "--execute")).isEqualTo(ExitCode.FINDING);
        assertThat(to.resolve("current/successor")).as("what was there before").exists();
    }

    @Test
    void restoreMovesNamespaceAsideAndUndoesThat() throws Exception {
        holdImage(2);
        write();
        addBatch(4);
        pool.nameNodes.pages.clear();
        Path to = directory.resolve("nn");
        Files.createFile(Files.createDirectories(to.resolve("current")).resolve("of-before"));
        Incarnation unarchived = Incarnation.ofFormat(Long.MAX_VALUE - 1, 2);
        Files.writeString(to.resolve("current/trefoil-journal"), unarchived + "\n");

        assertThat(run("restore", "--to", to.toString(), "--txid", "3"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output)
                .startsWith(
                        "dry run, nothing was changed; --execute does it\nThe namespace after transaction 3 would be");
        assertThat(to.toFile().list()).containsExactly("current");
        assertThat(run("restore", "--to", to.toString(), "--undo")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("there is nothing to undo; nothing was changed");

        pool.node(1).silence = "connection refused";
        assertThat(run("restore", "--to", to.toString(), "--txid", "3", "--execute"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("The archive may lack what the pool has committed", "Nothing was changed");
        assertThat(to.toFile().list()).containsExactly("current");

        pool.node(1).silence = "";
        assertThat(run("restore", "--to", to.toString(), "--txid", "3", "--execute"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.newestKnown).isEqualTo(unarchived);
        assertThat(pool.output)
                .startsWith("The namespace after transaction 3 is in " + to)
                .contains("What was there is now " + to + "/current.before-archive-restore-")
                .endsWith("Next: hdfs namenode -initializeSharedEdits -force, and start this host's NameNode\n");
        assertThat(pool.reservedAbove.contiguousId())
                .as("what was assigned after that instant")
                .isEqualTo(FIRST_ID + 7);
        assertThat(movedAside(to))
                .allMatch(path -> Files.exists(path.resolve("of-before")))
                .hasSize(1);

        beginIncarnation(4);
        nextTxId = 900;
        addBatch(1);
        assertThat(run("restore", "--to", to.toString(), "--undo", "--at", "2026-11-28T12:00:03Z"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("restore", "--to", to.toString(), "--undo", "--execute", "--json"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output)
                .contains("\"txId\": 7", "\"dryRun\": false", "current.before-archive-restore-")
                .as("the new incarnation has no image yet, from which that could be undone")
                .contains("\"undoObstacle\": \"Wanted an image");
        assertThat(pool.reservedAbove.contiguousId())
                .as("what was assigned after the restore")
                .isEqualTo(FIRST_ID + 900);
        assertThat(movedAside(to)).hasSize(2);
        assertThat(run("list")).as("no image of the newest incarnation").isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("3-0000000000c0ffee", "4-0000000000c0ffee");
    }

    @Test
    void restoreRefusesWhileOtherDirectoryHasNamespace() throws Exception {
        holdImage(2);
        write();
        pool.nameNodes.pages.clear();
        Path to = directory.resolve("nn");
        Path other = directory.resolve("nn-of-other-disk");
        pool.nameDirectories.addAll(List.of(to, other));
        Files.createDirectories(other.resolve("current"));

        for (String[] order : new String[][] {{"--txid", "3"}, {"--txid", "3", "--execute"}, {"--undo", "--execute"}}) {
            assertThat(run(
                            "restore",
                            Stream.concat(Stream.of("--to", to.toString()), Stream.of(order))
                                    .toArray(String[]::new)))
                    .isEqualTo(ExitCode.FINDING);
            assertThat(pool.errors)
                    .contains(
                            "has a namespace or edits also in [" + other + "]",
                            "move current aside",
                            "nothing was changed");
            assertThat(to).doesNotExist();
        }

        Files.move(other.resolve("current"), other.resolve("current.aside"));
        assertThat(run("restore", "--to", directory + "/./nn")).as(pool.errors).isZero();
        assertThat(run("restore", "--to", directory + "/./nn"))
                .as("a dry run with another name of the same directory: " + pool.errors)
                .isZero();
    }

    @Test
    void restoreRefusesWhenUndoWouldFail() throws Exception {
        holdImage(2);
        write();
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        long millis =
                new ArchiveReader(store).contents().newestMark().orElseThrow().millis();
        String at = Instant.ofEpochMilli(millis).toString();
        pool.node(1).images.clear();
        nextTxId = 1;
        beginIncarnation(4);
        addBatch(3);
        pool.nameNodes.pages.clear();
        Path to = directory.resolve("nn");
        Files.createDirectories(to.resolve("current"));

        assertThat(run("restore", "--to", to.toString(), "--at", at, "--execute"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains("It could not be undone: Wanted an image", "archive write", "Nothing was changed");
        assertThat(to.toFile().list()).containsExactly("current");
        assertThat(run("restore", "--to", to.toString(), "--at", at))
                .as("the archive has the new incarnation by now")
                .isEqualTo(ExitCode.FINDING);

        holdImage(2);
        write();
        assertThat(run("restore", "--to", to.toString(), "--at", at, "--execute"))
                .as(pool.errors)
                .isZero();
    }

    private static List<Path> movedAside(Path nameDirectory) throws IOException {
        try (Stream<Path> files = Files.list(nameDirectory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("current."))
                    .toList();
        }
    }

    private void beginIncarnation(long number) {
        pool.node(1).log.clear();
        pool.node(1).incarnation = Incarnation.of(number, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(pool.node(1).incarnation);
        add(EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
        startSegment();
    }
}
