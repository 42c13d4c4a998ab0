/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.output.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code archive mount} on a pool whose nodes hold what a test says. */
class MountCommandTest extends ArchiveFixture {

    @Test
    void mountServesNamespaceAndLeavesNoFiles() throws Exception {
        holdImage(2);
        write();
        Path work = directory.resolve("scratch");

        assertThat(run("mount", "--work", work.toString(), "--txid", "3", "--port", "9900", "--http-port", "9901"))
                .as(pool.errors)
                .isZero();

        assertThat(pool.output)
                .isEqualTo(
                        "The namespace after transaction 3 is at hdfs://127.0.0.1:9900 and http://127.0.0.1:9901 until"
                                + " this command ends\n");
        assertThat(work).isEmptyDirectory();
        assertThat(run("mount", "--work", work.toString(), "--txid", "3", "--json"))
                .isZero();
        assertThat(pool.output).contains("\"uri\": \"hdfs://127.0.0.1:0\"");
        assertThat(run("mount", "--work", work.toString(), "--txid", "3", "--port", "70000"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--port is a port from 0 to 65535; got 70000");
        assertThat(run("mount", "--work", work.toString(), "--host", "no.such.invalid"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--host is an address of this host; cannot resolve no.such.invalid");
    }
}
