/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import java.util.List;

/** What is to be done on one host, or why nothing is. */
public interface HostRestorePlan {

    /** Why it is impossible. */
    List<String> refusals();

    /** What must be stopped, or said, before it is possible. */
    List<String> hindrances();

    default boolean executable() {
        return refusals().isEmpty() && hindrances().isEmpty();
    }
}
