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
 * phase in which calls already wait, or still do: a freeze that <em>begins</em> holds others while those under way end
 * and the mark is written; one that <em>ends</em> refuses its mover, and still holds others, while the mover's calls
 * under way end and the mark is removed. So at no moment may both change the subtree. Immutable.
 */
public final class FrozenSubtrees {
    /** An instance without freezes. */
    public static final FrozenSubtrees NONE =
            new FrozenSubtrees(Collections.emptyMap(), Collections.emptyMap(), Collections.emptyMap());

    /** The longest freeze; held calls would not wait longer either. */
    static final Duration LONGEST = Duration.ofSeconds(60);

    private final Map<String, FrozenMark> standing;
    private final Map<String, FrozenMark> beginning;
    private final Map<String, FrozenMark> ending;

    private FrozenSubtrees(
            Map<String, FrozenMark> standing, Map<String, FrozenMark> beginning, Map<String, FrozenMark> ending) {
        this.standing = standing;
        this.beginning = beginning;
        this.ending = ending;
    }

    /** A copy with these marks as those in the namespace; freezes that begin or end still do. */
    public FrozenSubtrees read(Collection<FrozenMark> marks) {
        Map<String, FrozenMark> read = new TreeMap<>();
        marks.forEach(mark -> read.put(mark.move(), mark));
        return new FrozenSubtrees(read, beginning, ending);
    }

    /** Whether no call can be concerned, unless it is a move's. */
    public boolean isEmpty() {
        return standing.isEmpty() && beginning.isEmpty() && ending.isEmpty();
    }

    /** The verdict on a change. */
    public Verdict verdict(Change change) {
        if (change.move().isPresent()) {
            String move = change.move().get();
            if (ending.containsKey(move) || !standing.containsKey(move)) {
                return Verdict.refuse("Nothing is frozen for move " + move + ": its time was over, or it has ended");
            }
        }
        for (Map<String, FrozenMark> some : all()) {
            for (FrozenMark mark : some.values()) {
                boolean isOwn = change.move().filter(mark.move()::equals).isPresent();
                if (!isOwn && change.paths().stream().anyMatch(mark::concerns)) {
                    return Verdict.hold(mark.path() + " is frozen for move " + mark.move());
                }
            }
        }
        return Verdict.PASS;
    }

    /** Whether calls that only read may have to wait. */
    public boolean holdReads() {
        return all().stream().anyMatch(some -> some.values().stream().anyMatch(FrozenMark::holdsReads));
    }

    /** The verdict on a call that only reads; to be asked for if {@link #holdReads}. */
    public Verdict verdictOfRead(Change read) {
        return verdictOfRead(read, FrozenMark::contains);
    }

    /** The verdict on a call that reads everything below its paths. */
    public Verdict verdictOfSum(Change sum) {
        return verdictOfRead(sum, FrozenMark::concerns);
    }

    private Verdict verdictOfRead(Change read, BiPredicate<FrozenMark, String> isRead) {
        for (Map<String, FrozenMark> some : all()) {
            for (FrozenMark mark : some.values()) {
                boolean isOwn = read.move().filter(mark.move()::equals).isPresent();
                if (!isOwn && mark.holdsReads() && read.paths().stream().anyMatch(path -> isRead.test(mark, path))) {
                    return Verdict.hold(mark.path() + " is closed for move " + mark.move());
                }
            }
        }
        return Verdict.PASS;
    }

    private List<Map<String, FrozenMark>> all() {
        List<Map<String, FrozenMark>> all = new ArrayList<>();
        all.add(standing);
        all.add(beginning);
        all.add(ending);
        return all;
    }

    /** Why a freeze must not begin; empty if it may. The same move may freeze the same subtree again, to prolong it. */
    public Optional<String> freezeRefusal(FrozenMark wanted, long nowMillis) {
        long leftMillis = wanted.expiryMillis() - nowMillis;
        if (leftMillis <= 0 || leftMillis > LONGEST.toMillis()) {
            return Optional.of("A freeze ends within " + LONGEST.toMillis()
                    + " ms; by the NameNode's clock this one ends in " + leftMillis + " ms");
        }
        if (ending.containsKey(wanted.move())) {
            return Optional.of("The freeze of move " + wanted.move() + " is ending");
        }
        for (Map<String, FrozenMark> some : all()) {
            for (FrozenMark mark : some.values()) {
                boolean isAgain =
                        mark.move().equals(wanted.move()) && mark.path().equals(wanted.path());
                if (!isAgain && (mark.move().equals(wanted.move()) || mark.concerns(wanted.path()))) {
                    return Optional.of(mark.path() + " is frozen for move " + mark.move());
                }
            }
        }
        return Optional.empty();
    }

    /** A freeze begins: others wait from now on. */
    public FrozenSubtrees began(FrozenMark mark) {
        return new FrozenSubtrees(standing, with(beginning, mark), ending);
    }

    /** The mark was written, or was not: {@link #read} says which. */
    public FrozenSubtrees hasBegun(FrozenMark mark) {
        return new FrozenSubtrees(standing, without(beginning, mark), ending);
    }

    /** A freeze ends: its mover is refused from now on. */
    public FrozenSubtrees ends(FrozenMark mark) {
        return new FrozenSubtrees(standing, beginning, with(ending, mark));
    }

    /** The mark was removed, or was not: {@link #read} says which. */
    public FrozenSubtrees hasEnded(FrozenMark mark) {
        return new FrozenSubtrees(standing, beginning, without(ending, mark));
    }

    /** The freeze of a move, if it stands and is not ending. */
    public Optional<FrozenMark> standing(String move) {
        return ending.containsKey(move) ? Optional.empty() : Optional.ofNullable(standing.get(move));
    }

    /**
     * The freezes whose time is over, and those that would last longer than any may: the clock that judged them when they
     * began was ahead of this one, or this one was set back. A mover that lives is refused, and begins anew; one that does
     * not would leave the subtree frozen for as long as the clocks differ.
     */
    public List<FrozenMark> expired(long nowMillis) {
        List<FrozenMark> expired = new ArrayList<>();
        for (FrozenMark mark : standing.values()) {
            long leftMillis = mark.expiryMillis() - nowMillis;
            boolean isOver = leftMillis <= 0 || leftMillis > LONGEST.toMillis();
            if (isOver && !ending.containsKey(mark.move())) {
                expired.add(mark);
            }
        }
        return expired;
    }

    private static Map<String, FrozenMark> with(Map<String, FrozenMark> some, FrozenMark mark) {
        Map<String, FrozenMark> more = new TreeMap<>(some);
        more.put(mark.move(), mark);
        return more;
    }

    private static Map<String, FrozenMark> without(Map<String, FrozenMark> some, FrozenMark mark) {
        Map<String, FrozenMark> fewer = new TreeMap<>(some);
        fewer.remove(mark.move());
        return fewer;
    }
}
