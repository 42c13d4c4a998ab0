/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class ArchiverChoiceTest {

    private static final int GROUPS = 500;

    @Test
    void exactlyOneMemberArchivesWhenAllCommunicate() {
        for (int seed = 0; seed < GROUPS; seed++) {
            new Group(seed).run(ArchiverSelection::isChosen);
        }
    }

    @Test
    void findsChoiceThatForgetsNames() {
        // A planted bug: of two that archive both go on.
        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < GROUPS; seed++) {
                        new Group(seed)
                                .run((own, others) -> (own.archiving() && !own.active() && !own.failing())
                                        || ArchiverSelection.isChosen(own, others));
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("those that archive");
    }

    /** Members that hear some of one another for a while, and then all. */
    private static final class Group {
        final Random random;
        final String seed;
        final List<ArchivingMember> members = new ArrayList<>();

        Group(int seed) {
            this.seed = "seed " + seed;
            random = new Random(seed);
            int count = 1 + random.nextInt(5);
            for (int i = 1; i <= count; i++) {
                members.add(ArchivingMember.builder("nn" + i).build());
            }
        }

        void run(BiPredicate<ArchivingMember, Collection<ArchivingMember>> rule) {
            for (int i = 0; i < 30; i++) {
                int at = random.nextInt(members.size());
                ArchivingMember own = members.get(at);
                ArchivingMember changed =
                        withState(own, own.archiving(), random.nextInt(4) == 0, random.nextInt(4) == 0);
                List<ArchivingMember> heard = observedOthers(at);
                heard.removeIf(other -> random.nextInt(3) == 0);
                members.set(at, withState(changed, rule.test(changed, heard), changed.active(), changed.failing()));
            }
            // They ask one after the other, in some order.
            for (int round = 0; round < 2; round++) {
                for (int at = 0; at < members.size(); at++) {
                    ArchivingMember own = members.get(at);
                    members.set(at, withState(own, rule.test(own, observedOthers(at)), own.active(), own.failing()));
                }
            }
            List<ArchivingMember> archiving =
                    members.stream().filter(ArchivingMember::archiving).toList();
            assertThat(archiving).as(seed + ", those that archive").hasSize(1);
            boolean isOneBetter = members.stream()
                    .anyMatch(other -> !other.failing()
                            && (archiving.get(0).failing() || (archiving.get(0).active() && !other.active())));
            assertThat(isOneBetter).as(seed + ", a better one of " + members).isFalse();
        }

        private static ArchivingMember withState(
                ArchivingMember member, boolean archiving, boolean active, boolean failing) {
            return ArchivingMember.builder(member.name())
                    .archiving(archiving)
                    .active(active)
                    .failing(failing)
                    .build();
        }

        private List<ArchivingMember> observedOthers(int at) {
            List<ArchivingMember> others = new ArrayList<>(members);
            others.remove(at);
            return others;
        }
    }

    @Test
    void archiverKeepsRoleWhenMemberWithEarlierNameReturns() {
        ArchivingMember own = ArchivingMember.builder("nn2").archiving(true).build();

        assertThat(ArchiverSelection.isChosen(
                        own, List.of(ArchivingMember.builder("nn1").build())))
                .isTrue();
    }

    @Test
    void activeArchivesWhenOthersFail() {
        ArchivingMember own = ArchivingMember.builder("nn1").active(true).build();

        assertThat(ArchiverSelection.isChosen(
                        own,
                        List.of(ArchivingMember.builder("nn2").failing(true).build())))
                .isTrue();
        assertThat(ArchiverSelection.isChosen(
                        own, List.of(ArchivingMember.builder("nn2").build())))
                .isFalse();
    }
}
