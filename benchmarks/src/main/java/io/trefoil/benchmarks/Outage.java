/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.Locale;

/** The ways of interrupting a process for a while. */
public enum Outage {
    /** Stops the process with SIGSTOP, from which it resumes where it was. */
    STOPPED,
    /** Kills the process, and starts it again. */
    KILLED;

    /** The name on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
