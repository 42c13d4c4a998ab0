/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.TestPorts;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.tools.output.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with Hadoop's own options in front. */
class TrefoilMainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void hadoopsOptionsStandBeforeTheCommand() {
        assertThat(run("-D", "dfs.namenode.shared.edits.dir=ssp://localhost:1/ns1", "journal", "status", "--timeout=1"))
                .isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("no pool node answers: localhost:1: no answer in 1000 ms")
                .contains("refused");
    }

    @Test
    void aNodeIsAskedOverTheNetwork(@TempDir Path folder) throws IOException {
        NodeAddress address = NodeAddress.of("localhost", TestPorts.free());
        NodeSettings settings = NodeSettings.builder()
                .address(address)
                .bindHost("localhost")
                .directory(folder)
                .build();
        try (PoolNode node = PoolNode.start(settings)) {
            assertThat(run("journal", "status", "--journal", "ssp://" + node.address() + "/ns1", "--timeout", "60"))
                    .isEqualTo(ExitCode.FINDING);
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(address + " not formatted")
                .endsWith("NOT FORMATTED on any node in reach\n");
    }

    @Test
    void withoutAJournalInTheConfigurationOneMustBeNamed() {
        assertThat(run("journal", "status")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("found none; name it with --journal");
    }

    @Test
    void helpGoesToStandardOutput() {
        assertThat(run("--help")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Usage: trefoil")
                .doesNotContain("By other jars");
    }

    private int run(String... arguments) {
        return TrefoilMain.run(
                new Configuration(false),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }
}
