/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.Locale;

/** How a process is interrupted for a while. */
public enum Outage {
    /** By SIGSTOP; it resumes where it was. */
    STOPPED,
    /** It is killed, and started again. */
    KILLED;

    /** The name on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
