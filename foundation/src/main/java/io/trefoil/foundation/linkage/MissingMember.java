/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.linkage;

import com.google.auto.value.AutoValue;

/** Something that a class of ours uses and that no library of this process has. */
@AutoValue
public abstract class MissingMember implements Comparable<MissingMember> {
    public static MissingMember of(String user, String what) {
        return new AutoValue_MissingMember(user, what);
    }

    /** The class of ours that uses it, with its package. */
    public abstract String user();

    /** The class, method or field, as in Java. */
    public abstract String what();

    @Override
    public final int compareTo(MissingMember other) {
        int byWhat = what().compareTo(other.what());
        return byWhat != 0 ? byWhat : user().compareTo(other.user());
    }

    @Override
    public final String toString() {
        return what() + ", used by " + user();
    }
}
