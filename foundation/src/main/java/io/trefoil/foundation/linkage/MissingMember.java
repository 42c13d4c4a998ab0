/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.linkage;

import com.google.auto.value.AutoValue;

/** A member that one of our classes uses but that no library of this process has. */
@AutoValue
public abstract class MissingMember implements Comparable<MissingMember> {
    public static MissingMember of(String user, String description) {
        return new AutoValue_MissingMember(user, description);
    }

    /** Our class that uses it, with its package. */
    public abstract String usingClass();

    /** The class, method or field, as in Java. */
    public abstract String member();

    @Override
    public final int compareTo(MissingMember other) {
        int byWhat = member().compareTo(other.member());
        return byWhat != 0 ? byWhat : usingClass().compareTo(other.usingClass());
    }

    @Override
    public final String toString() {
        return member() + ", used by " + usingClass();
    }
}
