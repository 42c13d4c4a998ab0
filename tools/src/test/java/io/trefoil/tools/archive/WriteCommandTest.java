/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageCopier;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.pool.JournalOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code archive write} on a pool whose nodes hold what a test says. */
class WriteCommandTest extends ArchiveFixture {

    @Test
    void rewriteAddsOnlyNewEntries() throws Exception {
        write();
        List<Path> before = objects();
        addBatch(2);

        assertThat(write()).isEqualTo(ExitCode.FINE);

        assertThat(objects()).hasSize(before.size() + 1).containsAll(before);
        assertThat(objects().get(objects().size() - 1).getFileName().toString().length())
                .isEqualTo(39);
        assertThat(objects())
                .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as("it has keys")
                        .isEqualTo("rw-------"));
        assertThat(run("list")).as("there is no image").isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("there is no image yet");
    }

    @Test
    void copiesNoImageOlderThanArchivedEdits() throws Exception {
        holdImage(9);

        assertThat(write()).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("no new image");
        assertThat(objects()).as("its transactions are not in the archive").hasSize(2);
    }

    @Test
    void copiesNewerImageOnlyOnceArchiveHasCaughtUp() throws Exception {
        endSegment(1);
        JournalLocation place = pool.find(Optional.empty());
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        ArchiveWriter writer = new ArchiveWriter(
                store, pool.openCommittedLog(place), () -> {}, "00000000000000aa", System::currentTimeMillis);
        writer.writeChunk();
        add(EntryKind.DISCARD, TxRange.emptyRangeAt(1), Bytes.EMPTY);
        nextTxId = 1;
        startSegment();
        addBatch(2);
        holdImage(2);
        Options options = new Options(pool);
        new CommandLine(options).parseArgs();
        ImageCopier copier = new ImageCopier(
                new FetchedImages(options.journal, place, directory.resolve("work")),
                store,
                writer,
                ImageRecords.Pace.FREE,
                System::currentTimeMillis);

        assertThat(copier.copyNewest(sn -> writer.archivedUpTo().orElseThrow().sn() >= sn))
                .as("the archive lacks the restore that the image is behind")
                .isFalse();

        assertThat(store.list("images")).isEmpty();
        writer.writeChunk();
        assertThat(copier.copyNewest(sn -> writer.archivedUpTo().orElseThrow().sn() >= sn))
                .isTrue();
        assertThat(new ArchiveReader(store).contents().images().get(0).confirmedSn())
                .isEqualTo(pool.node(1).log.size());
    }

    /** A command that has only the options of all. */
    @Command
    private static final class Options {
        @Mixin
        private final JournalOptions journal;

        Options(FakePool pool) {
            journal = new JournalOptions(pool);
        }
    }

    @Test
    void refusesArchiveOfOtherNamespace() throws Exception {
        write();
        List<Path> before = objects();
        pool.node(1).namespace = NamespaceId.of("CID-2", 8);

        assertThat(write()).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors)
                .contains("wanted the archive of clusterId CID-2, found that of CID-1", "Nothing was changed");
        assertThat(objects()).isEqualTo(before);
    }

    @Test
    void objectsMatchDocumentation() throws Exception {
        write();
        Path root = archive.resolve("ns1");
        assertThat(root.resolve("archive"))
                .content()
                .startsWith("trefoil-archive 1\njournal=ns1\nclusterId=CID-1\nnamespaceId=7\ncrc32c=");
        Path chunk = objects().stream()
                .filter(file -> file.toString().contains("/log/"))
                .findFirst()
                .orElseThrow();
        assertThat(root.relativize(chunk).toString())
                .matches("log/3-0000000000c0ffee/[0-9a-f]{16}/0000000000000000001-0000000000000000003");
        assertThat(new String(Files.readAllBytes(chunk), StandardCharsets.ISO_8859_1))
                .matches("(?s)trefoil-archive-chunk 1\nbefore=0 0 0\nafter=3 3 -66\nmark=3 3 [0-9]{13}\n"
                        + "body=213 [0-9a-f]{8}\ncrc32c=[0-9a-f]{8}\n.{213}");
        Files.writeString(root.resolve("archive"), "trefoil-archive 2\n" + checksum("trefoil-archive 2\n"));
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("wanted 'trefoil-archive 1', found 'trefoil-archive 2'");
    }
}
