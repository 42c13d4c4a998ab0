/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.FetchRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppendTermsTest {
    private static final Epoch EPOCH = Epoch.of(7);
    private static final Incarnation INCARNATION = Incarnation.ofFormat(3, 11);
    private static final AppendTerms TERMS =
            AppendTerms.of(INCARNATION, EPOCH, WriterId.of("nn1"), 1_000, LogPosition.of(EPOCH, 9), 12);

    /** Rule R11: what another journal holds by the same numbers is something else. */
    @Test
    void sendsEntriesWithWritersIncarnation() {
        assertThat(TERMS.fetch(4, 100)).isEqualTo(FetchRequest.of(4, 100, EPOCH).withIncarnation(INCARNATION));
    }

    @Test
    void appendCarriesCommitAndLogEnd() {
        AppendRequest request = TERMS.request(LogPosition.of(EPOCH, 10), List.of());

        assertThat(request.committedPosition()).isEqualTo(LogPosition.of(EPOCH, 9));
        assertThat(request.lastSn()).isEqualTo(12);
    }
}
