/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import java.util.Locale;

/** The state of a nameservice. */
public enum HealthLevel {
    /** The group serves, has no findings, and can lose at least one more node. */
    HEALTHY,
    /** The group serves, but has findings. */
    DEGRADED,
    /** Clients are not served. */
    DOWN;

    /** The printed word. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
