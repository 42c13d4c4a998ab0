/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.output.ExitCode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code archive prune} on a pool whose nodes hold what a test says. */
class PruneCommandTest extends ArchiveFixture {

    @Test
    void pruneDeletesObjectsUnneededWithinRetention() throws Exception {
        holdImage(2);
        write();
        assertThat(run("prune", "--retention", "1h")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).isEqualTo("nothing to delete: there are fewer than 2 images\n");
        for (long txId : new long[] {4, 6}) {
            addBatch(2);
            holdImage(txId);
            write();
        }
        List<Path> before = objects();
        assertThat(run("prune", "--retention", "1h")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).startsWith("nothing to delete: instants from ");

        assertThat(run("prune", "--retention", "1s")).as(pool.errors).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("fsimage_0000000000000000002", "dry run, nothing was changed; --execute does it");
        assertThat(objects()).isEqualTo(before);
        assertThat(run("prune", "--retention", "1s", "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains(" objects deleted; instants from ");
        assertThat(objects()).hasSizeLessThan(before.size());
        assertThat(run("list")).isEqualTo(ExitCode.FINE);
        assertThat(run("verify")).isEqualTo(ExitCode.FINE);
        assertThat(run("fetch", "--to", directory.resolve("past").toString(), "--txid", "7"))
                .as(pool.errors)
                .isEqualTo(ExitCode.FINE);
        assertThat(run("prune", "--retention", "1s")).isEqualTo(ExitCode.FINE);
        assertThat(run("prune", "--retention", "soon")).isEqualTo(ExitCode.USAGE);
    }
}
