/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which sites a journal cannot lose. */
class VoterSitesTest {

    private static List<String> fatal(String... sites) {
        return VoterSites.of(List.of(sites)).fatal();
    }

    @Test
    void singleOrUnknownSiteGivesNoWarning() {
        assertThat(fatal("west", "west", "west")).isEmpty();
        assertThat(fatal("", "", "")).isEmpty();
        assertThat(fatal()).isEmpty();
    }

    @Test
    void threeSitesMayLoseAnyIfNoneHasTooMany() {
        assertThat(fatal("east", "west", "south")).isEmpty();
        assertThat(fatal("east", "east", "west", "west", "south")).isEmpty();
        assertThat(fatal("east", "east", "east", "west", "south")).containsExactly("east");
        assertThat(fatal("east", "east", "west", "south")).containsExactly("east");
    }

    @Test
    void lossOfMajoritySiteIsFatalWithTwoSites() {
        assertThat(fatal("east", "west", "west")).containsExactly("west");
        assertThat(fatal("east", "east", "west", "west")).containsExactly("east", "west");
        assertThat(VoterSites.of(List.of("east", "east", "west", "west")).warning())
                .isEqualTo(
                        "the voters are in 2 sites (east 2, west 2), and the loss of any of east, west stops the journal");
    }

    @Test
    void unknownSiteOfVoterSuppressesWarning() {
        assertThat(fatal("east", "west", "")).isEmpty();
    }
}
