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
    private static final class Measured {
        @Mixin
        private final TurnOptions turns =
                new TurnOptions().cpus(0.5).measuring(7).warmingUp(9);
    }

    @Command
    private static final class Apart {
        @Mixin
        private final TurnOptions turns = new TurnOptions().cpus(0.5).coresApart();
    }

    @Test
    void rotatesOrderOfContendersEachRound() throws Exception {
        List<String> order = new ArrayList<>();

        parse("--rounds", "3").inTurns(List.of("a", "b", "c"), name -> name, (name, round) -> order.add(name + round));

        assertThat(order).containsExactly("a1", "b1", "c1", "c2", "a2", "b2", "b3", "c3", "a3");
    }

    @Test
    void commandLineOverridesBenchmarkDefaults() {
        TurnOptions own = parse();
        TurnOptions typed = parse("--hosts", "shared", "--seconds", "1", "--warm-up", "2");

        assertThat(own.hosts()).hasToString("0.5 CPUs for each host");
        assertThat(List.of(own.seconds(), own.warmUpSeconds(), own.rounds())).containsExactly(7, 9, 3);
        assertThat(typed.hosts()).isEqualTo(HostCpuPlan.sharing());
        assertThat(List.of(typed.seconds(), typed.warmUpSeconds())).containsExactly(1, 2);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void coresApartFollowsBenchmarkOrCommandLine() {
        assertThat(parse().hosts().apart()).isEmpty();
        assertThat(parse("--cores-apart").hosts().apart()).isPresent();
        assertThat(parse("--hosts", "shared", "--cores-apart").hosts()).isEqualTo(HostCpuPlan.sharing());

        assertThat(parse(new Apart()).turns.hosts().apart()).isPresent();
        assertThat(parse(new Apart(), "--cores-apart").turns.hosts().apart()).isPresent();
        assertThat(parse(new Apart(), "--no-cores-apart").turns.hosts().apart()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void rejectsHostsExceedingTheirCores() {
        String all = String.valueOf(Runtime.getRuntime().availableProcessors());

        assertThatThrownBy(() -> parse(new Apart(), "--hosts", all).turns.requireRoomFor(1))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("their half of the cores has");
        assertThatCode(() -> parse(new Apart(), "--hosts", all, "--no-cores-apart")
                        .turns
                        .requireRoomFor(1))
                .doesNotThrowAnyException();
    }

    @Test
    void missedBoundFailsOnlyWithCheck() {
        assertThat(parse().exitCode(false)).isZero();
        assertThat(parse("--check").exitCode(false)).isEqualTo(1);
        assertThat(parse("--check").exitCode(true)).isZero();
    }

    private static TurnOptions parse(String... arguments) {
        return parse(new Measured(), arguments).turns;
    }

    private static <T> T parse(T command, String... arguments) {
        new CommandLine(command).parseArgs(arguments);
        return command;
    }
}
