/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code archive show} on a pool whose nodes hold what a test says. */
class ShowCommandTest extends ArchiveFixture {

    @Test
    void showListsPathAndLeavesNoFiles() throws Exception {
        holdImage(2);
        write();
        Path work = Files.createDirectory(directory.resolve("scratch"));
        Files.createDirectory(work.resolve("current"));

        assertThat(run("show", "--work", work.toString(), "--txid", "3", "/logs"))
                .as(pool.errors)
                .isZero();

        assertThat(pool.output)
                .startsWith("after transaction 3\nPERMISSION  OWNER  GROUP  BYTES  MODIFIED              PATH\n")
                .contains("-rw-r-----  alice  staff      7  1970-01-01T00:00:00Z "
                        + " /logs/edits_inprogress_0000000000000000003\n");
        assertThat(work.toFile().list()).as("what was there before").containsExactly("current");
        assertThat(run("show", "--work", work.toString(), "--json", "/logs")).isZero();
        assertThat(pool.output).contains("\"kind\": \"file\"", "\"txId\": 3");
    }
}
