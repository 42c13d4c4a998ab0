/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;

/** A session with ZooKeeper, to which ephemeral nodes belong. Immutable. */
@AutoValue
public abstract class ZkSession {

    /** The absence of a session. */
    public static final ZkSession NONE = of(0);

    public static ZkSession of(long id) {
        return new AutoValue_ZkSession(id);
    }

    public abstract long id();

    @Override
    public final String toString() {
        return Long.toHexString(id());
    }
}
