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

/** The progress of a move at some time. Immutable. */
@AutoValue
public abstract class MoveProgress {

    private static final String DONE = "done.";
    private static final String TOTAL = "total.";
    private static final String FILES = "files";
    private static final String FOLDERS = "folders";
    private static final String BLOCKS = "blocks";

    /** The progress of a process that carries a move on, and does nothing yet. */
    static MoveProgress began(String move, Instant now) {
        return new AutoValue_MoveProgress(
                move, "Checks", MoveStep.CHECKING, Amount.none(), Amount.none(), now, now, now);
    }

    /** Reads what {@link #encode} wrote. */
    public static MoveProgress decode(Map<String, String> lines) {
        try {
            return new AutoValue_MoveProgress(
                    line(lines, "move"),
                    line(lines, "round"),
                    MoveStep.valueOf(line(lines, "step")),
                    amount(lines, DONE),
                    amount(lines, TOTAL),
                    Instant.parse(line(lines, "began")),
                    Instant.parse(line(lines, "step-began")),
                    Instant.parse(line(lines, "at")));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static String line(Map<String, String> lines, String key) {
        String value = lines.get(key);
        if (value == null) {
            throw new IllegalArgumentException("The counts have no line '" + key + "', only " + lines);
        }
        return value;
    }

    private static Amount amount(Map<String, String> lines, String prefix) {
        return Amount.builder()
                .files(Long.parseLong(line(lines, prefix + FILES)))
                .folders(Long.parseLong(line(lines, prefix + FOLDERS)))
                .blocks(Long.parseLong(line(lines, prefix + BLOCKS)))
                .build();
    }

    /** The id of the move. */
    public abstract String move();

    /** The round of copying, or the step instead of one. */
    public abstract String round();

    public abstract MoveStep step();

    /** The amount that is done in this step. */
    public abstract Amount done();

    /** The total amount of this step, as far as it is known. */
    public abstract Amount total();

    /** The time at which the process began. */
    abstract Instant began();

    abstract Instant stepBegan();

    /** The time at which the move was that far, by the clock of the host that moves. */
    public abstract Instant at();

    /** The progress at the beginning of a step. */
    final MoveProgress in(String round, MoveStep step, Amount total, Instant now) {
        return new AutoValue_MoveProgress(move(), round, step, Amount.none(), total, began(), now, now);
    }

    final MoveProgress plus(Amount amount) {
        return with(done().plus(amount), at());
    }

    final MoveProgress at(Instant now) {
        return with(done(), now);
    }

    private MoveProgress with(Amount done, Instant at) {
        return new AutoValue_MoveProgress(move(), round(), step(), done, total(), began(), stepBegan(), at);
    }

    /** The time since the step began, in s. */
    public final long seconds() {
        return TimeUnit.MILLISECONDS.toSeconds(
                Duration.between(stepBegan(), at()).toMillis());
    }

    /** The time since the process began, in s. */
    public final long secondsInAll() {
        return TimeUnit.MILLISECONDS.toSeconds(Duration.between(began(), at()).toMillis());
    }

    /** Files and folders a second in this step. */
    public final long perSecond() {
        return done().nodes() / Math.max(1, seconds());
    }

    public final String text() {
        return round() + ", " + step().text() + ": " + done().text(total()) + "; " + perSecond() + " a second, "
                + seconds() + " s, " + secondsInAll() + " s in all";
    }

    public final SortedMap<String, String> encode() {
        SortedMap<String, String> lines = new TreeMap<>();
        lines.put("move", move());
        lines.put("round", round());
        lines.put("step", step().name());
        lines.put("began", began().toString());
        lines.put("step-began", stepBegan().toString());
        lines.put("at", at().toString());
        put(lines, DONE, done());
        put(lines, TOTAL, total());
        return lines;
    }

    private static void put(Map<String, String> lines, String prefix, Amount amount) {
        lines.put(prefix + FILES, Long.toString(amount.files()));
        lines.put(prefix + FOLDERS, Long.toString(amount.folders()));
        lines.put(prefix + BLOCKS, Long.toString(amount.blocks()));
    }
}
