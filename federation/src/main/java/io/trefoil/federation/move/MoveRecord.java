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

/** The record of a move that lets another process carry it on, or undo it, after the one that ran it has gone. Immutable. */
@AutoValue
public abstract class MoveRecord {

    private static final String SOURCE = "source.";
    private static final String TARGET = "target.";
    private static final String PAUSE = "pause.";
    private static final String LIMIT = "limit.";
    private static final String RATE = "files-per-second";
    private static final String ROUTERS = "routers";
    private static final String SEPARATOR = ",";

    /** The key in {@link #pause} for the length of the pause. */
    public static final String MILLIS = "millis";

    /** The key in {@link #pause} for the effect of the pause on clients. */
    public static final String CLIENTS = "clients";

    private static final String OTHERS = "others.";

    private static final String CONTRADICTION = "contradiction";

    private static final String MOVED = "moved";

    private static final String NEWEST_BLOCK = "newest-block";

    /**
     * A move that has not begun.
     *
     * @param id unique; a part of names and of the table's history
     */
    public static MoveRecord wanted(String id, SubtreePath path, String source, String target, String by, Instant at) {
        SortedMap<String, String> unknown = Collections.emptySortedMap();
        return new AutoValue_MoveRecord(
                id, path, source, target, by, at, MovePhase.COPYING, unknown, unknown, unknown, unknown);
    }

    /** Reads what {@link #encode} wrote. */
    public static MoveRecord decode(Map<String, String> lines) {
        try {
            MoveRecord record = new AutoValue_MoveRecord(
                    line(lines, "id"),
                    SubtreePath.parse(line(lines, "path")),
                    line(lines, "from"),
                    line(lines, "to"),
                    line(lines, "by"),
                    Instant.parse(line(lines, "at")),
                    phase(line(lines, "phase")),
                    part(lines, SOURCE),
                    part(lines, TARGET),
                    part(lines, PAUSE),
                    part(lines, LIMIT));
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

    private static String line(Map<String, String> lines, String key) {
        String value = lines.get(key);
        if (value == null) {
            throw new IllegalArgumentException("The record of the move has no line '" + key + "', only " + lines);
        }
        return value;
    }

    private static SortedMap<String, String> part(Map<String, String> lines, String prefix) {
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
    public abstract String by();

    /** The time at which the move began, by the clock of the host that began it. */
    public abstract Instant at();

    public abstract MovePhase phase();

    /** The source's folder as it was before the pause; empty before the first. */
    public abstract SortedMap<String, String> sourceWas();

    /** The target's folder as it was before the move. */
    public abstract SortedMap<String, String> targetWas();

    /** The measurements of the pause in which the owner changed, for the audit; empty before, or if the pause was interrupted. */
    public abstract SortedMap<String, String> pause();

    /** The limits that every process that runs the move keeps to. */
    abstract SortedMap<String, String> limits();

    /** The most files and folders that are dealt with in a second while clients work; empty if unlimited. */
    public final OptionalInt rate() {
        String rate = limits().get(RATE);
        return rate == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(rate));
    }

    /** A copy of this record at another {@link #rate}. */
    public final MoveRecord atRate(int filesPerSecond) {
        return limited(RATE, Integer.toString(filesPerSecond));
    }

    /** The administration addresses of the Routers that are to follow the table when the owner has changed; empty if none are. */
    public final List<String> routers() {
        String routers = limits().get(ROUTERS);
        return routers == null ? Collections.emptyList() : Arrays.asList(routers.split(SEPARATOR, -1));
    }

    /** A copy of this record with other {@link #routers}. */
    public final MoveRecord followedBy(List<String> routers) {
        SortedMap<String, String> all = new TreeMap<>(limits());
        all.remove(ROUTERS);
        return routers.isEmpty() ? with(all) : limited(ROUTERS, String.join(SEPARATOR, routers));
    }

    /** The options by which a command names Routers, each after a space. */
    public static String typed(List<String> routers) {
        return routers.stream().map(one -> " --router " + one).collect(Collectors.joining());
    }

    private MoveRecord limited(String what, String to) {
        SortedMap<String, String> all = new TreeMap<>(limits());
        all.put(what, to);
        return with(all);
    }

    /** A copy of this record with the limits of another one of the same move. */
    final MoveRecord limitedAs(MoveRecord other) {
        return with(other.limits());
    }

    /** A copy of this record in another phase. */
    final MoveRecord in(MovePhase phase) {
        return with(phase, sourceWas(), targetWas(), pause());
    }

    /** A copy of this record before a pause. */
    final MoveRecord paused(Map<String, String> was) {
        return with(MovePhase.PAUSED, TreeNodeAttributes.sorted(was), targetWas(), pause());
    }

    /** A copy of this record with the state of the target's folder. */
    final MoveRecord onto(Map<String, String> was) {
        return with(phase(), sourceWas(), TreeNodeAttributes.sorted(was), pause());
    }

    /** A copy of this record with the measurements of the pause. */
    final MoveRecord measured(Map<String, String> pause) {
        SortedMap<String, String> all = new TreeMap<>(pause());
        all.putAll(pause);
        return with(phase(), sourceWas(), targetWas(), TreeNodeAttributes.sorted(all));
    }

    /** A copy of this record with the longest waits of others, unless longer ones were measured before. */
    final MoveRecord waited(Map<String, Long> longestMillis) {
        SortedMap<String, Long> all = others();
        longestMillis.forEach((nameservice, millis) -> all.merge(nameservice, millis, Math::max));
        Map<String, String> lines = new TreeMap<>();
        all.forEach((nameservice, millis) -> lines.put(OTHERS + nameservice, millis.toString()));
        return measured(lines);
    }

    /** The longest time that others waited for one answer of each nameservice while the move ran, in ms, as far as it was measured. */
    public final SortedMap<String, Long> others() {
        SortedMap<String, Long> others = new TreeMap<>();
        part(pause(), OTHERS).forEach((nameservice, millis) -> others.put(nameservice, Long.parseLong(millis)));
        return others;
    }

    /**
     * A copy of this record by which the owner may change to one that has this tree, and the tree has to be checked
     * against the source's.
     */
    final MoveRecord moving(TreeChecksum tree, long newestBlock) {
        Map<String, String> moved = new TreeMap<>();
        moved.put(MOVED, tree.toString());
        moved.put(NEWEST_BLOCK, Long.toString(newestBlock));
        return measured(moved);
    }

    /** The number of the target's last block that was linked before the version; any may be if an earlier release made that. */
    final long newestBlock() {
        String newest = pause().get(NEWEST_BLOCK);
        return newest == null ? Long.MAX_VALUE : Long.parseLong(newest);
    }

    /** The tree that was moved, as {@link TreeChecksum} tells it, if it was not checked yet that it is the source's. */
    final Optional<String> unchecked() {
        return Optional.ofNullable(pause().get(MOVED));
    }

    /** A copy of this record by which the moved tree is that of the source. */
    final MoveRecord checked() {
        SortedMap<String, String> pause = new TreeMap<>(pause());
        pause.remove(MOVED);
        return with(phase(), sourceWas(), targetWas(), TreeNodeAttributes.sorted(pause));
    }

    /** A copy of this record by which the moved tree contradicts that of the source, which a process that carries on must not delete. */
    final MoveRecord contradicted(String how) {
        return checked().measured(Collections.singletonMap(CONTRADICTION, how));
    }

    /** The contradiction between the moved tree and that of the source; empty if none was found. */
    final Optional<String> contradiction() {
        return Optional.ofNullable(pause().get(CONTRADICTION));
    }

    private MoveRecord with(
            MovePhase phase,
            SortedMap<String, String> sourceWas,
            SortedMap<String, String> targetWas,
            SortedMap<String, String> pause) {
        return new AutoValue_MoveRecord(
                id(), path(), source(), target(), by(), at(), phase, sourceWas, targetWas, pause, limits());
    }

    private MoveRecord with(Map<String, String> limits) {
        return new AutoValue_MoveRecord(
                id(),
                path(),
                source(),
                target(),
                by(),
                at(),
                phase(),
                sourceWas(),
                targetWas(),
                pause(),
                TreeNodeAttributes.sorted(limits));
    }

    /** The change in the table's history that identifies the version of this move. */
    public final String change() {
        return MovedSubtree.change(path(), target(), id());
    }

    /** Whether the subtree has its new owner: whether the table has the version of this move. */
    public final boolean hasSwitched(List<TableRecord> history) {
        return history.stream().anyMatch(one -> one.change().equals(change()));
    }

    /** The version of the table that this move made. */
    final int versionIn(List<TableRecord> history) {
        return history.stream()
                .filter(one -> one.change().equals(change()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no version of " + change()))
                .table()
                .version();
    }

    /**
     * Returns the record if it is that of the wanted move.
     *
     * @param history of the table
     * @throws TableRefusedException if it is another one
     */
    public final MoveRecord requireFor(SubtreePath wanted, String nameservice, List<TableRecord> history)
            throws TableRefusedException {
        if (!path().equals(wanted) || !target().equals(nameservice)) {
            throw new TableRefusedException(howToEnd(history));
        }
        return this;
    }

    /**
     * Refuses what would change the owner of a subtree that is being moved, or of a part of it, or of what is around it.
     *
     * @param history of the table
     * @throws TableRefusedException if this move concerns the path
     */
    public final void requireApartFrom(SubtreePath path, List<TableRecord> history) throws TableRefusedException {
        if (path.isWithin(path()) || path().isWithin(path)) {
            throw new TableRefusedException(howToEnd(history) + "; nothing was changed");
        }
    }

    /** The text by which an operator can end this move. */
    final String howToEnd(List<TableRecord> history) {
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
        lines.put("by", by());
        lines.put("at", at().toString());
        lines.put("phase", phase().name());
        sourceWas().forEach((key, value) -> lines.put(SOURCE + key, value));
        targetWas().forEach((key, value) -> lines.put(TARGET + key, value));
        pause().forEach((key, value) -> lines.put(PAUSE + key, value));
        limits().forEach((key, value) -> lines.put(LIMIT + key, value));
        return lines;
    }
}
