/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.benchmarks.Commands.PositiveNumber;
import picocli.CommandLine.Option;

/** How often and how long something is measured. */
public final class MeasurementOptions {
    @Option(names = "--rounds", converter = PositiveNumber.class, description = "How often everything is measured.")
    private int rounds = 3;

    @Option(names = "--seconds", converter = PositiveNumber.class, description = "Of each measurement.")
    private int seconds = 5;

    @Option(names = "--warm-up", converter = PositiveNumber.class, description = "Before what is measured, in seconds.")
    private int warmUpSeconds = 15;

    /** The rounds unless the command line has others. */
    public MeasurementOptions repeating(int times) {
        rounds = times;
        return this;
    }

    /** How long a measurement takes unless the command line says otherwise. */
    public MeasurementOptions measuring(int forSeconds) {
        seconds = forSeconds;
        return this;
    }

    /** How long the warm-up takes unless the command line says otherwise. */
    public MeasurementOptions warmingUp(int forSeconds) {
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
