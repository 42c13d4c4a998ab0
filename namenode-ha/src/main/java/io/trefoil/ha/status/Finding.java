/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;

/** Something that is not as it should be, and what to do. Immutable. */
@AutoValue
public abstract class Finding {

    static Finding of(String what, String advice) {
        return new AutoValue_Finding(what, advice);
    }

    /** A clause that can follow a colon. */
    public abstract String what();

    /** What the operator had better do, or wait for; a sentence without its full stop. */
    public abstract String advice();
}
