/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The end of a process's work on a move. Immutable. */
@AutoValue
public abstract class MoveEnd {

    /** The kinds of ends. */
    public enum Kind {
        /** The work goes on. */
        GOES_ON,
        COMPLETED,
        /** The move ended as it was wanted; the record stays. */
        SOURCE_KEPT,
        ABORTED,
        /** A call failed; what it threw says why. */
        FAILED,
        NOTHING_TO_ABORT,
        /** The version is made, so it is too late to abort. */
        SWITCHED_ALREADY,
        ENDED_MEANWHILE,
        BEGUN_MEANWHILE,
        OTHER_MOVE,
        /** The record is that of another move, which has begun since no record was found. */
        RECORD_TAKEN,
        /** The subtree belongs to another nameservice than the source. */
        NOT_OF_SOURCE,
        BLOCKED,
        /** The source may not be opened: by the table, or the record, clients may have worked at the target. */
        NOT_UNSWITCHED,
        /** The target may not be opened, nor the source emptied: by the table clients may have worked at the source. */
        NOT_SWITCHED,
        /** The table has the version, and the record says that clients may have worked at the source since. */
        COPIED_AFTER_VERSION,
        REPLICAS_MISSING,
        UPGRADING,
        CLIENTS_WRITE,
        /** The table has changed: another process has made the version. */
        TABLE_CHANGED,
        CHANGED_IN_PAUSE,
        CHANGED_SINCE,
        CONTRADICTED,
        ROUTERS_BEHIND
    }

    /** An end with what there is to say of it. */
    public static MoveEnd of(Kind kind, List<String> details) {
        return new AutoValue_MoveEnd(
                kind, Collections.unmodifiableList(new ArrayList<>(details)), Collections.emptyList());
    }

    public static MoveEnd of(Kind kind, String... details) {
        return of(kind, Arrays.asList(details));
    }

    public abstract Kind kind();

    /** The findings, in words or names that belong to the kind. */
    public abstract List<String> details();

    /** Why the source could not be opened afterwards. */
    public abstract List<MoveEnd> suppressed();

    final MoveEnd but(MoveEnd other) {
        return new AutoValue_MoveEnd(kind(), details(), Collections.singletonList(other));
    }
}
