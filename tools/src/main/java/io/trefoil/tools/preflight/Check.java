/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.util.List;

/** Checks one aspect of a host; makes no lasting changes. */
interface Check {
    /** The name of the check for the first column, a single word. */
    String name();

    /** The findings, including those without a problem, so that an operator sees everything that was checked. */
    List<PreflightFinding> check(HostPlan plan);
}
