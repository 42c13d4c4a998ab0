/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.undelete;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.archive.HistoricalFile;
import java.util.Map;
import java.util.Optional;

/** The action for a path of the past, and the reason. Immutable. */
@AutoValue
public abstract class UndeleteStep {

    static UndeleteStep of(HistoricalFile past, UndeleteAction action, Optional<String> source, String reason) {
        return new AutoValue_UndeleteStep(past, action, source, reason);
    }

    /** The same, after it was tried. */
    public UndeleteStep asFailed(String reason) {
        String tried = reason() + source().map(path -> ": " + path).orElse("");
        return of(past(), UndeleteAction.FAIL, Optional.<String>empty(), tried + "; failed: " + reason);
    }

    /** The same, with what was not looked through, each with the reason; that may have what the step cannot find. */
    public UndeleteStep withUnreadSnapshots(Map<String, String> unread) {
        return unread.isEmpty()
                ? this
                : of(past(), action(), source(), reason() + "; not looked for renames in " + unread);
    }

    /** The entry that was at the path. */
    public abstract HistoricalFile past();

    public abstract UndeleteAction action();

    /** The path that has the bytes now; present if they are renamed or copied. */
    public abstract Optional<String> source();

    /** A clause for people. */
    public abstract String reason();
}
