/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

/** A simulation found something wrong; the message says what, what led to it, and how to replay it. */
public final class SimulationFailure extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final String invariant;

    SimulationFailure(String invariant, String report, Throwable cause) {
        super(report, cause);
        this.invariant = invariant;
    }

    /** The name of the broken invariant. */
    public String invariant() {
        return invariant;
    }
}
