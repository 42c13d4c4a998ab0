/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class TurnOptionsTest {

    @Command
    private static final class MeasureCommand {
        @Mixin
        private final TurnOptions turns =
                new TurnOptions().withDefaultCpus(0.5).withDefaultSeconds(7).withDefaultWarmUp(9);
    }

    @Command
    private static final class SeparateCoresCommand {
        @Mixin
        private final TurnOptions turns = new TurnOptions().withDefaultCpus(0.5).withSeparateCores();
    }

    @Test
    void rotatesOrderOfContendersEachRound() throws Exception {
        List<String> order = new ArrayList<>();

        parse("--rounds", "3")
                .measureInTurns(List.of("a", "b", "c"), name -> name, (name, round) -> order.add(name + round));

        assertThat(order).containsExactly("a1", "b1", "c1", "c2", "a2", "b2", "b3", "c3", "a3");
    }

    @Test
    void commandLineOverridesBenchmarkDefaults() {
        TurnOptions own = parse();
        TurnOptions typed = parse("--hosts", "shared", "--seconds", "1", "--warm-up", "2");

        assertThat(own.hosts()).hasToString("0.5 CPUs for each host");
        assertThat(List.of(own.seconds(), own.warmUpSeconds(), own.rounds())).containsExactly(7, 9, 3);
        assertThat(typed.hosts()).isEqualTo(HostCpuPlan.shared());
        assertThat(List.of(typed.seconds(), typed.warmUpSeconds())).containsExactly(1, 2);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void reservedCoresFollowBenchmarkOrCommandLine() {
        assertThat(parse().hosts().reservedCores()).isEmpty();
        assertThat(parse("--cores-apart").hosts().reservedCores()).isPresent();
        assertThat(parse("--hosts", "shared", "--cores-apart").hosts()).isEqualTo(HostCpuPlan.shared());

        assertThat(parse(new SeparateCoresCommand()).turns.hosts().reservedCores())
                .isPresent();
        assertThat(parse(new SeparateCoresCommand(), "--cores-apart")
                        .turns
                        .hosts()
                        .reservedCores())
                .isPresent();
        assertThat(parse(new SeparateCoresCommand(), "--no-cores-apart")
                        .turns
                        .hosts()
                        .reservedCores())
                .isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void rejectsHostsNeedingMoreCoresThanAvailable() {
        String all = String.valueOf(Runtime.getRuntime().availableProcessors());

        assertThatThrownBy(() ->
                        parse(new SeparateCoresCommand(), "--hosts", all).turns.requireCoresFor(1))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("their half of the cores has");
        assertThatCode(() -> parse(new SeparateCoresCommand(), "--hosts", all, "--no-cores-apart")
                        .turns
                        .requireCoresFor(1))
                .doesNotThrowAnyException();
    }

    @Test
    void missedBoundFailsRunOnlyWithCheckOption() {
        assertThat(parse().exitCode(false)).isZero();
        assertThat(parse("--check").exitCode(false)).isEqualTo(1);
        assertThat(parse("--check").exitCode(true)).isZero();
    }

    private static TurnOptions parse(String... arguments) {
        return parse(new MeasureCommand(), arguments).turns;
    }

    private static <T> T parse(T command, String... arguments) {
        new CommandLine(command).parseArgs(arguments);
        return command;
    }
}
