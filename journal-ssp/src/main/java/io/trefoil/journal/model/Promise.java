/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * A node's commitment to refuse every epoch below this one, and the writer it was given to (rule R1). Immutable.
 *
 * <p>It includes the length of the lease, so that a restarted node still knows how long the writer may consider itself
 * alone.
 */
@AutoValue
public abstract class Promise {

    /**
     * How long a node honours the lease of a writer that it presumes dead, from when it last heard from the writer: a dead process cannot be distinguished from a rejecting firewall. A writer may always consider itself alone for this long, and
     * answers readers no longer than this unless it is acknowledged again (protocol page, "Lease").
     */
    public static final long ALONE_MILLIS = 50;

    /** The state before any promise is given. */
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
