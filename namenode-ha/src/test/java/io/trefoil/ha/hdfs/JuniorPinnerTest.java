/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.journal.hdfs.pin.FakePinService;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JuniorPinnerTest {

    private final FakePinService pins = new FakePinService();
    private Optional<MemberRecord> self = Optional.empty();
    private final JuniorPinner pinner = new JuniorPinner("nn3", pins, () -> self, 100);

    @AfterEach
    void close() {
        pinner.close();
    }

    @Test
    void pinsJournalWhileBehindAndReleasesOnce() {
        pinner.pinIfDue();
        assertThat(pins.orders).as("before the agent knows itself").isEmpty();

        self = record(MemberState.JUNIOR, 10, 5000);
        pinner.pinIfDue();
        pinner.pinIfDue();
        assertThat(pins.orders).containsExactly("renew nn3 behind 10");

        self = record(MemberState.STANDBY, 5010, 0);
        pinner.pinIfDue();
        pinner.pinIfDue();
        assertThat(pins.orders).containsExactly("renew nn3 behind 10", "renewed nn3");
    }

    @Test
    void unreachableActiveDoesNotFailPinnerAndIsRetriedLater() {
        pins.refusal = Optional.of("no NameNode took it");
        self = record(MemberState.JUNIOR, 10, 5000);

        pinner.pinIfDue();
        pins.refusal = Optional.empty();
        pinner.pinIfDue();

        assertThat(pins.refused).containsExactly("renew nn3 behind 10");
        assertThat(pins.orders).isEmpty();
    }

    private static Optional<MemberRecord> record(MemberState state, long txId, long lag) {
        return Optional.of(MemberRecord.builder()
                .name("nn3")
                .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                .version("1")
                .state(state)
                .appliedTxId(txId)
                .lag(lag)
                .build());
    }
}
