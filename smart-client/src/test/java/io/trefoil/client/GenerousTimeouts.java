/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has each test wait for a condition as long as a machine may need that gives its cores to others meanwhile. JUnit
 * finds it by the list of services; that of the other modules is in the tests of {@code journal-ssp}, which this module
 * does not know.
 */
public final class GenerousTimeouts implements BeforeAllCallback {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }
}
