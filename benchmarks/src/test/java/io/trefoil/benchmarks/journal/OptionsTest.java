/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class OptionsTest {
    @Command
    private static final class MeasureCommand {
        @Mixin
        private final Options options = new Options();
    }

    @Test
    void killsOnlyJournalsToleratingLostReplica() {
        parse("--kills").requireConsistent();

        assertThat(parse("--kills").candidates()).containsExactly("ssp", "qjm", "bookkeeper-tuned");
        assertThatThrownBy(() -> parse("--kills", "--journals", "ssp,direct").requireConsistent())
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("direct");
    }

    @Test
    void readsOnlyCandidatesWithReaders() {
        parse("--reading", "--journals", "local,bookkeeper").requireConsistent();

        assertThatThrownBy(() -> parse("--reading", "--journals", "two-phase").requireConsistent())
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("two-phase");
    }

    @Test
    void requiresSpaceForTwoSegments() {
        parse("--reading", "--megabytes", "40", "--journals", "ssp,qjm").requireConsistent();

        assertThatThrownBy(() -> parse("--reading", "--megabytes", "40").requireConsistent())
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--megabytes 40");
    }

    @Test
    void rejectsIncompatibleRuns() {
        assertThatThrownBy(() -> parse("--reading", "--kills").requireConsistent())
                .isInstanceOf(ParameterException.class);
        assertThatThrownBy(() -> parse("--sweep", "--kills").requireConsistent())
                .isInstanceOf(ParameterException.class);
    }

    private static Options parse(String... arguments) {
        MeasureCommand command = new MeasureCommand();
        new CommandLine(command).parseArgs(arguments);
        return command.options;
    }
}
