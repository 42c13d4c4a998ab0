/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Leaves out the log while a class runs: the production code logs each of thousands of injected faults at length. */
final class WithoutLog implements BeforeAllCallback, AfterAllCallback {
    private static final PrintStream LOG = System.err;

    @Override
    public void beforeAll(ExtensionContext context) {
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.setErr(LOG);
    }
}
