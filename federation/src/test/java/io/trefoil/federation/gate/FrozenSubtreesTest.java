/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import static io.trefoil.federation.gate.Verdict.Kind.HOLD;
import static io.trefoil.federation.gate.Verdict.Kind.PASS;
import static io.trefoil.federation.gate.Verdict.Kind.REFUSE;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.marks.FrozenMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrozenSubtreesTest {
    private static final FrozenMark MARK = FrozenMark.of("m1", "/a/b", 1_000);
    private static final FrozenMark OTHER = FrozenMark.of("m2", "/a/c", 2_000);

    private static Verdict.Kind verdictFor(FrozenSubtrees freezes, String move, String... paths) {
        Optional<String> id = move.isEmpty() ? Optional.empty() : Optional.of(move);
        return freezes.verdict(AccessedPaths.of(Arrays.asList(paths), id)).kind();
    }

    private static FrozenSubtrees freezesWith(FrozenMark... marks) {
        return FrozenSubtrees.NONE.read(Arrays.asList(marks));
    }

    @Test
    void noPhaseAdmitsTwoWritersToSubtree() {
        FrozenSubtrees begins = FrozenSubtrees.NONE.withFreezeBeginning(MARK);
        FrozenSubtrees stands = begins.read(Collections.singleton(MARK)).withoutBeginning(MARK);
        FrozenSubtrees ends = stands.withFreezeEnding(MARK);
        FrozenSubtrees removed = ends.read(Collections.emptyList());
        FrozenSubtrees ended = removed.withoutEnding(MARK);
        Object[][] table = {
            {FrozenSubtrees.NONE, PASS, REFUSE},
            {begins, HOLD, REFUSE},
            {begins.withoutBeginning(MARK), PASS, REFUSE},
            {begins.read(Collections.singleton(MARK)), HOLD, PASS},
            {stands, HOLD, PASS},
            {ends, HOLD, REFUSE},
            {ends.withoutEnding(MARK), HOLD, PASS},
            {removed, HOLD, REFUSE},
            {ended, PASS, REFUSE},
        };
        for (Object[] row : table) {
            FrozenSubtrees freezes = (FrozenSubtrees) row[0];
            assertThat(verdictFor(freezes, "", "/a/b/x"))
                    .as("another, row %s", Arrays.asList(row))
                    .isEqualTo(row[1]);
            assertThat(verdictFor(freezes, "m1", "/a/b/x"))
                    .as("the mover, row %s", Arrays.asList(row))
                    .isEqualTo(row[2]);
        }
        assertThat(ended.isEmpty()).isTrue();
    }

    /** Whatever the order of steps, and whether they succeed: never both. */
    @Test
    void randomHistoriesNeverAdmitTwoWriters() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            FrozenSubtrees freezes = FrozenSubtrees.NONE;
            Set<FrozenMark> marks = new HashSet<>();
            for (int step = 0; step < 30; step++) {
                FrozenMark mark = random.nextBoolean() ? MARK : FrozenMark.of("m3", "/a", 3_000);
                switch (random.nextInt(6)) {
                    case 0 -> {
                        if (!freezes.freezeRefusal(mark, 500).isPresent()) {
                            freezes = freezes.withFreezeBeginning(mark);
                        }
                    }
                    case 1 -> {
                        // Only what began is written; the gate reads the marks before the phase is over.
                        if (verdictFor(freezes, "", mark.path()) == HOLD
                                && !freezes.freezeRefusal(mark, 500).isPresent()) {
                            marks.add(mark);
                            freezes = freezes.read(marks);
                        }
                    }
                    case 2 -> freezes = freezes.read(marks).withoutBeginning(mark);
                    case 3 -> {
                        if (freezes.activeFreeze(mark.move()).isPresent()) {
                            freezes = freezes.withFreezeEnding(mark);
                        }
                    }
                    case 4 -> {
                        if (!freezes.activeFreeze(mark.move()).isPresent()
                                && verdictFor(freezes, mark.move(), "/z") == REFUSE) {
                            marks.remove(mark);
                            freezes = freezes.read(marks);
                        }
                    }
                    default -> freezes = freezes.read(marks).withoutEnding(mark);
                }
                List<String> pass = new ArrayList<>();
                for (String who : new String[] {"", "m1", "m3"}) {
                    if (verdictFor(freezes, who, "/a/b/x") == PASS) {
                        pass.add(who);
                    }
                }
                assertThat(pass).as("seed %s, step %s", seed, step).hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void holdsCallsInsideAndAboveSubtree() {
        FrozenSubtrees stands = freezesWith(MARK);
        for (String path : new String[] {
            "/a/b",
            "/a/b/",
            "//a//b",
            "/a/b/c",
            "/a",
            "/",
            "/.reserved/raw/a/b/c",
            "/.reserved/.inodes/16386",
            "/a/b/.snapshot/s"
        }) {
            assertThat(verdictFor(stands, "", path)).as(path).isEqualTo(HOLD);
        }
        for (String path : new String[] {"/a/bc", "/a/c", "/b", "/.reserved/raw/a/c"}) {
            assertThat(verdictFor(stands, "", path)).as(path).isEqualTo(PASS);
        }
        assertThat(verdictFor(stands, "", "/x", "/a/b/y")).isEqualTo(HOLD);
    }

    @Test
    void readsWaitWhileSubtreeIsClosed() {
        FrozenSubtrees stands = freezesWith(MARK);
        assertThat(stands.mayHoldReads()).isFalse();
        assertThat(stands.verdictOfRead(read("/a/b", Optional.empty()))).isEqualTo(Verdict.PASS);
        assertThat(stands.withFreezeBeginning(MARK.withReads()).mayHoldReads()).isTrue();
        FrozenSubtrees closed = freezesWith(MARK.withReads());
        assertThat(closed.mayHoldReads()).isTrue();
        for (String path : new String[] {"/a/b", "/a/b/c", "/.reserved/raw/a/b"}) {
            assertThat(closed.verdictOfRead(read(path, Optional.empty())).kind())
                    .as(path)
                    .isEqualTo(HOLD);
        }
        for (String path : new String[] {"/a", "/", "/a/bc"}) {
            assertThat(closed.verdictOfRead(read(path, Optional.empty())))
                    .as(path)
                    .isEqualTo(Verdict.PASS);
        }
        for (String path : new String[] {"/a/b", "/a/b/c", "/a", "/", "/.reserved/.inodes/16386"}) {
            assertThat(closed.verdictOfSum(read(path, Optional.empty())).kind())
                    .as(path)
                    .isEqualTo(HOLD);
            assertThat(stands.verdictOfSum(read(path, Optional.empty()))).isEqualTo(Verdict.PASS);
            assertThat(closed.verdictOfSum(read(path, Optional.of("m1")))).isEqualTo(Verdict.PASS);
        }
        assertThat(closed.verdictOfSum(read("/a/bc", Optional.empty()))).isEqualTo(Verdict.PASS);
        assertThat(closed.verdictOfRead(read("/a/b/c", Optional.of("m1")))).isEqualTo(Verdict.PASS);
        assertThat(closed.verdictOfRead(read("/a/b/c", Optional.of("m3"))).kind())
                .isEqualTo(HOLD);
    }

    private static AccessedPaths read(String path, Optional<String> move) {
        return AccessedPaths.of(Collections.singleton(path), move);
    }

    @Test
    void moveWaitsForFreezesOfOthers() {
        FrozenSubtrees both = freezesWith(MARK, OTHER);
        assertThat(verdictFor(both, "m1", "/a/b/x")).isEqualTo(PASS);
        assertThat(verdictFor(both, "m1", "/a/b/x", "/a/c/y")).isEqualTo(HOLD);
        assertThat(verdictFor(both, "m3", "/z")).isEqualTo(REFUSE);
        assertThat(both.verdict(AccessedPaths.of(Collections.singleton("/a/b"), Optional.empty()))
                        .refusal())
                .isEqualTo("/a/b is frozen for move m1");
    }

    @Test
    void onlyOneMoveFreezesSubtree() {
        FrozenSubtrees stands = freezesWith(MARK);
        assertThat(stands.freezeRefusal(FrozenMark.of("m2", "/a/b/c", 1_000), 0))
                .contains("/a/b is frozen for move m1");
        assertThat(stands.freezeRefusal(FrozenMark.of("m2", "/a", 1_000), 0)).contains("/a/b is frozen for move m1");
        assertThat(stands.freezeRefusal(FrozenMark.of("m1", "/z", 1_000), 0)).contains("/a/b is frozen for move m1");
        assertThat(stands.freezeRefusal(OTHER, 0)).isEmpty();
        assertThat(stands.freezeRefusal(FrozenMark.of("m1", "/a/b", 5_000), 0)).isEmpty();
        assertThat(stands.withFreezeEnding(MARK).freezeRefusal(FrozenMark.of("m1", "/a/b", 5_000), 0))
                .isPresent();
        assertThat(FrozenSubtrees.NONE.withFreezeBeginning(MARK).freezeRefusal(FrozenMark.of("m2", "/a/b", 1_000), 0))
                .isPresent();
    }

    @Test
    void freezeNeedsFutureDeadlineWithinLimit() {
        assertThat(FrozenSubtrees.NONE.freezeRefusal(MARK, 999)).isEmpty();
        assertThat(FrozenSubtrees.NONE.freezeRefusal(MARK, 1_000).get()).contains("this one ends in 0 ms");
        assertThat(FrozenSubtrees.NONE.freezeRefusal(FrozenMark.of("m1", "/a", 61_001), 1_000))
                .isPresent();
        assertThat(FrozenSubtrees.NONE.freezeRefusal(FrozenMark.of("m1", "/a", 61_000), 1_000))
                .isEmpty();
        assertThat(freezesWith(MARK, OTHER).expired(1_000)).containsExactly(MARK);
        assertThat(freezesWith(MARK, OTHER).withFreezeEnding(MARK).expired(1_000))
                .isEmpty();
    }

    /** The next active's clock is an hour behind that of the one that let the freeze begin, and the mover is dead. */
    @Test
    void freezeBeyondMaximumDurationIsExpired() {
        long hour = 3_600_000;
        FrozenMark mark = FrozenMark.of("m1", "/a/b", hour + 30_000);
        assertThat(freezesWith(mark).expired(hour)).isEmpty();
        assertThat(freezesWith(mark).expired(0)).containsExactly(mark);
        assertThat(freezesWith(mark).withFreezeEnding(mark).expired(0)).isEmpty();
        assertThat(freezesWith(FrozenMark.of("m1", "/a/b", 60_000)).expired(0)).isEmpty();
        assertThat(freezesWith(FrozenMark.of("m1", "/a/b", 60_001)).expired(0)).hasSize(1);
    }
}
