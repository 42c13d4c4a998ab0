/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.benchmarks.Commands.OneOf;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The options of benchmarks that compare our failover with QJM and ZKFC, in turns on one machine. */
public final class ContenderOptions {
    public static final String OURS = "trefoil";
    public static final String QJM = "qjm";

    @Option(
            names = "--clusters",
            split = ",",
            defaultValue = OURS + "," + QJM,
            converter = Name.class,
            description = "What is compared.")
    private List<String> names;

    @Option(names = "--rounds", defaultValue = "3", converter = PositiveNumber.class, description = "How often.")
    private int rounds;

    /** A contender's name on a command line. */
    static final class Name extends OneOf {
        Name() {
            super(OURS, QJM);
        }
    }

    /** Returns the contenders to compare, in the order of the command line. */
    public List<String> names() {
        return names;
    }

    public int rounds() {
        return rounds;
    }

    /** Measures all contenders in each round, in a rotating order, so that none always follows the same other one. */
    public void measureInTurns(TurnOptions.Measurement<String> measurement) throws Exception {
        measureInTurns(names, name -> name, measurement);
    }

    /** Like the other {@code measureInTurns}, with named contenders, such as clusters that stay up for the whole run. */
    public <T> void measureInTurns(List<T> groups, Function<T, String> name, TurnOptions.Measurement<T> measurement)
            throws Exception {
        TurnOptions.measureInTurns(rounds, groups, name, measurement);
    }
}
