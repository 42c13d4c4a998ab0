/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import java.util.List;

/** What to do on one host, or why nothing is done. */
public interface HostRestorePlan {

    /** Why the plan is impossible. */
    List<String> refusals();

    /** What must be stopped, or given as an option, before the plan is possible. */
    List<String> hindrances();

    default boolean executable() {
        return refusals().isEmpty() && hindrances().isEmpty();
    }
}
