/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Help, completion, and command lines that make no sense. */
class TrefoilCommandTest {
    private final FakePool pool = new FakePool(3);

    @Test
    void everyCommandHasHelpWithItsExitCodes() {
        assertThat(pool.run("--help")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("Usage: trefoil", "journal", "generate-completion", "  checkpoint points in time");
        assertThat(pool.run("journal", "--help")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("status", "verify", "export");
        for (String command : List.of("status", "verify", "export")) {
            assertThat(pool.run("journal", command, "--help")).isEqualTo(ExitCode.FINE);
            assertThat(pool.output).contains("Exit codes:", "--journal", "--timeout", "--json", "5 if not given");
        }
    }

    @Test
    void theVersionIsPrinted() {
        assertThat(pool.run("--version")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).startsWith("trefoil ");
    }

    @Test
    void theCompletionScriptKnowsTheCommands() {
        assertThat(pool.run("generate-completion")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("complete -F _complete_trefoil", "--max-lag");
    }

    @Test
    void wrongCommandLinesAreRefusedBeforeAnybodyIsAsked() {
        assertThat(pool.run()).isEqualTo(ExitCode.USAGE);
        assertThat(pool.run("journal")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.run("journal", "destroy")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("destroy", "Try 'trefoil journal --help'.");
        assertThat(pool.run("journal", "status", "--max-lag", "many")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--max-lag");
        assertThat(pool.run("journal", "status", "--timeout", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--timeout is between 1 and 3600 seconds, got 0");
        assertThat(pool.output).isEmpty();
    }
}
