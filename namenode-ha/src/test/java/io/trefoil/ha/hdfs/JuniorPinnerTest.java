/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.Place;
import io.trefoil.journal.hdfs.pin.FakePinDesk;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JuniorPinnerTest {

    private final FakePinDesk desk = new FakePinDesk();
    private Optional<MemberRecord> self = Optional.empty();
    private final JuniorPinner pinner = new JuniorPinner("nn3", desk, () -> self, 100);

    @AfterEach
    void close() {
        pinner.close();
    }

    @Test
    void theJournalIsKeptWhileThisNameNodeIsBehindAndReleasedOnce() {
        pinner.look();
        assertThat(desk.orders).as("before the agent knows itself").isEmpty();

        self = record(MemberState.JUNIOR, 10, 5000);
        pinner.look();
        pinner.look();
        assertThat(desk.orders).containsExactly("renew nn3 behind 10");

        self = record(MemberState.STANDBY, 5010, 0);
        pinner.look();
        pinner.look();
        assertThat(desk.orders).containsExactly("renew nn3 behind 10", "renewed nn3");
    }

    @Test
    void anActiveThatCannotBeAskedStopsNothingAndIsNotAskedEachSecond() {
        desk.refusal = Optional.of("no NameNode took it");
        self = record(MemberState.JUNIOR, 10, 5000);

        pinner.look();
        desk.refusal = Optional.empty();
        pinner.look();

        assertThat(desk.refused).containsExactly("renew nn3 behind 10");
        assertThat(desk.orders).isEmpty();
    }

    private static Optional<MemberRecord> record(MemberState state, long txId, long lag) {
        return Optional.of(MemberRecord.builder()
                .name("nn3")
                .place(Place.of("h:1", "h:2", "h:3"))
                .version("1")
                .state(state)
                .appliedTxId(txId)
                .lag(lag)
                .build());
    }
}
