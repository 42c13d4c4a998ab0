/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static io.trefoil.client.MemberSites.Distance.FAR;
import static io.trefoil.client.MemberSites.Distance.NEAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is near, and who gets a read then. */
class MemberSitesTest {
    private final MemberSites<String> sites = new MemberSites<>("west");
    private final ReadBalancer<String> balancer = new ReadBalancer<>();

    private void observer(String name, String site) {
        sites.recordAnswer(name, MemberAnswer.observer().at(site));
        balancer.include(name, sites.of(name));
    }

    private Optional<String> next(Optional<String> active) {
        return balancer.begin(sites.farthest(active)).map(read -> {
            read.answered();
            return read.member();
        });
    }

    @Test
    void membersOfSameSiteAreNear() {
        observer("here", "west");
        observer("there", "east");
        observer("somewhere", "");

        assertThat(sites.of("here")).isEqualTo(NEAR);
        assertThat(sites.of("there")).isEqualTo(FAR);
        assertThat(sites.of("somewhere")).isEqualTo(FAR);
        assertThat(sites.of("never heard")).isEqualTo(FAR);
    }

    @Test
    void allMembersAreNearForClientWithoutSite() {
        MemberSites<String> nowhere = new MemberSites<>("");
        nowhere.recordAnswer("there", MemberAnswer.observer().at("east"));

        assertThat(nowhere.of("there")).isEqualTo(NEAR);
        assertThat(nowhere.farthest(Optional.of("there"))).isEqualTo(NEAR);
    }

    @Test
    void unresponsiveMemberKeepsSite() {
        observer("here", "west");
        sites.recordAnswer("here", MemberAnswer.none("timeout"));
        sites.recordAnswer("here", MemberAnswer.busy("too busy"));
        assertThat(sites.of("here")).isEqualTo(NEAR);

        sites.recordAnswer("here", MemberAnswer.active().at("east"));
        assertThat(sites.of("here")).isEqualTo(FAR);
        sites.recordAnswer("here", MemberAnswer.active().at("west"));
        sites.forget("here");
        assertThat(sites.of("here")).isEqualTo(FAR);
    }

    @Test
    void farObserverIsNotTriedWhileNearObserverIsReady() {
        observer("here", "west");
        observer("there", "east");

        for (int i = 0; i < 200; i++) {
            assertThat(next(Optional.empty())).contains("here");
        }
    }

    @Test
    void prefersNearActiveToFarObserverWhenNearObserverFails() {
        observer("here", "west");
        observer("there", "east");
        sites.recordAnswer("near active", MemberAnswer.active().at("west"));
        sites.recordAnswer("far active", MemberAnswer.active().at("south"));

        balancer.begin(FAR).get().failed();

        assertThat(next(Optional.of("far active"))).contains("there");
        assertThat(next(Optional.empty())).contains("there");
        assertThat(next(Optional.of("near active"))).isEmpty();
    }

    @Test
    void movedMemberCountsAtNewSite() {
        observer("a", "east");
        observer("b", "west");
        observer("a", "west");
        observer("b", "east");

        for (int i = 0; i < 50; i++) {
            assertThat(next(Optional.empty())).contains("a");
        }
    }
}
