/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.journal.candidate.RunningCandidate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Candidates that take turns within each measurement, so that other work on the machine affects all of them alike. */
final class Rounds {
    /** The result of one candidate in one measurement. */
    record Turn(Measurement measurement, String candidate, Sample sample) {}

    private final List<Measurement> measurements;
    private final List<RunningCandidate> order;

    Rounds(List<Measurement> measurements, List<RunningCandidate> candidates) {
        this.measurements = measurements;
        this.order = new ArrayList<>(candidates);
    }

    /** @param length of each measurement, for each candidate */
    void warmUp(Duration length) throws IOException {
        takeTurns(length);
    }

    /** Measures one round; each round begins with another candidate. */
    List<Turn> runRound(Duration length) throws IOException {
        List<Turn> turns = takeTurns(length);
        // No candidate always follows the same other one.
        Collections.rotate(order, 1);
        return turns;
    }

    private List<Turn> takeTurns(Duration length) throws IOException {
        List<Turn> turns = new ArrayList<>();
        for (Measurement measurement : measurements) {
            for (RunningCandidate candidate : order) {
                turns.add(new Turn(measurement, candidate.name(), candidate.measure(measurement.load(), length)));
                candidate.rollSegment();
            }
        }
        return turns;
    }
}
