/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Plans for any loads, carried out move by move. */
class BalancePlanProperties {
    private static final double ROUNDING = 1e-9;
    /** More than any of these federations can need. */
    private static final int ROUNDS = 200;

    @Provide
    Arbitrary<Federation> federations() {
        Arbitrary<SubtreePath> paths = Arbitraries.of("a", "b", "c")
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(names -> SubtreePath.parse("/" + String.join("/", names)));
        Arbitrary<Double> numbers = Arbitraries.integers().between(0, 100).map(number -> (double) number);
        Arbitrary<Load> loads = Combinators.combine(numbers, numbers, numbers).as(Federation::load);
        Arbitrary<Map<SubtreePath, Load>> directories =
                Arbitraries.maps(paths, loads).ofMinSize(1).ofMaxSize(12);
        Arbitrary<Integer> nameservices = Arbitraries.integers().between(1, 4);
        Arbitrary<Map<SubtreePath, Integer>> owners =
                Arbitraries.maps(paths, Arbitraries.integers().between(1, 4)).ofMaxSize(4);
        return Combinators.combine(nameservices, directories, owners).as(BalancePlanProperties::federation);
    }

    private static Federation federation(
            int count, Map<SubtreePath, Load> directories, Map<SubtreePath, Integer> owners) {
        Set<String> nameservices = new TreeSet<>();
        for (int i = 1; i <= count; i++) {
            nameservices.add("ns" + i);
        }
        Federation federation = Federation.of(nameservices, new TreeMap<>(directories));
        for (Map.Entry<SubtreePath, Integer> one : new TreeMap<>(owners).entrySet()) {
            try {
                federation = federation.with(one.getKey(), "ns" + one.getValue());
            } catch (TableRefusedException notPossible) {
                // Then it has one entry less.
            }
        }
        return federation;
    }

    @Provide
    Arbitrary<PlanLimits> limits() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 6),
                        Arbitraries.integers().between(0, 50),
                        Arbitraries.integers().between(1, 40))
                .as((moves, tolerance, gain) -> PlanLimits.builder()
                        .moves(moves)
                        .tolerance(tolerance / 100.0)
                        .gain(gain / 100.0)
                        .targets(Set.of())
                        .build());
    }

    @Property(tries = 200)
    void eachPlannedMoveLowersPressureWithoutNewHotspot(
            @ForAll("federations") Federation federation, @ForAll("limits") PlanLimits limits)
            throws TableRefusedException {
        BalancePlan plan = federation.plan(limits);
        assertThat(plan.moves()).hasSizeLessThanOrEqualTo(limits.moves());
        Federation now = federation;
        for (PlannedMove move : plan.moves()) {
            Balance before = now.balance();
            assertThat(now.table().ownerOf(move.path())).isEqualTo(move.from());
            assertThat(before.pressure(move.from())).isGreaterThan(1 + limits.tolerance());

            now = now.with(move.path(), move.to());

            Balance after = now.balance();
            assertThat(after.highestPressure()).isLessThanOrEqualTo(before.highestPressure() + ROUNDING);
            assertThat(higherPressure(after, move))
                    .isLessThanOrEqualTo(higherPressure(before, move) - limits.gain() + ROUNDING);
            assertThat(higherPressure(before, move) - higherPressure(after, move))
                    .isCloseTo(move.gain(), within(ROUNDING));
        }
        Balance then = now.balance();
        then.loads().keySet().forEach(one -> assertThat(plan.after().pressure(one))
                .as("what was expected of " + one)
                .isCloseTo(then.pressure(one), within(ROUNDING)));
    }

    private static double higherPressure(Balance balance, PlannedMove move) {
        return Math.max(balance.pressure(move.from()), balance.pressure(move.to()));
    }

    @Property(tries = 100)
    void repeatedPlanningTerminates(@ForAll("federations") Federation federation, @ForAll("limits") PlanLimits limits)
            throws TableRefusedException {
        Federation now = federation;
        for (int round = 0; round < ROUNDS; round++) {
            List<PlannedMove> moves = now.plan(limits).moves();
            if (moves.isEmpty()) {
                return;
            }
            for (PlannedMove move : moves) {
                now = now.with(move.path(), move.to());
            }
        }
        throw new AssertionError("Still moving after " + ROUNDS + " plans: " + federation);
    }
}
