/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import io.trefoil.federation.marks.FrozenMark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The freezes of a namespace. A freeze stands if its mark is in the namespace. Around both changes of a mark there is a
 * phase in which calls already wait, or still do: a freeze that <em>begins</em> holds others while those in progress end
 * and the mark is written; one that <em>ends</em> refuses its mover, and still holds others, while the mover's calls
 * in progress end and the mark is removed. So at no moment may both change the subtree. Immutable.
 */
public final class FrozenSubtrees {
    /** An instance without freezes. */
    public static final FrozenSubtrees NONE =
            new FrozenSubtrees(Collections.emptyMap(), Collections.emptyMap(), Collections.emptyMap());

    /** The longest freeze; held calls would not wait longer either. */
    static final Duration MAX_FREEZE_DURATION = Duration.ofSeconds(60);

    private final Map<String, FrozenMark> activeMarks;
    private final Map<String, FrozenMark> beginning;
    private final Map<String, FrozenMark> ending;

    private FrozenSubtrees(
            Map<String, FrozenMark> marks, Map<String, FrozenMark> beginning, Map<String, FrozenMark> ending) {
        this.activeMarks = marks;
        this.beginning = beginning;
        this.ending = ending;
    }

    /** A copy with these as the marks in the namespace; freezes in the process of beginning or ending are unaffected. */
    public FrozenSubtrees read(Collection<FrozenMark> marks) {
        Map<String, FrozenMark> read = new TreeMap<>();
        marks.forEach(mark -> read.put(mark.move(), mark));
        return new FrozenSubtrees(read, beginning, ending);
    }

    /** Whether no call can be affected, except a move's. */
    public boolean isEmpty() {
        return activeMarks.isEmpty() && beginning.isEmpty() && ending.isEmpty();
    }

    /** The verdict on a change. */
    public Verdict verdict(AccessedPaths callPaths) {
        if (callPaths.move().isPresent()) {
            String move = callPaths.move().get();
            if (ending.containsKey(move) || !activeMarks.containsKey(move)) {
                return Verdict.refuse("Nothing is frozen for move " + move + ": its time was over, or it has ended");
            }
        }
        for (Map<String, FrozenMark> marks : allFreezes()) {
            for (FrozenMark mark : marks.values()) {
                boolean isOwn = callPaths.move().filter(mark.move()::equals).isPresent();
                if (!isOwn && callPaths.paths().stream().anyMatch(mark::overlaps)) {
                    return Verdict.hold(mark.path() + " is frozen for move " + mark.move());
                }
            }
        }
        return Verdict.PASS;
    }

    /** Whether read-only calls may have to wait. */
    public boolean mayHoldReads() {
        return allFreezes().stream().anyMatch(some -> some.values().stream().anyMatch(FrozenMark::holdsReads));
    }

    /** The verdict on a read-only call; needed only if {@link #mayHoldReads}. */
    public Verdict verdictOfRead(AccessedPaths read) {
        return verdictOfRead(read, FrozenMark::contains);
    }

    /** The verdict on a call that reads everything below its paths. */
    public Verdict verdictOfSum(AccessedPaths sum) {
        return verdictOfRead(sum, FrozenMark::overlaps);
    }

    private Verdict verdictOfRead(AccessedPaths read, BiPredicate<FrozenMark, String> isRead) {
        for (Map<String, FrozenMark> marks : allFreezes()) {
            for (FrozenMark mark : marks.values()) {
                boolean isOwn = read.move().filter(mark.move()::equals).isPresent();
                if (!isOwn && mark.holdsReads() && read.paths().stream().anyMatch(path -> isRead.test(mark, path))) {
                    return Verdict.hold(mark.path() + " is closed for move " + mark.move());
                }
            }
        }
        return Verdict.PASS;
    }

    private List<Map<String, FrozenMark>> allFreezes() {
        List<Map<String, FrozenMark>> all = new ArrayList<>();
        all.add(activeMarks);
        all.add(beginning);
        all.add(ending);
        return all;
    }

    /**
     * Returns why a freeze must not begin; empty if it may. The same move may freeze the same subtree again, to
     * prolong it.
     */
    public Optional<String> freezeRefusal(FrozenMark newMark, long nowMillis) {
        long leftMillis = newMark.expiryMillis() - nowMillis;
        if (leftMillis <= 0 || leftMillis > MAX_FREEZE_DURATION.toMillis()) {
            return Optional.of("A freeze ends within " + MAX_FREEZE_DURATION.toMillis()
                    + " ms; by the NameNode's clock this one ends in " + leftMillis + " ms");
        }
        if (ending.containsKey(newMark.move())) {
            return Optional.of("The freeze of move " + newMark.move() + " is ending");
        }
        for (Map<String, FrozenMark> marks : allFreezes()) {
            for (FrozenMark mark : marks.values()) {
                boolean isAgain =
                        mark.move().equals(newMark.move()) && mark.path().equals(newMark.path());
                if (!isAgain && (mark.move().equals(newMark.move()) || mark.overlaps(newMark.path()))) {
                    return Optional.of(mark.path() + " is frozen for move " + mark.move());
                }
            }
        }
        return Optional.empty();
    }

    /** A copy in which a freeze begins: from now on, other calls wait. */
    public FrozenSubtrees withFreezeBeginning(FrozenMark mark) {
        return new FrozenSubtrees(activeMarks, with(beginning, mark), ending);
    }

    /** A copy after an attempt to write the mark; {@link #read} determines whether it was written. */
    public FrozenSubtrees withoutBeginning(FrozenMark mark) {
        return new FrozenSubtrees(activeMarks, without(beginning, mark), ending);
    }

    /** A copy in which a freeze ends: from now on, its mover is refused. */
    public FrozenSubtrees withFreezeEnding(FrozenMark mark) {
        return new FrozenSubtrees(activeMarks, beginning, with(ending, mark));
    }

    /** A copy after an attempt to remove the mark; {@link #read} determines whether it was removed. */
    public FrozenSubtrees withoutEnding(FrozenMark mark) {
        return new FrozenSubtrees(activeMarks, beginning, without(ending, mark));
    }

    /** The freeze of a move, if it is in force and not ending. */
    public Optional<FrozenMark> activeFreeze(String move) {
        return ending.containsKey(move) ? Optional.empty() : Optional.ofNullable(activeMarks.get(move));
    }

    /**
     * The expired freezes, and those that would last longer than allowed: the clock that set their expiry was ahead of this one, or this
     * one was set back. A mover that lives is refused, and begins anew; one that does not would leave the subtree frozen for as long as the
     * clocks differ.
     */
    public List<FrozenMark> expired(long nowMillis) {
        List<FrozenMark> expired = new ArrayList<>();
        for (FrozenMark mark : activeMarks.values()) {
            long leftMillis = mark.expiryMillis() - nowMillis;
            boolean isOver = leftMillis <= 0 || leftMillis > MAX_FREEZE_DURATION.toMillis();
            if (isOver && !ending.containsKey(mark.move())) {
                expired.add(mark);
            }
        }
        return expired;
    }

    private static Map<String, FrozenMark> with(Map<String, FrozenMark> marks, FrozenMark mark) {
        Map<String, FrozenMark> more = new TreeMap<>(marks);
        more.put(mark.move(), mark);
        return more;
    }

    private static Map<String, FrozenMark> without(Map<String, FrozenMark> marks, FrozenMark mark) {
        Map<String, FrozenMark> fewer = new TreeMap<>(marks);
        fewer.remove(mark.move());
        return fewer;
    }
}
