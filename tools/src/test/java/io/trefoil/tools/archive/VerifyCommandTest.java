/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.output.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code archive verify} on a pool whose nodes hold what a test says. */
class VerifyCommandTest extends ArchiveFixture {

    @Test
    void findsAndOmitsDamage() throws Exception {
        holdImage(2);
        write();
        Path chunk = objects().stream()
                .filter(file -> file.toString().contains("/log/"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(chunk);
        bytes[bytes.length - 1] ^= 1;
        Files.write(chunk, bytes);

        assertThat(run("verify")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("it is damaged", "1 damaged: move them out of the archive");
        assertThat(run("fetch", "--to", directory.resolve("past").toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("it is damaged");
        assertThat(directory.resolve("past/current")).doesNotExist();

        bytes[30] ^= 1;
        Files.write(chunk, bytes);
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("there are no edits yet", "damaged: log/");
    }
}
