/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.JuniorPin.Order;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import org.junit.jupiter.api.Test;

class JuniorPinTest {

    private static final long MAX_LAG = 100;

    private static Order nextOrder(JuniorPin pin, MemberState state, long txId, long lag, long now) {
        MemberRecord self = MemberRecord.builder()
                .name("nn3")
                .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                .version("1")
                .state(state)
                .appliedTxId(txId)
                .lag(lag)
                .build();
        return pin.dueOrder(self, MAX_LAG, now);
    }

    @Test
    void laggingMemberPinsAndReleasesOnceCaughtUp() {
        JuniorPin pin = JuniorPin.begin(0);
        assertThat(nextOrder(pin, MemberState.JUNIOR, 10, 5000, 0)).isEqualTo(Order.PIN);

        pin = pin.afterPin(10, 0);
        assertThat(nextOrder(pin, MemberState.JUNIOR, 500, 4000, 1000)).isEqualTo(Order.NOTHING);
        assertThat(nextOrder(pin, MemberState.STANDBY, 5000, 0, 2000))
                .as("at once")
                .isEqualTo(Order.RELEASE);

        pin = pin.afterRelease(2000);
        assertThat(nextOrder(pin, MemberState.STANDBY, 5000, 0, 3000)).isEqualTo(Order.NOTHING);
        assertThat(nextOrder(pin, MemberState.JUNIOR, 5000, 5000, 4000))
                .as("again behind")
                .isEqualTo(Order.PIN);
    }

    @Test
    void releasesPinOfPreviousProcessOnce() {
        JuniorPin pin = JuniorPin.begin(0);

        assertThat(nextOrder(pin, MemberState.STANDBY, 5000, 0, 0)).isEqualTo(Order.RELEASE);
        assertThat(nextOrder(pin.afterRelease(0), MemberState.ACTIVE, 5000, 0, 1))
                .isEqualTo(Order.NOTHING);
    }

    @Test
    void stalledJuniorLetsPinExpire() {
        JuniorPin pin = JuniorPin.begin(0).afterPin(10, 0);

        assertThat(nextOrder(pin, MemberState.JUNIOR, 10, 5000, 10 * JuniorPin.AGAIN_MILLIS))
                .isEqualTo(Order.NOTHING);
        assertThat(nextOrder(pin, MemberState.JUNIOR, 11, 5000, JuniorPin.AGAIN_MILLIS))
                .isEqualTo(Order.PIN);
    }

    @Test
    void caughtUpJuniorDoesNotNeedPin() {
        assertThat(nextOrder(JuniorPin.begin(0), MemberState.JUNIOR, 10, MAX_LAG, 0))
                .isEqualTo(Order.NOTHING);
    }

    @Test
    void failedPinOrderIsRetriedAfterBackoff() {
        JuniorPin pin = JuniorPin.begin(0).afterFailure(0);

        assertThat(nextOrder(pin, MemberState.JUNIOR, 10, 5000, JuniorPin.RETRY_MILLIS - 1))
                .isEqualTo(Order.NOTHING);
        assertThat(nextOrder(pin, MemberState.JUNIOR, 10, 5000, JuniorPin.RETRY_MILLIS))
                .isEqualTo(Order.PIN);
        assertThat(nextOrder(pin, MemberState.STANDBY, 10, 0, JuniorPin.RETRY_MILLIS))
                .isEqualTo(Order.RELEASE);
    }
}
