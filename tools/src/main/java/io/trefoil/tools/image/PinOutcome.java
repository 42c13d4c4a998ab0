/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import com.google.auto.value.AutoValue;

/** The outcome of pinning the edits that a NameNode will read. Immutable. */
@AutoValue
abstract class PinOutcome {

    static PinOutcome success(String result) {
        return new AutoValue_PinOutcome(true, result);
    }

    static PinOutcome failure(String reason) {
        return new AutoValue_PinOutcome(false, "Not pinned: " + reason);
    }

    abstract boolean isPinned();

    /** The outcome, for the operator. */
    abstract String text();
}
