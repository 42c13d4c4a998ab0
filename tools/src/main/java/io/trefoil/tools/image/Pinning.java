/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import com.google.auto.value.AutoValue;

/** The outcome of pinning the edits that a NameNode will read. Immutable. */
@AutoValue
abstract class Pinning {

    static Pinning of(String done) {
        return new AutoValue_Pinning(true, done);
    }

    static Pinning failed(String why) {
        return new AutoValue_Pinning(false, "Not pinned: " + why);
    }

    abstract boolean isPinned();

    /** The outcome, for the operator. */
    abstract String text();
}
