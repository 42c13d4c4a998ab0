/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has each test wait for a condition as long as a machine may need that gives its cores to others meanwhile. It only
 * decides when a test fails that would fail anyway. JUnit finds it by the list of services, in each module that has
 * this module's tests in its class path.
 */
public final class PatientWaits implements BeforeAllCallback {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }
}
