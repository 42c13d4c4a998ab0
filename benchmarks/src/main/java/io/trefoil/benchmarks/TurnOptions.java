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

    /** The measurement of a group in one of the rounds, which count from 1. */
    public interface Measurement<T> {
        void measure(T group, int round) throws Exception;
    }

    /** The CPUs of each host unless set on the command line. */
    public TurnOptions withDefaultCpus(double cpusPerHost) {
        hosts.withDefaultCpus(cpusPerHost);
        return this;
    }

    /** Hosts have half of the cores, and clients the other half, unless set otherwise on the command line. */
    public TurnOptions withSeparateCores() {
        hosts.withSeparateCores();
        return this;
    }

    /** The number of rounds unless set on the command line. */
    public TurnOptions withDefaultRounds(int times) {
        measurement.withDefaultRounds(times);
        return this;
    }

    /** Returns how long a measurement takes unless set on the command line. */
    public TurnOptions withDefaultSeconds(int forSeconds) {
        measurement.withDefaultSeconds(forSeconds);
        return this;
    }

    /** Returns how long the warm-up takes unless set on the command line. */
    public TurnOptions withDefaultWarmUp(int forSeconds) {
        measurement.withDefaultWarmUp(forSeconds);
        return this;
    }

    public HostCpuPlan hosts() {
        return hosts.plan();
    }

    /**
     * Checks that the machine has enough cores for the hosts; to be called before they start.
     *
     * @param requiredCores hosts that use their CPUs at the same time
     * @throws ParameterException if they do not fit on the cores that they have for themselves
     */
    public void requireCoresFor(int requiredCores) {
        hosts.requireCoresFor(requiredCores, command);
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

    /** Prints the conditions that figures depend on besides the command line. */
    public static void printMachine() throws IOException {
        Machine.print(BenchmarkFiles.DIRECTORY);
    }

    /** Measures all groups in each round, in a rotating order, so that none always follows the same other one. */
    public <T> void measureInTurns(List<T> groups, Function<T, String> name, Measurement<T> measurement)
            throws Exception {
        measureInTurns(rounds(), groups, name, measurement);
    }

    static <T> void measureInTurns(int rounds, List<T> groups, Function<T, String> name, Measurement<T> measurement)
            throws Exception {
        List<T> turns = new ArrayList<>(groups);
        for (int round = 1; round <= rounds; round++) {
            for (T group : turns) {
                measurement.measure(group, round);
                System.out.printf("round %d of %d, %s%n", round, rounds, name.apply(group));
            }
            Collections.rotate(turns, 1);
        }
    }

    /** The exit code, by whether all bounds are kept. */
    public int exitCode(boolean areBoundsMet) {
        return areBoundsMet || !check ? 0 : 1;
    }
}
