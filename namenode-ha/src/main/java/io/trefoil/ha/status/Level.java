/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import java.util.Locale;

/** How a nameservice is. */
public enum Level {
    /** It serves, nothing is reported, and it may lose at least one more node. */
    HEALTHY,
    /** It serves, but something is reported. */
    DEGRADED,
    /** Clients are not served. */
    DOWN;

    /** As it is printed. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
