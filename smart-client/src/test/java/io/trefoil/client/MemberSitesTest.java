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
        sites.recordAnswer(name, MemberAnswer.observer().withSite(site));
        balancer.include(name, sites.distanceOf(name));
    }

    private Optional<String> nextReader(Optional<String> active) {
        return balancer.begin(sites.farthest(active)).map(read -> {
            read.recordAnswer();
            return read.member();
        });
    }

    @Test
    void membersOfSameSiteAreNear() {
        observer("here", "west");
        observer("there", "east");
        observer("somewhere", "");

        assertThat(sites.distanceOf("here")).isEqualTo(NEAR);
        assertThat(sites.distanceOf("there")).isEqualTo(FAR);
        assertThat(sites.distanceOf("somewhere")).isEqualTo(FAR);
        assertThat(sites.distanceOf("never heard")).isEqualTo(FAR);
    }

    @Test
    void allMembersAreNearForClientWithoutSite() {
        MemberSites<String> nowhere = new MemberSites<>("");
        nowhere.recordAnswer("there", MemberAnswer.observer().withSite("east"));

        assertThat(nowhere.distanceOf("there")).isEqualTo(NEAR);
        assertThat(nowhere.farthest(Optional.of("there"))).isEqualTo(NEAR);
    }

    @Test
    void unresponsiveMemberKeepsSite() {
        observer("here", "west");
        sites.recordAnswer("here", MemberAnswer.none("timeout"));
        sites.recordAnswer("here", MemberAnswer.busy("too busy"));
        assertThat(sites.distanceOf("here")).isEqualTo(NEAR);

        sites.recordAnswer("here", MemberAnswer.active().withSite("east"));
        assertThat(sites.distanceOf("here")).isEqualTo(FAR);
        sites.recordAnswer("here", MemberAnswer.active().withSite("west"));
        sites.forget("here");
        assertThat(sites.distanceOf("here")).isEqualTo(FAR);
    }

    @Test
    void farObserverIsNotTriedWhileNearObserverIsReady() {
        observer("here", "west");
        observer("there", "east");

        for (int i = 0; i < 200; i++) {
            assertThat(nextReader(Optional.empty())).contains("here");
        }
    }

    @Test
    void prefersNearActiveToFarObserverWhenNearObserverFails() {
        observer("here", "west");
        observer("there", "east");
        sites.recordAnswer("near active", MemberAnswer.active().withSite("west"));
        sites.recordAnswer("far active", MemberAnswer.active().withSite("south"));

        balancer.begin(FAR).get().recordFailure();

        assertThat(nextReader(Optional.of("far active"))).contains("there");
        assertThat(nextReader(Optional.empty())).contains("there");
        assertThat(nextReader(Optional.of("near active"))).isEmpty();
    }

    @Test
    void movedMemberCountsAtNewSite() {
        observer("a", "east");
        observer("b", "west");
        observer("a", "west");
        observer("b", "east");

        for (int i = 0; i < 50; i++) {
            assertThat(nextReader(Optional.empty())).contains("a");
        }
    }
}
