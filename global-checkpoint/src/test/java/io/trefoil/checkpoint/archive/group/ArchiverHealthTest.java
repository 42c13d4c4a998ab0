/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArchiverHealthTest {

    private static final long PATIENCE = ArchiverHealth.PATIENCE_MILLIS;

    @Test
    void failsWhenNothingSucceedsForPatience() {
        ArchiverHealth trying = ArchiverHealth.begin(0).trying(1_000);

        assertThat(trying.look(1_000 + PATIENCE).isFailing(1_000 + PATIENCE)).isFalse();
        assertThat(trying.look(1_001 + PATIENCE).isFailing(1_001 + PATIENCE)).isTrue();
    }

    @Test
    void failsUntilOthersHaveTried() {
        ArchiverHealth failing = ArchiverHealth.begin(0).look(PATIENCE + 1);
        long rested = PATIENCE + 1 + ArchiverHealth.REST_MILLIS;

        assertThat(failing.trying(rested - 1).isFailing(rested - 1)).isTrue();
        assertThat(failing.isFailing(rested)).isFalse();
    }

    @Test
    void failsNoMoreWhenSomethingSucceeds() {
        ArchiverHealth good = ArchiverHealth.begin(0).look(PATIENCE + 1).good(PATIENCE + 2);

        assertThat(good.isFailing(PATIENCE + 2)).isFalse();
        assertThat(good.look(2 * PATIENCE + 2).isFailing(2 * PATIENCE + 2)).isFalse();
    }
}
