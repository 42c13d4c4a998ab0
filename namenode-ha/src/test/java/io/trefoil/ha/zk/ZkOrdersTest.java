/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;

/** Orders of operators are kept for all members. */
class ZkOrdersTest extends ZkGroup {

    private static ElectionOrder.Outcome order(Member member, ElectionOrder order) throws Exception {
        return member.coordination
                .order(order, List.of("nn1", "nn2", "nn3"))
                .get(LONG.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Test
    void orderIsVisibleToAllMembersAndOutlivesThem() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");

        ElectionOrder.Outcome outcome = order(one, ElectionOrder.prefer("nn3", "alice", 5, Optional.empty()));

        assertThat(outcome.refused()).isFalse();
        await().until(() -> other.view.orders().isPreferred("nn3", 6));
        one.coordination.close();
        other.coordination.close();
        assertThat(new Member("nn1").view.orders()).isEqualTo(outcome.orders());
    }

    @Test
    void refusedOrderChangesNothing() throws Exception {
        Member one = new Member("nn1");

        ElectionOrder.Outcome outcome = order(one, ElectionOrder.drain("nn3", "alice", 5));

        assertThat(outcome.refused()).isTrue();
        assertThat(one.view.orders()).isEqualTo(StandingOrders.NONE);
    }

    @Test
    void keepsAllConcurrentOrders() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        List<CompletableFuture<ElectionOrder.Outcome>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Member taker = i % 2 == 0 ? one : other;
            answers.add(taker.coordination.order(
                    ElectionOrder.prefer("nn" + (1 + i % 3), "alice", 5, Optional.empty()),
                    List.of("nn1", "nn2", "nn3")));
        }
        for (CompletableFuture<ElectionOrder.Outcome> answer : answers) {
            assertThat(answer.get(LONG.toMillis(), TimeUnit.MILLISECONDS).refused())
                    .isFalse();
        }

        await().until(() ->
                one.view.orders().revision() == 10 && one.view.orders().equals(other.view.orders()));
    }

    @Test
    void firstConcurrentDrainWinsWhenOnlyOneIsAllowed() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        for (Member member : List.of(one, other)) {
            member.coordination.publish(record(member.name, 1).toBuilder()
                    .state(MemberState.STANDBY)
                    .eligible(true)
                    .build());
        }
        await().until(() ->
                one.view.members().size() == 2 && other.view.members().size() == 2);

        List<CompletableFuture<ElectionOrder.Outcome>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Member taker = i % 2 == 0 ? one : other;
            answers.add(taker.coordination.order(
                    ElectionOrder.drainAlone(i % 2 == 0 ? "nn2" : "nn3", "alice", 5), List.of("nn1", "nn2", "nn3")));
        }

        Set<String> taken = new HashSet<>();
        for (CompletableFuture<ElectionOrder.Outcome> answer : answers) {
            ElectionOrder.Outcome outcome = answer.get(LONG.toMillis(), TimeUnit.MILLISECONDS);
            if (!outcome.refused()) {
                outcome.orders().drains().forEach(drain -> taken.add(drain.nameNode()));
            }
        }
        assertThat(taken).hasSize(1);
    }

    @Test
    void ordersAreRestoredWhenZooKeeperLostThem() throws Exception {
        Member one = new Member("nn1");
        StandingOrders first = order(one, ElectionOrder.prefer("nn3", "alice", 5, Optional.empty()))
                .orders();
        try (CuratorFramework stranger = stranger()) {
            stranger.delete().forPath("/trefoil/ns1/orders");
            Member other = new Member("nn2");
            await().until(() -> other.view.orders().equals(first));

            // What was restored from a copy.
            StandingOrders second =
                    order(one, ElectionOrder.clearPreference("alice", 6)).orders();
            stranger.setData().forPath("/trefoil/ns1/orders", RecordFormat.toBytes(RecordFormat.toJson(first)));
            await().until(() -> RecordFormat.parseOrders(stranger.getData().forPath("/trefoil/ns1/orders"))
                    .equals(second));
            // The other one may have written them.
            await().until(() -> one.view.orders().equals(second));
        }
    }
}
