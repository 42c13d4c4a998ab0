/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.util.List;

/** Looks at one side of a host; changes nothing that stays. */
interface Check {
    /** In one word, for the first column. */
    String name();

    /** What was found; also that which is fine, so that an operator sees what was looked at. */
    List<PreflightFinding> look(HostPlan plan);
}
