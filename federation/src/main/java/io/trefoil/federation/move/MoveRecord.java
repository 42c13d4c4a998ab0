/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.table.MovedSubtree;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The record of a move that lets another process continue or undo it after the process that ran it has exited. Immutable. */
@AutoValue
public abstract class MoveRecord {

    private static final String SOURCE = "source.";
    private static final String TARGET = "target.";
    private static final String PAUSE = "pause.";
    private static final String LIMIT = "limit.";
    private static final String RATE = "files-per-second";
    private static final String ROUTERS = "routers";
    private static final String SEPARATOR = ",";

    /** The key in {@link #pauseMeasurements} for the length of the pause. */
    public static final String MILLIS = "millis";

    /** The key in {@link #pauseMeasurements} for the effect of the pause on clients. */
    public static final String CLIENTS = "clients";

    private static final String OTHERS = "others.";

    private static final String CONTRADICTION = "contradiction";

    private static final String MOVED = "moved";

    private static final String NEWEST_BLOCK = "newest-block";

    /**
     * Creates a record of a move that has not begun.
     *
     * @param id unique; a part of names and of the table's history
     */
    public static MoveRecord newMove(
            String id, SubtreePath path, String source, String target, String user, Instant time) {
        SortedMap<String, String> unknown = Collections.emptySortedMap();
        return new AutoValue_MoveRecord(
                id, path, source, target, user, time, MovePhase.COPYING, unknown, unknown, unknown, unknown);
    }

    /** Parses the result of {@link #encode}. */
    public static MoveRecord decode(Map<String, String> lines) {
        try {
            MoveRecord record = new AutoValue_MoveRecord(
                    requireLine(lines, "id"),
                    SubtreePath.parse(requireLine(lines, "path")),
                    requireLine(lines, "from"),
                    requireLine(lines, "to"),
                    requireLine(lines, "by"),
                    Instant.parse(requireLine(lines, "at")),
                    phase(requireLine(lines, "phase")),
                    partWithPrefix(lines, SOURCE),
                    partWithPrefix(lines, TARGET),
                    partWithPrefix(lines, PAUSE),
                    partWithPrefix(lines, LIMIT));
            record.rate();
            return record;
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static MovePhase phase(String name) {
        for (MovePhase phase : MovePhase.values()) {
            if (phase.name().equals(name)) {
                return phase;
            }
        }
        throw new IllegalArgumentException("This release knows no phase '" + name
                + "' of moves; nothing was changed. Carry the move on, or abort it, with the release that began it");
    }

    private static String requireLine(Map<String, String> lines, String key) {
        String value = lines.get(key);
        if (value == null) {
            throw new IllegalArgumentException("The record of the move has no line '" + key + "', only " + lines);
        }
        return value;
    }

    private static SortedMap<String, String> partWithPrefix(Map<String, String> lines, String prefix) {
        SortedMap<String, String> part = new TreeMap<>();
        lines.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                part.put(key.substring(prefix.length()), value);
            }
        });
        return Collections.unmodifiableSortedMap(part);
    }

    public abstract String id();

    public abstract SubtreePath path();

    public abstract String source();

    public abstract String target();

    /** The user who began the move. */
    public abstract String startedBy();

    /** The time at which the move began, by the clock of the host that began it. */
    public abstract Instant startedAt();

    public abstract MovePhase phase();

    /** The source's directory as it was before the pause; empty before the first pause. */
    public abstract SortedMap<String, String> sourceBefore();

    /** The target's directory as it was before the move. */
    public abstract SortedMap<String, String> targetBefore();

    /** The measurements of the pause in which the owner changed, for the audit; empty before, or if the pause was interrupted. */
    public abstract SortedMap<String, String> pauseMeasurements();

    /** The limits that every process running the move must observe. */
    abstract SortedMap<String, String> limits();

    /** The maximum number of files and directories that are processed per second while clients work; empty if unlimited. */
    public final OptionalInt rate() {
        String rate = limits().get(RATE);
        return rate == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(rate));
    }

    /** A copy of this record at another {@link #rate}. */
    public final MoveRecord withRate(int filesPerSecond) {
        return withLimit(RATE, Integer.toString(filesPerSecond));
    }

    /** The administration addresses of the Routers that should follow the table when the owner has changed; empty if none are. */
    public final List<String> routers() {
        String routers = limits().get(ROUTERS);
        return routers == null ? Collections.emptyList() : Arrays.asList(routers.split(SEPARATOR, -1));
    }

    /** A copy of this record with other {@link #routers}. */
    public final MoveRecord withRouters(List<String> routers) {
        SortedMap<String, String> all = new TreeMap<>(limits());
        all.remove(ROUTERS);
        return routers.isEmpty() ? with(all) : withLimit(ROUTERS, String.join(SEPARATOR, routers));
    }

    /** The options by which a command names Routers, each preceded by a space. */
    public static String routerOptions(List<String> routers) {
        return routers.stream().map(router -> " --router " + router).collect(Collectors.joining());
    }

    private MoveRecord withLimit(String limitName, String to) {
        SortedMap<String, String> all = new TreeMap<>(limits());
        all.put(limitName, to);
        return with(all);
    }

    /** A copy of this record with the limits of another one of the same move. */
    final MoveRecord withLimitsOf(MoveRecord other) {
        return with(other.limits());
    }

    /** A copy of this record in another phase. */
    final MoveRecord withPhase(MovePhase phase) {
        return with(phase, sourceBefore(), targetBefore(), pauseMeasurements());
    }

    /** A copy of this record for the time before a pause. */
    final MoveRecord withSourceBefore(Map<String, String> recordedState) {
        return with(MovePhase.PAUSED, TreeNodeAttributes.sorted(recordedState), targetBefore(), pauseMeasurements());
    }

    /** A copy of this record with the state of the target's directory. */
    final MoveRecord withTargetBefore(Map<String, String> recordedState) {
        return with(phase(), sourceBefore(), TreeNodeAttributes.sorted(recordedState), pauseMeasurements());
    }

    /** A copy of this record with the measurements of the pause. */
    final MoveRecord withPauseMeasurements(Map<String, String> pause) {
        SortedMap<String, String> all = new TreeMap<>(pauseMeasurements());
        all.putAll(pause);
        return with(phase(), sourceBefore(), targetBefore(), TreeNodeAttributes.sorted(all));
    }

    /** A copy of this record with the longest waits of other clients, unless longer ones were measured before. */
    final MoveRecord withLongestWaits(Map<String, Long> longestMillis) {
        SortedMap<String, Long> all = longestWaitMillis();
        longestMillis.forEach((nameservice, millis) -> all.merge(nameservice, millis, Math::max));
        Map<String, String> lines = new TreeMap<>();
        all.forEach((nameservice, millis) -> lines.put(OTHERS + nameservice, millis.toString()));
        return withPauseMeasurements(lines);
    }

    /** The longest time that other clients waited for one answer from each nameservice while the move ran, in ms, as far as measured. */
    public final SortedMap<String, Long> longestWaitMillis() {
        SortedMap<String, Long> others = new TreeMap<>();
        partWithPrefix(pauseMeasurements(), OTHERS)
                .forEach((nameservice, millis) -> others.put(nameservice, Long.parseLong(millis)));
        return others;
    }

    /**
     * Returns a copy of this record that allows the change of owner: the target has this tree, which must still be compared with the
     * source's.
     */
    final MoveRecord withMovedTree(TreeChecksum tree, long newestBlock) {
        Map<String, String> moved = new TreeMap<>();
        moved.put(MOVED, tree.toString());
        moved.put(NEWEST_BLOCK, Long.toString(newestBlock));
        return withPauseMeasurements(moved);
    }

    /**
     * The id of the target's last block that was linked before the new version was written; any block may have been if an earlier release
     * wrote it.
     */
    final long newestBlock() {
        String newest = pauseMeasurements().get(NEWEST_BLOCK);
        return newest == null ? Long.MAX_VALUE : Long.parseLong(newest);
    }

    /** The {@link TreeChecksum} of the moved tree, if it has not been compared with the source's yet. */
    final Optional<String> uncheckedTree() {
        return Optional.ofNullable(pauseMeasurements().get(MOVED));
    }

    /** Returns a copy of this record stating that the moved tree equals the source's. */
    final MoveRecord withTreeChecked() {
        SortedMap<String, String> pause = new TreeMap<>(pauseMeasurements());
        pause.remove(MOVED);
        return with(phase(), sourceBefore(), targetBefore(), TreeNodeAttributes.sorted(pause));
    }

    /**
     * Returns a copy of this record stating that the moved tree contradicts the source's: a process that continues the move must not delete
     * the source.
     */
    final MoveRecord withContradiction(String contradiction) {
        return withTreeChecked().withPauseMeasurements(Collections.singletonMap(CONTRADICTION, contradiction));
    }

    /** The contradiction between the moved tree and that of the source; empty if none has been found. */
    final Optional<String> contradiction() {
        return Optional.ofNullable(pauseMeasurements().get(CONTRADICTION));
    }

    private MoveRecord with(
            MovePhase phase,
            SortedMap<String, String> sourceWas,
            SortedMap<String, String> targetWas,
            SortedMap<String, String> pause) {
        return new AutoValue_MoveRecord(
                id(),
                path(),
                source(),
                target(),
                startedBy(),
                startedAt(),
                phase,
                sourceWas,
                targetWas,
                pause,
                limits());
    }

    private MoveRecord with(Map<String, String> limits) {
        return new AutoValue_MoveRecord(
                id(),
                path(),
                source(),
                target(),
                startedBy(),
                startedAt(),
                phase(),
                sourceBefore(),
                targetBefore(),
                pauseMeasurements(),
                TreeNodeAttributes.sorted(limits));
    }

    /** The change in the table's history that identifies the version of this move. */
    public final String tableChange() {
        return MovedSubtree.changeText(path(), target(), id());
    }

    /** Whether the subtree has its new owner, because the table contains the version of this move. */
    public final boolean hasSwitched(List<TableRecord> history) {
        return history.stream().anyMatch(past -> past.change().equals(tableChange()));
    }

    /** The version of the table that this move made. */
    final int findVersion(List<TableRecord> history) {
        return history.stream()
                .filter(past -> past.change().equals(tableChange()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no version of " + tableChange()))
                .table()
                .version();
    }

    /**
     * Returns the record if it belongs to the requested move.
     *
     * @param history of the table
     * @throws TableRefusedException if it is another one
     */
    public final MoveRecord requireSameMove(SubtreePath expectedPath, String nameservice, List<TableRecord> history)
            throws TableRefusedException {
        if (!path().equals(expectedPath) || !target().equals(nameservice)) {
            throw new TableRefusedException(endInstructions(history));
        }
        return this;
    }

    /**
     * Refuses a change of the owner of a subtree that is being moved, of a part of it, or of a directory that contains it.
     *
     * @param history of the table
     * @throws TableRefusedException if this move concerns the path
     */
    public final void requireNoOverlap(SubtreePath path, List<TableRecord> history) throws TableRefusedException {
        if (path.isWithin(path()) || path().isWithin(path)) {
            throw new TableRefusedException(endInstructions(history) + "; nothing was changed");
        }
    }

    /** The instructions by which an operator can end this move. */
    final String endInstructions(List<TableRecord> history) {
        String completed = "hdfs trefoil subtree move " + path() + " --to " + target();
        return "The move of " + path() + " to " + target() + " has begun and not ended; "
                + (hasSwitched(history)
                        ? target() + " has it, so it can only be completed, which deletes what " + source()
                                + " still has: " + completed
                        : "complete it: " + completed + ", or abort it: hdfs trefoil subtree abort");
    }

    public final SortedMap<String, String> encode() {
        SortedMap<String, String> lines = new TreeMap<>();
        lines.put("id", id());
        lines.put("path", path().text());
        lines.put("from", source());
        lines.put("to", target());
        lines.put("by", startedBy());
        lines.put("at", startedAt().toString());
        lines.put("phase", phase().name());
        sourceBefore().forEach((key, value) -> lines.put(SOURCE + key, value));
        targetBefore().forEach((key, value) -> lines.put(TARGET + key, value));
        pauseMeasurements().forEach((key, value) -> lines.put(PAUSE + key, value));
        limits().forEach((key, value) -> lines.put(LIMIT + key, value));
        return lines;
    }
}
