/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import java.util.List;

/** The plan of a restore or an undo on one host, or the reasons for doing nothing. */
public interface HostRestorePlan {

    /** Returns why the plan is impossible. */
    List<String> refusals();

    /** The obstacles that must be removed, by stopping a process or giving an option, before the plan is possible. */
    List<String> blockers();

    default boolean executable() {
        return refusals().isEmpty() && blockers().isEmpty();
    }
}
