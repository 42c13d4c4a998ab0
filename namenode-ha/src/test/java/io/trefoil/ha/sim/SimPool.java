/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What one node of the pool keeps; a message is a call, made when it arrives. */
final class SimPool {

    private SimPool() {}

    /** A transaction as it stands in a log. */
    record Edit(Epoch epoch, long number) {}

    /** A node's replica, and what it believes of writers. */
    static final class Node {
        final String name;
        Epoch promised = Epoch.NONE;
        String writer = "";
        long leaseUntil;
        List<Edit> log = new ArrayList<>();
        int committed;

        Node(String name) {
            this.name = name;
        }

        boolean isFree(long now) {
            return leaseUntil <= now;
        }

        /** Whether it promises. */
        boolean promise(Epoch epoch, String candidate, long now) {
            if (!epoch.isAbove(promised) || (!isFree(now) && !writer.equals(candidate))) {
                return false;
            }
            promised = epoch;
            writer = candidate;
            leaseUntil = 0;
            return true;
        }

        /** Whether it takes the writer's whole log for its own; not, if it has promised a higher epoch and fences. */
        boolean append(
                Epoch epoch, String from, boolean fences, List<Edit> all, int committedThere, long leaseUntilHere) {
            if (fences && epoch.isBelow(promised)) {
                return false;
            }
            promised = epoch;
            writer = from;
            leaseUntil = leaseUntilHere;
            if (all.size() >= log.size() || !isPrefix(all, log)) {
                log = new ArrayList<>(all);
            }
            committed = Math.max(committed, Math.min(committedThere, log.size()));
            return true;
        }

        private static boolean isPrefix(List<Edit> shorterEdits, List<Edit> longerEdits) {
            return longerEdits.subList(0, shorterEdits.size()).equals(shorterEdits);
        }

        Epoch lastEpoch() {
            return log.isEmpty() ? Epoch.NONE : log.get(log.size() - 1).epoch();
        }

        boolean isAheadOf(Node other) {
            int byEpoch = lastEpoch().compareTo(other.lastEpoch());
            return byEpoch > 0 || (byEpoch == 0 && log.size() > other.log.size());
        }
    }

    /** A term at its writer. */
    static final class Term {
        final Epoch epoch;
        final List<Edit> log;
        final int[] matched;
        final long[] leaseFrom;
        final boolean[] refused;
        int committed;
        boolean closed;

        Term(Epoch epoch, List<Edit> log, int nodes) {
            this.epoch = epoch;
            this.log = new ArrayList<>(log);
            this.matched = new int[nodes];
            this.leaseFrom = new long[nodes];
            this.refused = new boolean[nodes];
        }

        int majority() {
            return matched.length / 2 + 1;
        }

        boolean isRefused() {
            boolean any = false;
            for (boolean one : refused) {
                any |= one;
            }
            return any;
        }

        boolean isFenced() {
            int count = 0;
            for (boolean one : refused) {
                count += one ? 1 : 0;
            }
            return matched.length - count < majority();
        }

        long leaseUntil(long lease) {
            long[] from = leaseFrom.clone();
            Arrays.sort(from);
            return from[from.length - majority()] + lease;
        }

        /** Only entries of its own epoch count for commitment. */
        Optional<Integer> newlyCommitted() {
            int[] sorted = matched.clone();
            Arrays.sort(sorted);
            int all = sorted[sorted.length - majority()];
            boolean own = all > committed && log.get(all - 1).epoch().equals(epoch);
            if (!own) {
                return Optional.empty();
            }
            committed = all;
            return Optional.of(all);
        }
    }
}
