/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.io.IOException;
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

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    private final HostOptions hosts = new HostOptions();

    @Mixin
    private final MeasurementOptions measurement = new MeasurementOptions();

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
        measurement.measuring(forSeconds);
        return this;
    }

    /** How long the warm-up takes unless the command line says otherwise. */
    public TurnOptions warmingUp(int forSeconds) {
        measurement.warmingUp(forSeconds);
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
        return measurement.rounds();
    }

    public int seconds() {
        return measurement.seconds();
    }

    public int warmUpSeconds() {
        return measurement.warmUpSeconds();
    }

    /** Prints what figures depend on besides the command line. */
    public static void printMachine() throws IOException {
        Machine.print(BenchmarkFiles.DIRECTORY);
    }

    /** Measures all groups in each round, in an order that rotates, so that none always follows the same other. */
    public <T> void inTurns(List<T> groups, Function<T, String> name, Measurement<T> each) throws Exception {
        inTurns(rounds(), groups, name, each);
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
