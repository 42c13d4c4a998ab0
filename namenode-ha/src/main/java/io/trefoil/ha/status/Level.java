/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import java.util.Locale;

/** The state of a nameservice. */
public enum Level {
    /** The group serves, has no findings, and may lose at least one more node. */
    HEALTHY,
    /** The group serves, but has findings. */
    DEGRADED,
    /** Clients are not served. */
    DOWN;

    /** The word that is printed. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
