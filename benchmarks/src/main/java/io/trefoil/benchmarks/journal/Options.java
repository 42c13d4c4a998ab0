/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.journal.candidate.PoolProtection;
import io.trefoil.benchmarks.journal.candidate.ReadSpec;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options on the command line of {@link JournalBenchmark}. Most defaults depend on {@code --quick}. */
final class Options {
    /**
     * The candidates whose nodes are killed: BookKeeper by default ends a ledger when a bookie is down and there is no spare one; others
     * have no recovery.
     */
    private static final List<String> KILLED = List.of(Candidate.SSP, Candidate.QJM, Candidate.BOOKKEEPER_TUNED);

    private static final int MAX_FILE_MEGABYTES = 30;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--quick", description = "Only what there are bounds for, and a short time for each.")
    private boolean quick;

    @Option(
            names = "--sweep",
            description = "Batches of 128 B to 128 KiB, and 1,000 to 40,000 records per second; draws both.")
    private boolean sweep;

    @Option(
            names = "--reading",
            description = "How long it takes to read a segment, where its edits are and elsewhere; draws it.")
    private boolean reading;

    @Option(
            names = "--kills",
            description =
                    "What writers notice of a replica that is killed --rounds times, after --seconds of load, and started --seconds later;"
                            + " draws it.")
    private boolean kills;

    @Option(
            names = "--megabytes",
            defaultValue = "24",
            converter = PositiveNumber.class,
            description = "Of each segment of --reading, in MiB; at most 30 with the journal local.")
    private int megabytes;

    @Option(names = "--replicas", split = ",", defaultValue = "3", description = "Of the journals of --kills.")
    private List<Integer> replicas;

    @Option(
            names = "--load",
            defaultValue = "writers 32 1024",
            description = "Of --kills: 'rate <records a second> <bytes>' or 'writers <number> <bytes>'.")
    private String load;

    @Option(
            names = "--rounds",
            converter = PositiveNumber.class,
            description = "How often everything is measured; 5, or 3 if quick or of kills.")
    private Integer rounds;

    @Option(
            names = "--seconds",
            converter = PositiveNumber.class,
            description = "How long each measurement takes; 4, or 2 if quick, or 10 of kills.")
    private Integer seconds;

    @Option(
            names = "--warm-up",
            converter = PositiveNumber.class,
            description =
                    "How many seconds each candidate is loaded before the first round; 60, or 7 if quick, or 15 of --reading and --kills.")
    private Integer warmUpSeconds;

    @Option(
            names = "--journals",
            split = ",",
            converter = Candidate.Name.class,
            description = "Candidates, in the order of the tables; local,direct,ssp,qjm, or ssp,qjm if quick;"
                    + " local,ssp,qjm,bookkeeper-tuned with --reading, ssp,qjm,bookkeeper-tuned with --kills.")
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
        return valueOrDefault(rounds, kills ? 3 : 5, 3);
    }

    int seconds() {
        return valueOrDefault(seconds, kills ? 10 : 4, 2);
    }

    int warmUpSeconds() {
        return valueOrDefault(warmUpSeconds, reading || kills ? 15 : 60, 7);
    }

    List<String> candidates() {
        List<String> peers = List.of(Candidate.SSP, Candidate.QJM);
        if (reading) {
            return valueOrDefault(
                    candidates,
                    List.of(Candidate.LOCAL, Candidate.SSP, Candidate.QJM, Candidate.BOOKKEEPER_TUNED),
                    peers);
        }
        if (kills) {
            return valueOrDefault(candidates, KILLED, peers);
        }
        return valueOrDefault(candidates, List.of("local", "direct", Candidate.SSP, Candidate.QJM), peers);
    }

    List<Measurement> measurements() {
        if (sweep) {
            return Measurement.sweep();
        }
        return quick ? Measurement.quickMeasurements() : Measurement.allMeasurements();
    }

    boolean includesSweep() {
        return sweep;
    }

    boolean includesReading() {
        return reading;
    }

    boolean includesKills() {
        return kills;
    }

    int megabytes() {
        return megabytes;
    }

    List<Integer> replicas() {
        return replicas;
    }

    String load() {
        return load;
    }

    /** Returns the number of simulated hosts of the largest journal, including its readers. */
    int hosts() {
        if (kills) {
            return Collections.max(replicas);
        }
        return reading ? Candidate.REPLICAS + 1 : Candidate.REPLICAS;
    }

    /**
     * Checks that the options are compatible; to be called before anything starts.
     *
     * @throws ParameterException if options do not go together
     */
    void requireConsistent() {
        if (Stream.of(sweep, reading, kills).filter(asked -> asked).count() > 1) {
            throw new ParameterException(command.commandLine(), "--sweep, --reading and --kills are runs of their own");
        }
        if (reading) {
            requireAmong(ReadSpec.NAMES, "have readers");
        }
        if (reading && candidates().contains(Candidate.LOCAL) && megabytes > MAX_FILE_MEGABYTES) {
            throw new ParameterException(
                    command.commandLine(),
                    "the journal local has room for two segments of " + MAX_FILE_MEGABYTES + " MiB, found --megabytes "
                            + megabytes);
        }
        if (kills) {
            requireAmong(KILLED, "go on without a replica");
        }
    }

    private void requireAmong(List<String> knownNames, String optionName) {
        if (!knownNames.containsAll(candidates())) {
            throw new ParameterException(
                    command.commandLine(),
                    "only " + knownNames + " " + optionName + ", found --journals " + candidates());
        }
    }

    PoolProtection security() {
        return security;
    }

    boolean checksBounds() {
        return check;
    }

    private <T> T valueOrDefault(T value, T defaultValue, T quickOne) {
        if (value != null) {
            return value;
        }
        return quick ? quickOne : defaultValue;
    }
}
