/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

/** The paper's tests of Table 3: the same fault three times, each followed by enough time for the group to recover. */
enum Scenario {
    /** The active loses its lock in the global view. */
    A(Fault.LOCK),
    /** The active's cable is pulled and plugged in again. */
    B(Fault.CUT),
    /** The active's process is killed and restarted. */
    C(Fault.KILLED);

    private final Fault fault;

    Scenario(Fault fault) {
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }
}
