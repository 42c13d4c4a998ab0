/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.junit.jupiter.api.Test;

/** {@code archive list} on a pool whose nodes hold what a test says. */
class ListCommandTest extends ArchiveFixture {

    @Test
    void listReportsNewestIncarnationWithoutImage() throws Exception {
        holdImage(2);
        write();
        pool.node(1).images.clear();
        pool.node(1).incarnation = Incarnation.of(4, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(Incarnation.of(4, 0xc0ffee));
        write();

        assertThat(run("list")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output).contains("there is no image yet of incarnation 4-0000000000c0ffee, the newest");
    }

    @Test
    void refusesArchiveOfOtherJournal() throws Exception {
        String text = "trefoil-archive 1\njournal=ns2\nclusterId=CID-1\nnamespaceId=7\n";
        Files.createDirectories(archive.resolve("ns1"));
        Files.writeString(archive.resolve("ns1/archive"), text + checksum(text));

        assertThat(run("list")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors).contains("wanted the archive of journal ns1, found that of ns2");
    }

    @Test
    void reportsGapAndDoesNotCrossIt() throws Exception {
        write();
        pool.node(1).log.clear();
        pool.node(1).base = LogSummary.of(
                        LogPosition.of(FakePool.EPOCH, 7), Members.NONE, 20, Optional.of(18L), Optional.empty())
                .with(Incarnation.of(3, 0xc0ffee));
        pool.node(1)
                .log
                .add(Entry.of(
                        LogPosition.of(FakePool.EPOCH, 8),
                        EntryKind.EDITS,
                        TxRange.of(21, 21),
                        EditFrames.newFrame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, 21, 1)));

        assertThat(write()).as(pool.errors).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("the journal no longer had 4 entries before that");
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("gap: entries 4 to 7 of incarnation 3-0000000000c0ffee are missing");
    }

    @Test
    void rejectsInvalidArchivesAndTimes() throws Exception {
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("wanted an archive, found no object 'archive' there");
        write();
        String to = directory.resolve("past").toString();
        assertThat(run("fetch", "--to", to, "--at", "yesterday")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--at is a time in UTC, as 2026-11-28T12:00:03Z; got yesterday");
        assertThat(run("fetch", "--to", to, "--at", "2001-01-01T00:00:00Z")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("the archive begins at ");
        assertThat(run("fetch", "--to", to, "--at", "2101-01-01T00:00:00Z")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("the archive ends at ");
        assertThat(run("fetch", "--to", to, "--at", "2101-01-01T00:00:00Z", "--txid", "1"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("fetch", "--to", to)).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("Wanted an image at or below transaction 3");
        assertThat(pool.run("archive", "list", "--dir", "nosuch://host/dir")).isEqualTo(ExitCode.USAGE);
    }
}
