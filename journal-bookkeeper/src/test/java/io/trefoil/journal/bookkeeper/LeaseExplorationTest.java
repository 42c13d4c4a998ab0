/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.explore.Exploration;
import io.trefoil.foundation.explore.Explorer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Visits all that can happen between an old writer and the next one. */
class LeaseExplorationTest {
    private static final long MAX_STATES = 20_000_000;
    /** As in docs/design/bookkeeper.md. */
    private static final long STATES = 2_755_440;

    private static Exploration explore(LeaseWorld.Bug bug) {
        return new Explorer(new LeaseWorld(bug), MAX_STATES, progress -> {}).explore();
    }

    @Test
    void noOrderLetsBothWritersAnswer() {
        Exploration found = explore(LeaseWorld.Bug.NONE);

        assertThat(found.violation()).as("%s", found).isEmpty();
        assertThat(found.closed()).as("%s", found).isTrue();
        assertThat(found.states()).isEqualTo(STATES);
    }

    @ParameterizedTest
    @EnumSource(value = LeaseWorld.Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsPlantedBug(LeaseWorld.Bug bug) {
        assertThat(explore(bug).violation()).contains(LeaseWorld.RULE);
    }
}
