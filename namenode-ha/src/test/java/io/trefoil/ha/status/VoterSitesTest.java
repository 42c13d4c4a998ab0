/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which sites a journal cannot lose. */
class VoterSitesTest {

    private static List<String> fatalSites(String... sites) {
        return VoterSites.of(List.of(sites)).indispensableSites();
    }

    @Test
    void singleOrUnknownSiteDoesNotWarn() {
        assertThat(fatalSites("west", "west", "west")).isEmpty();
        assertThat(fatalSites("", "", "")).isEmpty();
        assertThat(fatalSites()).isEmpty();
    }

    @Test
    void threeSitesMayLoseAnyWhenNoneHasMajority() {
        assertThat(fatalSites("east", "west", "south")).isEmpty();
        assertThat(fatalSites("east", "east", "west", "west", "south")).isEmpty();
        assertThat(fatalSites("east", "east", "east", "west", "south")).containsExactly("east");
        assertThat(fatalSites("east", "east", "west", "south")).containsExactly("east");
    }

    @Test
    void lossOfMajoritySiteIsFatalWithTwoSites() {
        assertThat(fatalSites("east", "west", "west")).containsExactly("west");
        assertThat(fatalSites("east", "east", "west", "west")).containsExactly("east", "west");
        assertThat(VoterSites.of(List.of("east", "east", "west", "west")).warning())
                .isEqualTo(
                        "the voters are in 2 sites (east 2, west 2), and the loss of any of east, west stops the journal");
    }

    @Test
    void unknownSiteOfVoterSuppressesWarning() {
        assertThat(fatalSites("east", "west", "")).isEmpty();
    }
}
