/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.util.List;

/** Checks one aspect of a host; changes nothing lasting. */
interface Check {
    /** The name of the check for the first column, a single word. */
    String name();

    /** The findings, including what is fine, so that an operator sees what was checked. */
    List<PreflightFinding> check(HostPlan plan);
}
