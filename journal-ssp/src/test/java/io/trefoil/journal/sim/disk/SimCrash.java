/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

/** The power of a simulated node went out in the middle of what it was doing. The simulator alone catches it. */
public final class SimCrash extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SimCrash(String operation) {
        super("Power loss in the middle of " + operation);
    }
}
