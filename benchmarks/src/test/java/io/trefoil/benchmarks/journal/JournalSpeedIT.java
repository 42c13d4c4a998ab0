/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.journal.candidate.JvmLauncher;
import io.trefoil.benchmarks.journal.candidate.PoolProtection;
import io.trefoil.benchmarks.journal.candidate.RunningCandidate;
import io.trefoil.benchmarks.journal.candidate.Security;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A journal that lost a factor of 1.5 does not pass unseen: a short form of {@code bin/benchmark-journal}, beside the bare replicator of
 * the same minute. It gives no figures. The bound of the delay lies between what the journal comes to on two cores (1.2 to 1.45), and what it
 * comes to when each of its flushes takes half as long again (2.0), which is measured as well: whether that is noticed is judged beside the
 * journal of the same rounds, since days differ. That of the records is lower than such a journal on a good day for the same reason.
 */
@Tag("alone")
class JournalSpeedIT {
    private static final String BARE = "direct";
    private static final double LOST = 1.5;
    private static final String SLOWED = Candidate.SSP + " slowed";

    private static final double MAX_DELAY_RATIO = 1.75;
    /** Of the delay, which is not only that of flushes. */
    private static final double NOTICED = 1.2;

    private static final double MIN_THROUGHPUT_RATIO = 0.5;
    private static final int ROUNDS = 7;
    /** So often it is tried when other processes want the cores, which says nothing of the journal. */
    private static final int MAX_ROUNDS = 40;

    private static final double CORES_OF_OTHERS = 0.5;
    private static final Duration LENGTH = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final List<Measurement> MEASUREMENTS = List.of(Measurement.ONE_512, Measurement.WRITERS_32);

    @TempDir
    Path directory;

    private final List<RunningCandidate> candidates = new ArrayList<>();
    private final BenchmarkResults results = new BenchmarkResults();

    @BeforeEach
    void start() throws IOException {
        JvmLauncher jvms = new JvmLauncher(directory);
        try (Security none = Security.start(PoolProtection.NONE, directory.resolve("keys"))) {
            for (String name : List.of(BARE, Candidate.SSP)) {
                candidates.add(RunningCandidate.start(Candidate.byName(name, directory, none), jvms));
            }
        }
    }

    @AfterEach
    void end() {
        candidates.forEach(RunningCandidate::close);
    }

    @Test
    void journalStaysWithinFactorOfBareReplication() throws IOException {
        Rounds rounds = new Rounds(MEASUREMENTS, candidates);
        Rounds slowedRounds = new Rounds(
                MEASUREMENTS.stream().map(JournalSpeedIT::slowDown).toList(),
                candidates.stream()
                        .filter(candidate -> candidate.name().equals(Candidate.SSP))
                        .toList());
        rounds.warmUp(WARM_UP);
        int quiet = 0;
        for (int round = 0; round < MAX_ROUNDS && quiet < ROUNDS; round++) {
            List<Rounds.Turn> turns = new ArrayList<>(rounds.runRound(LENGTH));
            for (Rounds.Turn turn : slowedRounds.runRound(LENGTH)) {
                turns.add(new Rounds.Turn(turn.measurement(), SLOWED, turn.sample()));
            }
            if (addIfQuiet(turns)) {
                quiet++;
            }
        }
        assertThat(quiet).as("rounds without much of other processes").isEqualTo(ROUNDS);
        double delay = delayRatio(Candidate.SSP);
        double throughput = throughputRatio(Candidate.SSP);
        double slowedDelay = delayRatio(SLOWED);
        double slowedThroughput = throughputRatio(SLOWED);
        System.out.printf(
                "beside the bare replicator: p50 %.2f, records/s %.2f; slowed: %.2f, %.2f%n",
                delay, throughput, slowedDelay, slowedThroughput);

        assertThat(delay).as("p50 of one outstanding batch of 512 B").isLessThan(MAX_DELAY_RATIO);
        assertThat(throughput).as("records/s of 32 writers of 1 KiB").isGreaterThan(MIN_THROUGHPUT_RATIO);
        assertThat(slowedDelay).as("p50 of a journal that lost a factor of 1.5").isGreaterThan(NOTICED * delay);
        assertThat(slowedThroughput).as("records/s of such a journal").isLessThan(throughput);
    }

    /** Under the same name, so that it can be compared. */
    private static Measurement slowDown(Measurement measurement) {
        return new Measurement(measurement.name(), "slowed " + LOST + " " + measurement.load());
    }

    private boolean addIfQuiet(List<Rounds.Turn> round) {
        boolean busy =
                round.stream().anyMatch(turn -> turn.sample().get("otherCores").orElse(0) > CORES_OF_OTHERS);
        if (!busy) {
            round.forEach(turn -> results.add(turn.measurement().name(), turn.candidate(), turn.sample()));
        }
        return !busy;
    }

    private double delayRatio(String candidate) {
        return ratio(Measurement.ONE_512, candidate, "p50");
    }

    private double throughputRatio(String candidate) {
        return ratio(Measurement.WRITERS_32, candidate, "recordsPerSecond");
    }

    private double ratio(Measurement measurement, String candidate, String figure) {
        Optional<Double> ratio = results.ratio(measurement.name(), candidate, BARE, figure);
        return ratio.orElseThrow();
    }
}
