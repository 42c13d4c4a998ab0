/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** A storage that was once a member of the journal and never will be again (rule R8). Immutable. */
@AutoValue
public abstract class RetiredStorage {

    /** Describes why the storage is no longer a member. */
    public enum Cause {
        /** A member whose place another storage has taken. */
        REPLACED,
        /** An operator removed it; no node joins at its address until an operator adds the address again. */
        REMOVED
    }

    public static RetiredStorage of(NodeId id, NodeAddress address, Cause cause) {
        return new AutoValue_RetiredStorage(id, address, cause);
    }

    /** The cause with that name; empty if there is none. */
    static Optional<Cause> cause(String name) {
        for (Cause cause : Cause.values()) {
            if (cause.name().equals(name)) {
                return Optional.of(cause);
            }
        }
        return Optional.empty();
    }

    public abstract NodeId id();

    /** The address at which the node listened as a member. */
    public abstract NodeAddress address();

    public abstract Cause cause();

    @Override
    public final String toString() {
        return id() + " " + address() + " " + cause();
    }
}
