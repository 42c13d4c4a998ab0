/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

/** A simulated node lost power in the middle of an operation. Only the simulator catches it. */
public final class SimCrash extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SimCrash(String operation) {
        super("Power loss in the middle of " + operation);
    }
}
