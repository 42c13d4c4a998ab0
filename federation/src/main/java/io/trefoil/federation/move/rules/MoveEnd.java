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
        /** The work continues. */
        GOES_ON,
        COMPLETED,
        /** The move ended as requested; the record stays. */
        SOURCE_KEPT,
        ABORTED,
        /** A call failed; its exception gives the reason. */
        FAILED,
        NOTHING_TO_ABORT,
        /** The version is made, so it is too late to abort. */
        SWITCHED_ALREADY,
        ENDED_MEANWHILE,
        BEGUN_MEANWHILE,
        OTHER_MOVE,
        /** The record is that of another move, which began after no record was found. */
        RECORD_TAKEN,
        /** The subtree belongs to a nameservice other than the source. */
        NOT_OF_SOURCE,
        BLOCKED,
        /** The source may not be opened: according to the table or the record, clients may have worked at the target. */
        NOT_UNSWITCHED,
        /** The target may not be opened, nor the source emptied: according to the table, clients may have worked at the source. */
        NOT_SWITCHED,
        /** The new version is written, but according to the record, clients may have worked at the source since. */
        COPIED_AFTER_VERSION,
        REPLICAS_MISSING,
        UPGRADING,
        CLIENTS_WRITE,
        /** The table has changed: another process has written its next version. */
        TABLE_CHANGED,
        CHANGED_IN_PAUSE,
        CHANGED_SINCE,
        CONTRADICTED,
        ROUTERS_BEHIND
    }

    /** Creates an end with its findings. */
    public static MoveEnd of(Kind kind, List<String> details) {
        return new AutoValue_MoveEnd(
                kind, Collections.unmodifiableList(new ArrayList<>(details)), Collections.emptyList());
    }

    public static MoveEnd of(Kind kind, String... details) {
        return of(kind, Arrays.asList(details));
    }

    public abstract Kind kind();

    /** The findings, as words or names that depend on the kind. */
    public abstract List<String> details();

    /** Returns why the source could not be opened afterwards. */
    public abstract List<MoveEnd> suppressed();

    final MoveEnd withSuppressed(MoveEnd other) {
        return new AutoValue_MoveEnd(kind(), details(), Collections.singletonList(other));
    }
}
