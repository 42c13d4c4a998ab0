/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.benchmarks.Commands.PositiveNumber;
import picocli.CommandLine.Option;

/** The options for how often and how long to measure. */
public final class MeasurementOptions {
    @Option(names = "--rounds", converter = PositiveNumber.class, description = "How often everything is measured.")
    private int rounds = 3;

    @Option(names = "--seconds", converter = PositiveNumber.class, description = "Of each measurement.")
    private int seconds = 5;

    @Option(names = "--warm-up", converter = PositiveNumber.class, description = "Before what is measured, in seconds.")
    private int warmUpSeconds = 15;

    /** The number of rounds unless set on the command line. */
    public MeasurementOptions withDefaultRounds(int times) {
        rounds = times;
        return this;
    }

    /** Returns how long a measurement takes unless set on the command line. */
    public MeasurementOptions withDefaultSeconds(int forSeconds) {
        seconds = forSeconds;
        return this;
    }

    /** Returns how long the warm-up takes unless set on the command line. */
    public MeasurementOptions withDefaultWarmUp(int forSeconds) {
        warmUpSeconds = forSeconds;
        return this;
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
}
