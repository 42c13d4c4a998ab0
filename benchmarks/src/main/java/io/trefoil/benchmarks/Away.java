/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

/** How a process is kept from its work for a while. */
public enum Away {
    /** By SIGSTOP; it goes on where it was. */
    STOPPED,
    /** Ended, and started again. */
    KILLED
}
