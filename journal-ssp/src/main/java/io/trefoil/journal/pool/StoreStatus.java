/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A journal that no pool keeps, as its store reports it: the ledgers, and the servers that hold them. Immutable. */
@AutoValue
public abstract class StoreStatus {

    /**
     * Creates a status.
     *
     * @param available the servers that accept new ledgers
     * @param ledgers the newest ones, oldest first
     */
    public static StoreStatus of(Epoch epoch, LogSummary committed, List<String> available, List<Ledger> ledgers) {
        return new AutoValue_StoreStatus(
                epoch,
                committed,
                Collections.unmodifiableList(new ArrayList<>(available)),
                Collections.unmodifiableList(new ArrayList<>(ledgers)));
    }

    /** The term promised last. */
    public abstract Epoch epoch();

    /** The end of what is confirmed. */
    public abstract LogSummary committed();

    public abstract List<String> available();

    public abstract List<Ledger> ledgers();

    /**
     * Returns how many more servers may fail so that the written ledger goes on and no acknowledged entry of it is lost; negative if it cannot
     * go on.
     */
    public final int toleratedFailures() {
        int quorum = ledgers().get(ledgers().size() - 1).quorum();
        return Math.min(available().size() - quorum, quorum - 1);
    }

    /** A part of the log. Immutable. */
    @AutoValue
    public abstract static class Ledger {

        /** @param quorum how many servers have an entry before it is acknowledged */
        public static Ledger of(long id, long firstSn, List<String> servers, int quorum) {
            return new AutoValue_StoreStatus_Ledger(
                    id, firstSn, Collections.unmodifiableList(new ArrayList<>(servers)), quorum);
        }

        public abstract long id();

        /** The serial number of its first entry. */
        public abstract long firstSn();

        /** The servers that hold its newest entries. */
        public abstract List<String> servers();

        public abstract int quorum();
    }
}
