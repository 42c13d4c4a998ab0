/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.Place;
import io.trefoil.journal.cli.PinDesk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JuniorPinnerTest {

    private final Desk desk = new Desk();
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
        assertThat(desk.orders).containsExactly("renew nn3 from 10");

        self = record(MemberState.STANDBY, 5010, 0);
        pinner.look();
        pinner.look();
        assertThat(desk.orders).containsExactly("renew nn3 from 10", "renewed nn3");
    }

    @Test
    void anActiveThatCannotBeAskedStopsNothingAndIsNotAskedEachSecond() {
        desk.isThere = false;
        self = record(MemberState.JUNIOR, 10, 5000);

        pinner.look();
        desk.isThere = true;
        pinner.look();

        assertThat(desk.orders).containsExactly("in vain");
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

    private static final class Desk implements PinDesk {
        private final List<String> orders = new ArrayList<>();
        private boolean isThere = true;

        private String take(String order) throws IOException {
            orders.add(isThere ? order : "in vain");
            if (!isThere) {
                throw new IOException("no NameNode took it");
            }
            return order;
        }

        @Override
        public String pin(long txId, long keepFrom, Optional<Duration> duration) {
            throw new AssertionError("by operators only");
        }

        @Override
        public String unpin(String name) {
            throw new AssertionError("by operators only");
        }

        @Override
        public String renew(String nameNode, long txId, Duration duration) throws IOException {
            return take("renew " + nameNode + " from " + txId);
        }

        @Override
        public String renewed(String nameNode) throws IOException {
            return take("renewed " + nameNode);
        }
    }
}
