/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ContenderOptionsTest {

    @Command
    private static final class CompareCommand {
        @Mixin
        private final ContenderOptions contenders = new ContenderOptions();
    }

    @Test
    void comparesTrefoilWithQjmByDefault() throws Exception {
        List<String> order = new ArrayList<>();

        parse("--rounds", "2").measureInTurns((name, round) -> order.add(name + round));

        assertThat(order).containsExactly("trefoil1", "qjm1", "qjm2", "trefoil2");
        assertThat(parse("--clusters", "qjm").names()).containsExactly("qjm");
    }

    @Test
    void rejectsContenderWithoutFailover() {
        assertThatThrownBy(() -> parse("--clusters", "trefoil,none"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("none");
    }

    private static ContenderOptions parse(String... arguments) {
        CompareCommand command = new CompareCommand();
        new CommandLine(command).parseArgs(arguments);
        return command.contenders;
    }
}
