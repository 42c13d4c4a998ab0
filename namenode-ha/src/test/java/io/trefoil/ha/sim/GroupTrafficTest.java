/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.model.HaRole;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a group asks of ZooKeeper and of its members, without and with a failover; docs/benchmarks/many-groups.md. */
class GroupTrafficTest {
    private static final long REST_MILLIS = 60_000;
    private static final long SETTLED_MILLIS = 20_000;
    private static final int SEEDS = 5;

    /** Of ZooKeeper for one failover with the return of who was killed, however many members there are. */
    private static final int CHANGES = 12;

    /** Of a record in ZooKeeper, on average. */
    private static final int RECORD_BYTES = 600;

    /** How often a member asks all others who holds a lease there. */
    private static final int SURVEYS_PER_MEMBER = 4;

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10})
    void failoverCostIsAtMostLinearInMembers(int size) {
        long changes = 0;
        long bytes = 0;
        long bytesAtRest = 0;
        long messages = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            GroupSimulation group = new GroupSimulation(
                    seed, GroupSimulation.Mix.EVERYTHING, SimMember.Rules.REAL, true, OptionalInt.of(size));
            group.start();
            group.clock.runUntil(group.clock.millis() + SETTLED_MILLIS);
            long changesBefore = group.zooKeeper.changes();
            long bytesBefore = group.zooKeeper.bytes();
            group.clock.runUntil(group.clock.millis() + REST_MILLIS);
            long changesWithoutFailover = group.zooKeeper.changes() - changesBefore;
            assertThat(changesWithoutFailover)
                    .as("changes while clients write: how far the members are, once a second")
                    .isBetween(REST_MILLIS / 1_000 / 2, REST_MILLIS / 1_000 + size);
            long restBytes = group.zooKeeper.bytes() - bytesBefore;
            bytesAtRest += restBytes;
            changesBefore = group.zooKeeper.changes();
            bytesBefore = group.zooKeeper.bytes();

            long messagesBefore = group.surveyMessages;
            int elections = group.elections();
            active(group).kill();
            group.clock.runUntil(group.clock.millis() + SETTLED_MILLIS);
            assertThat(group.elections()).isEqualTo(elections + 1);
            // Without how far all are.
            changes += group.zooKeeper.changes() - changesBefore - SETTLED_MILLIS / 1_000;
            bytes += group.zooKeeper.bytes() - bytesBefore - restBytes * SETTLED_MILLIS / REST_MILLIS;
            messages += group.surveyMessages - messagesBefore;
        }
        System.out.printf(
                "%d members: per second %d bytes of records in ZooKeeper; per failover %.1f changes of %d bytes together, each read by %d,"
                        + " and %.0f messages of surveys%n",
                size,
                bytesAtRest * 1_000 / REST_MILLIS / SEEDS,
                (double) changes / SEEDS,
                bytes / SEEDS,
                size,
                (double) messages / SEEDS);
        assertThat(bytesAtRest / SEEDS).isLessThanOrEqualTo((REST_MILLIS / 1_000 + size) * RECORD_BYTES);
        assertThat(bytes / SEEDS).isLessThanOrEqualTo(CHANGES * RECORD_BYTES);
        assertThat(changes / SEEDS).isLessThanOrEqualTo(CHANGES);
        assertThat(messages / SEEDS).isLessThanOrEqualTo(SURVEYS_PER_MEMBER * 2L * size * (size - 1));
    }

    private static SimMember active(GroupSimulation group) {
        return group.members.stream()
                .filter(member -> member.role == HaRole.ACTIVE)
                .findFirst()
                .orElseThrow();
    }
}
