/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import static io.trefoil.tools.home.HomePlannerTest.member;
import static io.trefoil.tools.home.HomePlannerTest.nameNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.home.NameNodeObservation.State;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A home's move, whatever there is, step by step, and with a crash after each. */
class HomePlannerProperties {
    private static final List<String> SITES = List.of("east", "north", "west");

    @Provide
    Arbitrary<SiteLayout> anyLayout() {
        Arbitrary<List<PoolMember>> members = Combinators.combine(Arbitraries.of(SITES), Arbitraries.of(true, false))
                .as((site, votes) -> member(0, site, votes))
                .list()
                .ofMinSize(1)
                .ofMaxSize(8)
                .map(HomePlannerProperties::numberMembers);
        Arbitrary<List<NameNodeObservation>> group = Combinators.combine(
                        Arbitraries.of(SITES), Arbitraries.of(State.STANDBY, State.JUNIOR))
                .as((site, state) -> nameNode(0, site, state))
                .list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(HomePlannerProperties::withSingleActive);
        return Combinators.combine(members, group).as(SiteLayout::of);
    }

    private static List<PoolMember> numberMembers(List<PoolMember> members) {
        List<PoolMember> all = new ArrayList<>();
        members.forEach(one -> all.add(member(all.size() + 1, one.site(), all.isEmpty() || one.isVoter())));
        return all;
    }

    private static List<NameNodeObservation> withSingleActive(List<NameNodeObservation> observations) {
        List<NameNodeObservation> all = new ArrayList<>();
        observations.forEach(one ->
                all.add(nameNode(all.size() + 1, one.site(), all.isEmpty() ? State.ACTIVE : one.state()).toBuilder()
                        .requiredVoters(1)
                        .build()));
        return all;
    }

    /** As {@link #anyLayout}, when NameNodes or sites are not seen. */
    @Provide
    Arbitrary<SiteLayout> anyPartlyUnknownLayout() {
        return Combinators.combine(
                        anyLayout(),
                        Arbitraries.of(State.values()).list().ofSize(5),
                        Arbitraries.integers().between(0, 12),
                        Arbitraries.of(true, false))
                .as((whole, states, homeless, hasPool) -> {
                    List<NameNodeObservation> seen = new ArrayList<>();
                    whole.nameNodes()
                            .forEach(one -> seen.add(one.toBuilder()
                                    .state(states.get(seen.size()))
                                    .build()));
                    List<PoolMember> pool = new ArrayList<>();
                    whole.pool()
                            .forEach(one -> pool.add(
                                    pool.size() == homeless
                                            ? PoolMember.of(one.address(), "", one.isVoter(), "")
                                            : one));
                    return SiteLayout.of(hasPool ? pool : List.of(), seen);
                });
    }

    @Property
    void planWithoutStepsImpliesHomeIsReached(
            @ForAll("anyPartlyUnknownLayout") SiteLayout currentLayout, @ForAll("site") String site) {
        if (HomePlanner.obstacle(currentLayout, site, true).isPresent()
                || HomePlanner.nextStep(currentLayout, site).isPresent()) {
            return;
        }
        assertThat(currentLayout.active())
                .hasValueSatisfying(one -> assertThat(one.site()).isEqualTo(site));
        assertThat(currentLayout.membersMatching(PoolMember::isVoter))
                .isNotEmpty()
                .isEqualTo(currentLayout.membersMatching(one -> one.site().equals(site)));
    }

    /** Whatever there is: a move ends, keeps a voter at any time, and takes no vote elsewhere before the role is at the site. */
    @Property
    void moveTerminatesAndIsSafeAtEachStep(@ForAll("anyLayout") SiteLayout earlierLayout, @ForAll("site") String site) {
        if (HomePlanner.obstacle(earlierLayout, site, true).isPresent()) {
            return;
        }
        List<HomeStep> steps = HomePlanner.remainingSteps(earlierLayout, site);
        SiteLayout currentLayout = earlierLayout;
        for (int taken = 0; taken < steps.size(); taken++) {
            assertThat(HomePlanner.remainingSteps(currentLayout, site))
                    .as("who goes on after a crash does the rest")
                    .isEqualTo(steps.subList(taken, steps.size()));
            if (steps.get(taken).kind() == HomeStep.Kind.LEARN) {
                assertThat(currentLayout.active())
                        .hasValueSatisfying(one -> assertThat(one.site()).isEqualTo(site));
                assertThat(currentLayout.membersMatching(one -> one.site().equals(site)))
                        .allMatch(PoolMember::isVoter);
            }
            currentLayout = currentLayout.afterStep(steps.get(taken));
            assertThat(currentLayout.membersMatching(PoolMember::isVoter)).isNotEmpty();
        }
        assertThat(currentLayout.membersMatching(PoolMember::isVoter))
                .isEqualTo(currentLayout.membersMatching(one -> one.site().equals(site)));
        assertThat(currentLayout.active())
                .hasValueSatisfying(one -> assertThat(one.site()).isEqualTo(site));
    }

    @Provide
    Arbitrary<String> site() {
        return Arbitraries.of(SITES);
    }
}
