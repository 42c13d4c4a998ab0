/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

/** The command's exit codes, which scripts rely on. */
public final class ExitCode {

    /** Everything is in order, or was done. */
    public static final int FINE = 0;

    /** The command has a finding, or failed to do something; the output describes it. */
    public static final int FINDING = 1;

    /** The command line or the configuration is wrong; no server was asked. */
    public static final int USAGE = 2;

    /** No server answered: nothing is known. */
    public static final int NOBODY_ANSWERED = 3;

    /** Clients are not served; only {@code status} exits with it. */
    public static final int DOWN = 4;

    private ExitCode() {}
}
