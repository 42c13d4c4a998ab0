/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.Commands.AboveZero;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.journal.candidate.PoolProtection;
import java.util.List;
import picocli.CommandLine.Option;

/** The options on the command line of {@link JournalBenchmark}. Most defaults depend on {@code --quick}. */
final class Options {
    @Option(names = "--quick", description = "Only what there are bounds for, and a short time for each.")
    private boolean quick;

    @Option(
            names = "--sweep",
            description = "Batches of 128 B to 128 KiB, and 1,000 to 40,000 records per second; draws both.")
    private boolean sweep;

    @Option(
            names = "--rounds",
            converter = AboveZero.class,
            description = "How often everything is measured; 5, or 3 if quick.")
    private Integer rounds;

    @Option(
            names = "--seconds",
            converter = AboveZero.class,
            description = "How long each measurement takes; 4, or 2 if quick.")
    private Integer seconds;

    @Option(
            names = "--warm-up",
            converter = AboveZero.class,
            description = "How many seconds each candidate is loaded before the first round; 40, or 7 if quick.")
    private Integer warmUpSeconds;

    @Option(
            names = "--journals",
            split = ",",
            converter = Candidate.Name.class,
            description = "Candidates, in the order of the tables; local,direct,ssp,qjm, or ssp,qjm if quick.")
    private List<String> candidates;

    @Option(
            names = "--security",
            defaultValue = "NONE",
            description =
                    "How both protect what they say: ${COMPLETION-CANDIDATES}; QJM has no TLS and then has privacy.")
    private PoolProtection security;

    @Option(names = "--check", description = "End with 1 if a bound is missed.")
    private boolean check;

    int rounds() {
        return or(rounds, 5, 3);
    }

    int seconds() {
        return or(seconds, 4, 2);
    }

    int warmUpSeconds() {
        return or(warmUpSeconds, 40, 7);
    }

    List<String> candidates() {
        List<String> peers = List.of(Candidate.SSP, Candidate.QJM);
        return or(candidates, List.of("local", "direct", Candidate.SSP, Candidate.QJM), peers);
    }

    List<Measurement> measurements() {
        if (sweep) {
            return Measurement.sweep();
        }
        return quick ? Measurement.quick() : Measurement.all();
    }

    boolean sweep() {
        return sweep;
    }

    PoolProtection security() {
        return security;
    }

    boolean check() {
        return check;
    }

    private <T> T or(T given, T usual, T quickOne) {
        if (given != null) {
            return given;
        }
        return quick ? quickOne : usual;
    }
}
