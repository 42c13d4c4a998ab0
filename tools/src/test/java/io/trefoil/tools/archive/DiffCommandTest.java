/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.output.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code archive diff} on a pool whose nodes hold what a test says. */
class DiffCommandTest extends ArchiveFixture {

    @Test
    void diffListsChanges() throws Exception {
        holdImage(2);
        endSegment(1);
        startSegment();
        addBatch(2);
        write();
        String work = directory.resolve("scratch").toString();

        assertThat(run("diff", "--work", work, "--from", "3", "/logs"))
                .as(pool.errors)
                .isEqualTo(ExitCode.FINDING);

        assertThat(pool.output)
                .isEqualTo(
                        """
                        from transaction 3 to transaction 5
                        created /logs/edits_inprogress_0000000000000000004
                        """);
        assertThat(run("diff", "--work", work, "--from", "5", "--to", "3", "--json", "/logs"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("\"what\": \"deleted\"", "\"fromTxId\": 5");
        assertThat(run("diff", "--work", work, "--from", "5", "/logs")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).isEqualTo("from transaction 5 to transaction 5\nnothing is different\n");
        assertThat(Path.of(work)).isEmptyDirectory();
        assertThat(run("diff", "--work", work, "--from", "5", "/never")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("/never was there at neither instant");
        assertThat(run("diff", "--work", work, "--from", "yesterday", "/logs")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--from is a time in UTC, as 2026-11-28T12:00:03Z; got yesterday");
    }
}
