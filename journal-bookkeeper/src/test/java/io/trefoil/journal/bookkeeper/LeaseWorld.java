/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.foundation.explore.Fingerprints;
import io.trefoil.foundation.explore.SmallWorld;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An old writer, and a member that looks at the end of its log and takes over: every order of sending, storing, confirming, looking, recovering
 * and waiting, with the rules that ship. What is on its way may be found by a look or a recovery, or not; the old writer's clock may be late by
 * as much as the rule allows; and whoever does nothing for a while is frozen.
 */
final class LeaseWorld implements SmallWorld {
    static final String RULE = "both answer";

    /** A bug that can be planted. */
    enum Bug {
        NONE,
        NO_WAIT_AFTER_RECOVERY,
        LEASE_FROM_RECEIPT,
        LEASE_FROM_LOOK_WHATEVER_THE_END,
        QUIET_SINCE_QUESTION,
        LOOK_AT_RECORDED_LEDGER_ONLY
    }

    private static final long TICK = 1_000_000;
    /** A new writer waits five ticks, an old one answers for four. */
    private static final AnswerLease LEASE = AnswerLease.ofMillis(5);

    private static final int ADDS = 2;
    private static final int LAST_TICK = 7;
    private static final int MAX_LOOKS = 2;
    private static final int NEVER = -1;

    private static final int NOW = 0;
    /** How many ticks the old writer's clock is late. */
    private static final int LATE = 1;

    private static final int SENT = 2;
    private static final int STORED = 3;
    private static final int CONFIRMED = 4;
    /** When the newest confirmed add was received. */
    private static final int RECEIVED = 5;
    /** After so many adds the old writer goes on in the ledger ahead. */
    private static final int CHANGED = 6;
    /** Whether the record says so. */
    private static final int TOLD = 7;

    private static final int LOOK = 8;
    private static final int LOOK_ASKED = 9;
    /** How many looks have ended. */
    private static final int LOOKS = 10;

    private static final int LOOK_FIRST = 11;
    private static final int LOOK_SECOND = 12;
    private static final int QUIET_FIRST = 13;
    private static final int QUIET_SECOND = 14;
    private static final int QUIET_SINCE = 15;
    /** From when on the new writer counts the lease. */
    private static final int WAITS_FROM = 16;

    private static final int ACTIVE = 17;
    /** When each add was sent, by the old writer's clock. */
    private static final int SENT_AT = 18;

    private static final long FIRST_LEDGER = 1;
    private static final long SECOND_LEDGER = 2;
    /** A ledger at which no look has looked. */
    private static final int UNSEEN = -2;

    private final Bug bug;

    LeaseWorld(Bug bug) {
        this.bug = bug;
    }

    @Override
    public int[] begin() {
        int[] state = new int[SENT_AT + ADDS];
        Arrays.fill(state, SENT_AT, state.length, NEVER);
        state[CHANGED] = NEVER;
        state[RECEIVED] = NEVER;
        state[QUIET_FIRST] = UNSEEN;
        state[QUIET_SECOND] = UNSEEN;
        state[WAITS_FROM] = NEVER;
        return state;
    }

    @Override
    public long fingerprint(int[] state) {
        long print = 0;
        for (int part : state) {
            print = Fingerprints.combine(print, part);
        }
        return print;
    }

    @Override
    public Optional<String> violation(int[] state) {
        if (state[ACTIVE] == 0 || state[CONFIRMED] == 0) {
            return Optional.empty();
        }
        int from = bug == Bug.LEASE_FROM_RECEIPT ? state[RECEIVED] : state[SENT_AT + state[CONFIRMED] - 1];
        return LEASE.covers(oldClock(state) * TICK, from * TICK, 0) ? Optional.of(RULE) : Optional.empty();
    }

    private static int oldClock(int[] state) {
        return state[NOW] - state[LATE];
    }

    @Override
    public void successors(int[] state, Sink sink) {
        if (state[ACTIVE] == 1) {
            // From here on the old writer may only answer less, but for what it hears late.
            hear(state, sink);
            return;
        }
        if (state[NOW] < LAST_TICK) {
            step(state, sink, "time passes", next -> next[NOW]++);
            if (state[LATE] == 0) {
                step(state, sink, "time passes, but the old writer's clock stands", next -> {
                    next[NOW]++;
                    next[LATE]++;
                });
            }
        }
        write(state, sink);
        if (state[WAITS_FROM] == NEVER) {
            look(state, sink);
            takeOver(state, sink);
        } else if (mayAnswer(state)) {
            step(state, sink, "the new writer answers", next -> next[ACTIVE] = 1);
        }
    }

    private boolean mayAnswer(int[] state) {
        return bug == Bug.NO_WAIT_AFTER_RECOVERY || (state[NOW] - state[WAITS_FROM]) * TICK >= LEASE.newWriterNanos();
    }

    private void write(int[] state, Sink sink) {
        if (state[SENT] < ADDS && state[WAITS_FROM] == NEVER) {
            step(state, sink, "the old writer sends an add", next -> {
                next[SENT_AT + next[SENT]] = oldClock(next);
                next[SENT]++;
            });
        }
        if (state[STORED] < state[SENT] && state[WAITS_FROM] == NEVER) {
            step(state, sink, "an ack quorum stores an add", next -> next[STORED]++);
        }
        hear(state, sink);
        if (state[CHANGED] == NEVER && state[CONFIRMED] == state[SENT] && state[WAITS_FROM] == NEVER) {
            step(state, sink, "the old writer goes on in the ledger ahead", next -> next[CHANGED] = next[SENT]);
        }
        if (state[CHANGED] != NEVER && state[TOLD] == 0 && state[WAITS_FROM] == NEVER) {
            step(state, sink, "the old writer records that", next -> next[TOLD] = 1);
        }
    }

    private void hear(int[] state, Sink sink) {
        if (state[CONFIRMED] < state[STORED]) {
            step(state, sink, "the old writer hears of an add", next -> {
                next[CONFIRMED]++;
                next[RECEIVED] = bug == Bug.LEASE_FROM_RECEIPT ? oldClock(next) : NEVER;
            });
        }
    }

    /** A look reads the record, then one ledger after the other. */
    private void look(int[] state, Sink sink) {
        if (state[LOOK] == 0 && state[LOOKS] < MAX_LOOKS) {
            step(state, sink, "the member reads the record", next -> {
                next[LOOK] = next[TOLD] == 1 ? 2 : 1;
                next[LOOK_ASKED] = next[NOW];
                next[LOOK_FIRST] = UNSEEN;
                next[LOOK_SECOND] = UNSEEN;
            });
        } else if (state[LOOK] == 3) {
            step(state, sink, "the member has its answers", this::endLook);
        } else if (state[LOOK] != 0) {
            for (int found = state[STORED]; found <= state[SENT]; found++) {
                lookAtLedger(state, sink, found);
            }
        }
    }

    private void lookAtLedger(int[] state, Sink sink, int found) {
        boolean isFirst = state[LOOK] == 1;
        int last = isFirst ? lastOfFirst(state, found) : lastOfSecond(state, found);
        String ledger = isFirst ? "first" : "second";
        step(state, sink, "the member finds entry " + last + " in the " + ledger + " ledger", next -> {
            next[LOOK] = isFirst && bug != Bug.LOOK_AT_RECORDED_LEDGER_ONLY ? 2 : 3;
            next[isFirst ? LOOK_FIRST : LOOK_SECOND] = last;
        });
    }

    private void endLook(int[] state) {
        long answered = bug == Bug.QUIET_SINCE_QUESTION ? state[LOOK_ASKED] : state[NOW];
        QuietEnd seen = quiet(state)
                .seen(ends(state[LOOK_FIRST], state[LOOK_SECOND]), state[LOOK_ASKED] * TICK, answered * TICK);
        state[LOOK] = 0;
        state[LOOKS]++;
        state[QUIET_FIRST] = state[LOOK_FIRST];
        state[QUIET_SECOND] = state[LOOK_SECOND];
        state[QUIET_SINCE] = (int) (seen.sinceNanos() / TICK);
        state[LOOK_ASKED] = 0;
        state[LOOK_FIRST] = 0;
        state[LOOK_SECOND] = 0;
    }

    private static int lastOfFirst(int[] state, int written) {
        return (state[CHANGED] == NEVER ? written : Math.min(written, state[CHANGED])) - 1;
    }

    private static int lastOfSecond(int[] state, int written) {
        return (state[CHANGED] == NEVER ? 0 : Math.max(0, written - state[CHANGED])) - 1;
    }

    private static Map<Long, Long> ends(int first, int second) {
        Map<Long, Long> ends = new HashMap<>();
        if (first != UNSEEN) {
            ends.put(FIRST_LEDGER, (long) first);
        }
        if (second != UNSEEN) {
            ends.put(SECOND_LEDGER, (long) second);
        }
        return ends;
    }

    private static QuietEnd quiet(int[] state) {
        return QuietEnd.NONE.seen(
                ends(state[QUIET_FIRST], state[QUIET_SECOND]), state[QUIET_SINCE] * TICK, state[QUIET_SINCE] * TICK);
    }

    /** Recovers what the record names: the ledger before an empty one, too. */
    private void takeOver(int[] state, Sink sink) {
        for (int found = state[STORED]; found <= state[SENT]; found++) {
            int second = lastOfSecond(state, found);
            boolean isFirstNeeded = state[TOLD] == 0 || second < 0;
            Map<Long, Long> ends = ends(isFirstNeeded ? lastOfFirst(state, found) : UNSEEN, second);
            if (bug == Bug.LOOK_AT_RECORDED_LEDGER_ONLY && state[TOLD] == 0) {
                ends.remove(SECOND_LEDGER);
            }
            step(state, sink, "the member takes over, and finds the ends " + ends, next -> {
                QuietEnd seen = quiet(next);
                boolean isBlind = bug == Bug.LEASE_FROM_LOOK_WHATEVER_THE_END
                        && !seen.lastWritten().isEmpty();
                long from = isBlind ? seen.sinceNanos() : seen.leaseBegin(ends, next[NOW] * TICK);
                Arrays.fill(next, LOOK, WAITS_FROM, 0);
                next[WAITS_FROM] = (int) (from / TICK);
            });
        }
    }

    /** What a step changes in a copy of the state. */
    private interface Change {
        void apply(int[] next);
    }

    private static void step(int[] state, Sink sink, String what, Change change) {
        int[] next = state.clone();
        change.apply(next);
        sink.accept(next, () -> what);
    }
}
