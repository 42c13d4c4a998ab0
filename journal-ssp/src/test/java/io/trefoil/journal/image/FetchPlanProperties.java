/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.NodeAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Fetches from nodes that are good, bad for some parts, or die, in every order of answers. */
class FetchPlanProperties {

    /** A part that a node was asked for. */
    private record PartRequest(NodeAddress node, int part) {}

    @Property
    void singleGoodNodeSufficesForFetch(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40) int parts,
            @ForAll @IntRange(max = 4) int otherCount) {
        Random random = new Random(seed);
        List<NodeAddress> nodes = nodes(otherCount + 1);
        BitSet before = randomSubset(random, parts);
        FetchPlan plan = new FetchPlan(parts, before, nodes);

        Set<Integer> arrived =
                run(plan, random, nodes, asked -> asked.node().equals(nodes.get(otherCount)) || random.nextInt(3) == 0);

        assertThat(plan.isDone()).isTrue();
        assertThat(plan.isStuck()).isFalse();
        BitSet together = (BitSet) before.clone();
        arrived.forEach(together::set);
        assertThat(together.cardinality()).isEqualTo(parts);
        assertThat(arrived).as("what was there is not fetched again").noneMatch(before::get);
    }

    @Property
    void fetchAlwaysTerminates(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40) int parts,
            @ForAll @IntRange(min = 1, max = 4) int count) {
        Random random = new Random(seed);
        List<NodeAddress> nodes = nodes(count);
        int badness = random.nextInt(5);
        FetchPlan plan = new FetchPlan(parts, new BitSet(), nodes);

        Set<Integer> arrived = run(plan, random, nodes, asked -> random.nextInt(5) >= badness);

        assertThat(plan.isDone()).isEqualTo(arrived.size() == parts);
        assertThat(plan.isDone() || plan.isStuck()).isTrue();
        assertThat(plan.presentPartCount()).isEqualTo(arrived.size());
        assertThat(plan.partsByNode().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(arrived.size());
    }

    @Property
    void goodNodeProvidesAllPartsWhenOthersFail(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int parts) {
        Random random = new Random(seed);
        List<NodeAddress> nodes = nodes(3);
        FetchPlan plan = new FetchPlan(parts, new BitSet(), nodes);

        run(plan, random, nodes, asked -> asked.node().equals(nodes.get(1)));

        assertThat(plan.isDone()).isTrue();
        assertThat(plan.partsByNode()).containsEntry(nodes.get(1), (long) parts).containsEntry(nodes.get(0), 0L);
        assertThat(plan.failuresByNode()).doesNotContainKey(nodes.get(1));
    }

    /** Who decides whether a part that is asked for comes, and is right. */
    private interface World {
        boolean isGood(PartRequest request);
    }

    /** Asks as the plan says, answers in a random order, until there is nothing to ask and nothing to answer. */
    private Set<Integer> run(FetchPlan plan, Random random, List<NodeAddress> nodes, World world) {
        List<PartRequest> underWay = new ArrayList<>();
        Set<Integer> arrived = new HashSet<>();
        Set<PartRequest> failed = new HashSet<>();
        int idle = 0;
        while (idle < 200) {
            NodeAddress node = nodes.get(random.nextInt(nodes.size()));
            boolean mayAsk =
                    underWay.stream().filter(one -> one.node().equals(node)).count() < 2;
            OptionalInt next = mayAsk && random.nextBoolean() ? plan.nextPart(node) : OptionalInt.empty();
            if (next.isPresent()) {
                PartRequest request = new PartRequest(node, next.getAsInt());
                assertThat(failed)
                        .as("no part is asked for twice where it failed")
                        .doesNotContain(request);
                assertThat(arrived).as("no part is asked for that is there").doesNotContain(request.part());
                underWay.add(request);
                assertThat(underWay.stream()
                                .filter(one -> one.part() == request.part())
                                .count())
                        .isLessThanOrEqualTo(FetchPlan.MAX_CONCURRENT_FETCHES);
                idle = 0;
            } else if (!underWay.isEmpty()) {
                PartRequest answered = underWay.remove(random.nextInt(underWay.size()));
                if (world.isGood(answered)) {
                    assertThat(plan.recordArrival(answered.node(), answered.part()))
                            .isEqualTo(arrived.add(answered.part()));
                } else {
                    plan.recordFailure(answered.node(), answered.part(), "bad");
                    failed.add(answered);
                }
                idle = 0;
            } else {
                idle++;
            }
        }
        return arrived;
    }

    private static BitSet randomSubset(Random random, int parts) {
        BitSet set = new BitSet();
        for (int part = 0; part < parts; part++) {
            set.set(part, random.nextInt(3) == 0);
        }
        return set;
    }

    private static List<NodeAddress> nodes(int count) {
        List<NodeAddress> nodes = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            nodes.add(NodeAddress.of("host" + i, 8487));
        }
        return nodes;
    }
}
