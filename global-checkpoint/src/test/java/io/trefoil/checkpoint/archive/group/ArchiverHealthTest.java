/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArchiverHealthTest {

    private static final long TIMEOUT = ArchiverHealth.TIMEOUT_MILLIS;

    @Test
    void failsWhenNothingSucceedsUntilTimeout() {
        ArchiverHealth trying = ArchiverHealth.begin(0).startTrying(1_000);

        assertThat(trying.update(1_000 + TIMEOUT).isFailing(1_000 + TIMEOUT)).isFalse();
        assertThat(trying.update(1_001 + TIMEOUT).isFailing(1_001 + TIMEOUT)).isTrue();
    }

    @Test
    void failsUntilOthersHaveTried() {
        ArchiverHealth failing = ArchiverHealth.begin(0).update(TIMEOUT + 1);
        long rested = TIMEOUT + 1 + ArchiverHealth.REST_MILLIS;

        assertThat(failing.startTrying(rested - 1).isFailing(rested - 1)).isTrue();
        assertThat(failing.isFailing(rested)).isFalse();
    }

    @Test
    void recoversWhenSomethingSucceeds() {
        ArchiverHealth good = ArchiverHealth.begin(0).update(TIMEOUT + 1).recordSuccess(TIMEOUT + 2);

        assertThat(good.isFailing(TIMEOUT + 2)).isFalse();
        assertThat(good.update(2 * TIMEOUT + 2).isFailing(2 * TIMEOUT + 2)).isFalse();
    }
}
