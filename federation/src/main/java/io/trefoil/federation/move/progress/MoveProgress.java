/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import com.google.auto.value.AutoValue;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The progress of a move at one moment. Immutable. */
@AutoValue
public abstract class MoveProgress {

    private static final String DONE = "done.";
    private static final String TOTAL = "total.";
    private static final String FILES = "files";
    private static final String DIRECTORIES = "folders";
    private static final String BLOCKS = "blocks";

    /** Returns the progress of a process that continues a move, but has not done anything yet. */
    static MoveProgress starting(String move, Instant now) {
        return new AutoValue_MoveProgress(
                move, "Checks", MoveStep.CHECKING, Amount.zero(), Amount.zero(), now, now, now);
    }

    /** Parses the result of {@link #encode}. */
    public static MoveProgress decode(Map<String, String> lines) {
        try {
            return new AutoValue_MoveProgress(
                    requireLine(lines, "move"),
                    requireLine(lines, "round"),
                    MoveStep.valueOf(requireLine(lines, "step")),
                    parseAmount(lines, DONE),
                    parseAmount(lines, TOTAL),
                    Instant.parse(requireLine(lines, "began")),
                    Instant.parse(requireLine(lines, "step-began")),
                    Instant.parse(requireLine(lines, "at")));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static String requireLine(Map<String, String> lines, String key) {
        String value = lines.get(key);
        if (value == null) {
            throw new IllegalArgumentException("The counts have no line '" + key + "', only " + lines);
        }
        return value;
    }

    private static Amount parseAmount(Map<String, String> lines, String prefix) {
        return Amount.builder()
                .files(Long.parseLong(requireLine(lines, prefix + FILES)))
                .directories(Long.parseLong(requireLine(lines, prefix + DIRECTORIES)))
                .blocks(Long.parseLong(requireLine(lines, prefix + BLOCKS)))
                .build();
    }

    /** The id of the move. */
    public abstract String move();

    /** The round of copying, or the step instead of one. */
    public abstract String round();

    public abstract MoveStep step();

    /** The amount done in this step. */
    public abstract Amount done();

    /** The total amount of this step, as far as known. */
    public abstract Amount total();

    /** The time at which the process began. */
    abstract Instant startedAt();

    abstract Instant stepStartedAt();

    /** The time at which the move had this progress, by the clock of the host that runs it. */
    public abstract Instant measuredAt();

    /** The progress at the beginning of a step. */
    final MoveProgress withStep(String round, MoveStep step, Amount total, Instant now) {
        return new AutoValue_MoveProgress(move(), round, step, Amount.zero(), total, startedAt(), now, now);
    }

    final MoveProgress plus(Amount amount) {
        return with(done().plus(amount), measuredAt());
    }

    final MoveProgress withTime(Instant now) {
        return with(done(), now);
    }

    private MoveProgress with(Amount amount, Instant time) {
        return new AutoValue_MoveProgress(move(), round(), step(), amount, total(), startedAt(), stepStartedAt(), time);
    }

    /** The time since the step began, in s. */
    public final long stepSeconds() {
        return TimeUnit.MILLISECONDS.toSeconds(
                Duration.between(stepStartedAt(), measuredAt()).toMillis());
    }

    /** The time since the process began, in s. */
    public final long totalSeconds() {
        return TimeUnit.MILLISECONDS.toSeconds(
                Duration.between(startedAt(), measuredAt()).toMillis());
    }

    /** The number of files and directories per second in this step. */
    public final long nodesPerSecond() {
        return done().nodes() / Math.max(1, stepSeconds());
    }

    public final String text() {
        return round() + ", " + step().text() + ": " + done().text(total()) + "; " + nodesPerSecond() + " a second, "
                + stepSeconds() + " s, " + totalSeconds() + " s in all";
    }

    public final SortedMap<String, String> encode() {
        SortedMap<String, String> lines = new TreeMap<>();
        lines.put("move", move());
        lines.put("round", round());
        lines.put("step", step().name());
        lines.put("began", startedAt().toString());
        lines.put("step-began", stepStartedAt().toString());
        lines.put("at", measuredAt().toString());
        put(lines, DONE, done());
        put(lines, TOTAL, total());
        return lines;
    }

    private static void put(Map<String, String> lines, String prefix, Amount amount) {
        lines.put(prefix + FILES, Long.toString(amount.files()));
        lines.put(prefix + DIRECTORIES, Long.toString(amount.directories()));
        lines.put(prefix + BLOCKS, Long.toString(amount.blocks()));
    }
}
