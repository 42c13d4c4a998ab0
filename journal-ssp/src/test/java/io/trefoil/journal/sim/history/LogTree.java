/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.history;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Every entry that any writer ever made, each with its predecessor: every log that exists or existed is a path to the root. */
public final class LogTree {

    /** An entry with its whole past. */
    public static final class Branch {
        private final Entry entry;
        private final Optional<Branch> before;
        private long durableOn;

        private Branch(Entry entry, Optional<Branch> before) {
            this.entry = entry;
            this.before = before;
        }

        public Entry entry() {
            return entry;
        }

        public Optional<Branch> predecessor() {
            return before;
        }

        public LogPosition predecessorPosition() {
            return before.map(branch -> branch.entry.position()).orElse(LogPosition.ORIGIN);
        }

        /**
         * The entry with a serial number, this one or one in its past; empty if that number is before the root or after
         * this entry.
         */
        public Optional<Branch> ancestorAt(long sn) {
            Branch branch = this;
            while (branch.entry.sn() > sn && branch.before.isPresent()) {
                branch = branch.before.get();
            }
            return branch.entry.sn() == sn ? Optional.of(branch) : Optional.empty();
        }

        /** Records that a storage, by its number, has it durably. */
        void durableOn(int storageNumber) {
            durableOn |= 1L << storageNumber;
        }

        /** Whether a storage ever had it durably. */
        boolean wasDurableOn(int storageNumber) {
            return (durableOn & 1L << storageNumber) != 0;
        }

        @Override
        public String toString() {
            return entry.toString();
        }
    }

    private final Map<LogPosition, Branch> branches = new HashMap<>();

    public Optional<Branch> branchAt(LogPosition position) {
        return Optional.ofNullable(branches.get(position));
    }

    /** Adds an entry after another; returns the existing one if there is one at its position. */
    Branch add(Entry entry, LogPosition before) {
        return branches.computeIfAbsent(entry.position(), position -> new Branch(entry, branchAt(before)));
    }
}
