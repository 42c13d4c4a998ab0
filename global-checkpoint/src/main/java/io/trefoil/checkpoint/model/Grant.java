/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;

/**
 * Identifies one freeze of one NameNode, from taking the lock to releasing it. Immutable.
 *
 * <p>A cut counts only under the freeze that was reported to the coordinator. A NameNode that lost its freeze and froze
 * again, because a message arrived twice or the process was restarted, has a new grant and refuses the old one.
 */
@AutoValue
public abstract class Grant {

    /** @param incarnation a text that is unique to this run of this NameNode */
    public static Grant of(String incarnation, long number) {
        return new AutoValue_Grant(incarnation, number);
    }

    /** Parses the result of {@link #toString}. */
    public static Grant parse(String text) {
        int at = text.lastIndexOf('/');
        if (at < 0) {
            throw new IllegalArgumentException("Not a grant: '" + text + "'");
        }
        return of(text.substring(0, at), Long.parseLong(text.substring(at + 1)));
    }

    abstract String incarnation();

    abstract long number();

    @Override
    public final String toString() {
        return incarnation() + "/" + number();
    }
}
