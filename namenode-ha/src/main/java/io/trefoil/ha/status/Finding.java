/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;

/** A problem, and its remedy. Immutable. */
@AutoValue
public abstract class Finding {

    static Finding of(String description, String advice) {
        return new AutoValue_Finding(description, advice);
    }

    /** A clause that can follow a colon. */
    public abstract String problem();

    /** The advice to the operator: what to do, or what to wait for; a sentence without its full stop. */
    public abstract String advice();
}
