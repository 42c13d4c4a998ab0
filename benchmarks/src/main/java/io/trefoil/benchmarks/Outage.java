/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.Locale;

/** How a process is kept from its work for a while. */
public enum Outage {
    /** By SIGSTOP; it goes on where it was. */
    STOPPED,
    /** Ended, and started again. */
    KILLED;

    /** As it is written on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
