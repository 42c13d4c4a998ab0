/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

/** A simulation found something wrong; the text says what, what led to it, and how to see it again. */
public final class SimulationFailure extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final String invariant;

    SimulationFailure(String invariant, String report, Throwable cause) {
        super(report, cause);
        this.invariant = invariant;
    }

    /** The name of what does not hold. */
    public String invariant() {
        return invariant;
    }
}
