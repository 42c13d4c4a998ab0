/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import static io.trefoil.federation.balance.Federation.load;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BalancePlanTest {
    private static final Set<String> TWO = Set.of("ns1", "ns2");
    private static final PlanLimits LIMITS = limits(5).build();

    private static PlanLimits.Builder limits(int moves) {
        return PlanLimits.builder().moves(moves).tolerance(0.25).gain(0.1).targets(Set.of());
    }

    private static SubtreePath path(String text) {
        return SubtreePath.parse(text);
    }

    private static Map<SubtreePath, Load> directories(Object... pathsAndLoads) {
        Map<SubtreePath, Load> directories = new TreeMap<>();
        for (int i = 0; i < pathsAndLoads.length; i += 2) {
            directories.put(path((String) pathsAndLoads[i]), (Load) pathsAndLoads[i + 1]);
        }
        return directories;
    }

    private static List<String> moves(BalancePlan plan) {
        return plan.moves().stream()
                .map(move -> move.path() + " " + move.from() + " " + move.to())
                .toList();
    }

    @Test
    void newNameserviceGetsHalfOfLoad() {
        BalancePlan plan = Federation.of(
                        TWO, directories("/a", load(40, 40, 40), "/b", load(35, 35, 35), "/c", load(25, 25, 25)))
                .plan(LIMITS);

        // 60 and 40 with /a; 65 and 35 with /b would be nearly as good, and /b is smaller, but not that nearly.
        assertThat(moves(plan)).containsExactly("/a ns1 ns2");
        assertThat(plan.before().pressure("ns1")).isCloseTo(2, within(1e-9));
        assertThat(plan.before().pressure("ns2")).isZero();
        assertThat(plan.after().pressure("ns1")).isCloseTo(1.2, within(1e-9));
    }

    @Test
    void prefersMoveWithFewerInodesAmongNearlyEqualGains() throws TableRefusedException {
        BalancePlan plan = Federation.of(
                        TWO,
                        directories(
                                "/a", load(50, 6, 0), "/b", load(48, 4, 0), "/c", load(2, 45, 0), "/d", load(0, 45, 0)))
                .with(path("/d"), "ns2")
                .plan(limits(1).build());

        assertThat(moves(plan)).containsExactly("/b ns1 ns2");
    }

    @Test
    void movesDirectoryWithLightlyLoadedParent() {
        Map<SubtreePath, Load> directories =
                directories("/a", load(0, 1, 0), "/a/b/c", load(50, 50, 50), "/d", load(50, 50, 50));

        assertThat(moves(Federation.of(TWO, directories).plan(limits(1).build())))
                .containsExactly("/d ns1 ns2");
        directories.put(path("/d"), load(20, 20, 20));
        directories.put(path("/e"), load(30, 30, 30));
        assertThat(moves(Federation.of(TWO, directories).plan(limits(1).build())))
                .containsExactly("/a ns1 ns2");
    }

    @Test
    void leavesNearlyFairLoadAlone() throws TableRefusedException {
        Federation federation = Federation.of(
                        TWO, directories("/a", load(40, 0, 0), "/b", load(22, 0, 0), "/c", load(38, 0, 0)))
                .with(path("/c"), "ns2");

        assertThat(federation.balance().pressure("ns1")).isCloseTo(1.24, within(1e-9));
        assertThat(federation.plan(LIMITS).moves()).isEmpty();
    }

    @Test
    void leavesSingleHotDirectoryAlone() {
        assertThat(Federation.of(TWO, directories("/a", load(100, 1, 1)))
                        .plan(LIMITS)
                        .moves())
                .isEmpty();
    }

    @Test
    void relievesNextBusiestWhenBusiestCannotBeRelieved() throws TableRefusedException {
        Federation federation = Federation.of(
                        Set.of("ns1", "ns2", "ns3"),
                        directories("/a", load(50, 0, 0), "/b", load(25, 0, 0), "/c", load(25, 0, 0)))
                .with(path("/b"), "ns2")
                .with(path("/c"), "ns2");

        assertThat(moves(federation.plan(LIMITS))).containsExactly("/b ns2 ns3");
    }

    @Test
    void returnedEntryIsRemovedFromTable() throws TableRefusedException {
        Federation federation = Federation.of(TWO, directories("/a", load(50, 0, 0), "/b", load(50, 0, 0)))
                .with(path("/a"), "ns2")
                .with(path("/b"), "ns2");

        BalancePlan plan = federation.plan(LIMITS);

        assertThat(moves(plan)).containsExactly("/a ns2 ns1");
        assertThat(federation.with(path("/a"), "ns1").table().owners()).doesNotContainKey(path("/a"));
    }

    @Test
    void keepsSubtreeContainingEntry() throws TableRefusedException {
        Federation federation = Federation.of(
                        TWO, directories("/a", load(90, 0, 0), "/a/b", load(1, 0, 0), "/c", load(9, 0, 0)))
                .with(path("/a/b"), "ns2");

        assertThat(moves(federation.plan(LIMITS))).containsExactly("/c ns1 ns2");
    }

    @Test
    void planMovesEachSubtreeOnce() {
        List<Candidate> candidates =
                List.of(Candidate.of(path("/a"), load(60, 0, 0)), Candidate.of(path("/a/b"), load(30, 0, 0)));
        Balance balance = Balance.of(Map.of("ns1", load(100, 0, 0), "ns2", Load.NONE, "ns3", Load.NONE));

        BalancePlan plan =
                BalancePlan.of(balance, SubtreeTable.first("cluster", "ns1"), Federation.KEPT, candidates, LIMITS);

        assertThat(moves(plan)).containsExactly("/a ns1 ns2");
    }

    @Test
    void onlyNamedTargetsGainSubtrees() {
        Federation federation =
                Federation.of(Set.of("ns1", "ns2", "ns3"), directories("/a", load(50, 0, 0), "/b", load(50, 0, 0)));

        assertThat(moves(federation.plan(limits(1).targets(Set.of("ns3")).build())))
                .containsExactly("/a ns1 ns3");
    }

    @Test
    void rejectsLimitsOfZero() {
        assertThatThrownBy(() -> limits(1).gain(0).build()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limits(0).build()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void recentChangesListNewlyOwnedSubtrees() throws TableRefusedException {
        Instant start = Instant.parse("2026-11-26T00:00:00Z");
        SubtreeTable first = SubtreeTable.first("cluster", "ns1");
        SubtreeTable second = TableChange.add(path("/a"), "ns2").applyTo(first, TWO, Federation.KEPT);
        SubtreeTable third = TableChange.add(path("/b"), "ns2").applyTo(second, TWO, Federation.KEPT);
        SubtreeTable fourth = TableChange.remove(path("/a")).applyTo(third, TWO, Federation.KEPT);
        List<TableRecord> history = List.of(
                TableRecord.of(first, "", "", start),
                TableRecord.of(second, "", "", start.plusSeconds(1)),
                TableRecord.of(third, "", "", start.plusSeconds(2)),
                TableRecord.of(fourth, "", "", start.plusSeconds(3)));

        assertThat(RecentChangeFinder.findSince(start, history)).containsExactly(path("/a"), path("/b"));
        assertThat(RecentChangeFinder.findSince(start.plusSeconds(3), history)).containsExactly(path("/a"));
        assertThat(RecentChangeFinder.findSince(start.plusSeconds(4), history)).isEmpty();
    }
}
