/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * A node's commitment to refuse every epoch below this one, and the writer it was given to (rule R1). Immutable.
 *
 * <p>The lease length is part of it, so that a node that restarts still knows how long the writer may believe that it
 * is alone.
 */
@AutoValue
public abstract class Promise {

    /**
     * How long a node that takes a writer for gone believes in it yet, from when it heard it last: nobody can tell a
     * dead process from a firewall that refuses. So long a writer may take itself for alone in any case, and no longer
     * does it answer readers without being heard again (protocol page, "Lease").
     */
    public static final long ALONE_MILLIS = 50;

    /** Nothing promised yet. */
    public static final Promise NONE = new AutoValue_Promise(Epoch.NONE, WriterId.NOBODY, 0);

    public static Promise of(Epoch epoch, WriterId writer, long leaseMillis) {
        if (leaseMillis < 0) {
            throw new IllegalArgumentException("A lease is never negative, got " + leaseMillis + " ms");
        }
        return new AutoValue_Promise(epoch, writer, leaseMillis);
    }

    public abstract Epoch epoch();

    public abstract WriterId writer();

    public abstract long leaseMillis();
}
