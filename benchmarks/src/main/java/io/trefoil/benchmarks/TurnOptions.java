/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.benchmarks.Commands.PositiveNumber;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of benchmarks in which groups of clusters take turns on one machine, and the turns. */
public final class TurnOptions {
    private static final Path WORK = Path.of("benchmarks", "target").toAbsolutePath();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    private final HostOptions hosts = new HostOptions();

    @Option(names = "--rounds", defaultValue = "3", converter = PositiveNumber.class, description = "How often.")
    private int rounds;

    @Option(names = "--seconds", converter = PositiveNumber.class, description = "Of each measurement.")
    private int seconds = 5;

    @Option(names = "--warm-up", converter = PositiveNumber.class, description = "Before what is measured, in seconds.")
    private int warmUpSeconds = 15;

    @Option(names = "--check", description = "End with 1 if a bound is missed.")
    private boolean check;

    /** What is measured of a group in one of the rounds, which begin at 1. */
    public interface Measurement<T> {
        void of(T group, int round) throws Exception;
    }

    /** The CPUs of each host unless the command line has others. */
    public TurnOptions cpus(double each) {
        hosts.cpus(each);
        return this;
    }

    /** Hosts have half of the cores, and clients the others, unless the command line says otherwise. */
    public TurnOptions coresApart() {
        hosts.coresApart();
        return this;
    }

    /** How long a measurement takes unless the command line says otherwise. */
    public TurnOptions measuring(int forSeconds) {
        seconds = forSeconds;
        return this;
    }

    /** How long the warm-up takes unless the command line says otherwise. */
    public TurnOptions warmingUp(int forSeconds) {
        warmUpSeconds = forSeconds;
        return this;
    }

    public HostCpuPlan hosts() {
        return hosts.plan();
    }

    /**
     * To be called before hosts start.
     *
     * @param wanted hosts that use their CPUs at the same time
     * @throws ParameterException if they do not fit on the cores that they have for themselves
     */
    public void requireRoomFor(int wanted) {
        hosts.requireRoomFor(wanted, command);
    }

    public int rounds() {
        return rounds;
    }

    public int seconds() {
        return seconds;
    }

    public int warmUpSeconds() {
        return warmUpSeconds;
    }

    /** Prints what figures depend on besides the command line. */
    public static void printMachine() throws IOException {
        Machine.print(WORK);
    }

    /** Measures all groups in each round, in an order that rotates, so that none always follows the same other. */
    public <T> void inTurns(List<T> groups, Function<T, String> name, Measurement<T> measurement) throws Exception {
        inTurns(rounds, groups, name, measurement);
    }

    static <T> void inTurns(int rounds, List<T> groups, Function<T, String> name, Measurement<T> measurement)
            throws Exception {
        List<T> turns = new ArrayList<>(groups);
        for (int round = 1; round <= rounds; round++) {
            for (T group : turns) {
                measurement.of(group, round);
                System.out.printf("round %d of %d, %s%n", round, rounds, name.apply(group));
            }
            Collections.rotate(turns, 1);
        }
    }

    /** The exit code for whether all bounds are kept. */
    public int exitCode(boolean allAreKept) {
        return allAreKept || !check ? 0 : 1;
    }
}
