/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code archive status} on a pool whose nodes hold what a test says. */
class ArchiveStatusCommandTest extends ArchiveFixture {

    @Test
    void statusComparesArchiveWithPool() throws Exception {
        holdImage(2);
        write();
        assertThat(run("status")).as(pool.errors).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .startsWith("The archive has everything up to transaction 3, committed by ")
                .endsWith(
                        """
                        Z, and that is all that the pool has committed
                        The newest image is of transaction 2, 1 are replayed behind it
                        """);

        addBatch(4);
        assertThat(run("status")).as("it was written seconds ago").isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("Z; the pool has committed transaction 7, 4 more\n");
        assertThat(run("status", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("\"missingTransactions\": 4", "\"imageTxId\": 2");

        pool.node(1).incarnation = Incarnation.of(4, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(Incarnation.of(4, 0xc0ffee));
        assertThat(run("status")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .isEqualTo(
                        "The archive has nothing of incarnation 4-0000000000c0ffee, which is in force in the pool\n");
    }

    @Test
    void statusReportsAbandonedArchive() throws Exception {
        holdImage(2);
        JournalLocation place = pool.find(Optional.empty());
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        write();
        deleteLog(store);
        new ArchiveWriter(store, pool.openCommittedLog(place), () -> {}, "00000000000000aa", () -> 1_000).writeChunk();
        assertThat(run("status")).as("nothing was committed since").isEqualTo(ExitCode.FINE);

        addBatch(1);

        assertThat(run("status")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("committed by 1970-01-01T00:00:01Z; the pool has committed transaction 4, 1 more");
    }
}
