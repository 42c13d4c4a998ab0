/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import com.google.auto.value.AutoValue;

/**
 * A change of the log in several steps. It is saved with the promise before the first step; if storage is opened in
 * between, the change is completed. Immutable.
 */
@AutoValue
abstract class UnfinishedChange {

    /** The kind of change. */
    enum Kind {
        NONE,
        /** Every entry above the serial number is to be cut. */
        CUT,
        /** The log is to start over with the file that is ready next to it. */
        REBASE
    }

    static final UnfinishedChange NONE = new AutoValue_UnfinishedChange(Kind.NONE, 0);
    static final UnfinishedChange REBASE = new AutoValue_UnfinishedChange(Kind.REBASE, 0);

    static UnfinishedChange ofTruncation(long lastSn) {
        return new AutoValue_UnfinishedChange(Kind.CUT, lastSn);
    }

    static UnfinishedChange parse(String text) {
        String[] words = text.split(" ");
        return new AutoValue_UnfinishedChange(Kind.valueOf(words[0]), words.length > 1 ? Long.parseLong(words[1]) : 0);
    }

    abstract Kind kind();

    /** CUT: the last entry that stays. */
    abstract long lastSn();

    @Override
    public final String toString() {
        return kind() == Kind.CUT ? kind() + " " + lastSn() : kind().toString();
    }
}
