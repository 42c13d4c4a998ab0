/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node says of changes of the members until a writer comes for them. */
class ChangeDeskTest {

    private static final long SECOND = 1_000_000_000L;
    private static final MemberChange CHANGE = MemberChange.add("t", NodeAddress.of("h", 1));

    @Test
    void saysThatThereIsNoWriterWhereNoneCame() {
        ChangeDesk desk = ChangeDesk.EMPTY.with(CHANGE, 0);

        assertThat(desk.progress("t", SECOND).stage()).isEqualTo(Stage.NO_WRITER);
        assertThat(desk.collected(List.of(), SECOND).progress("t", 2 * SECOND).stage())
                .isEqualTo(Stage.UNDER_WAY);
        assertThat(desk.collected(List.of(), SECOND).progress("t", 7 * SECOND).stage())
                .isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void passesAChangeOnAsLongAsItIsAskedFor() {
        ChangeDesk desk = ChangeDesk.EMPTY.with(CHANGE, 0);

        assertThat(desk.wanted(9 * SECOND)).containsExactly(CHANGE);
        assertThat(desk.wanted(11 * SECOND)).isEmpty();
        assertThat(desk.with(CHANGE, 9 * SECOND).wanted(11 * SECOND)).containsExactly(CHANGE);
    }

    @Test
    void saysWhatTheWriterSaidAndKeepsAnEndAfterItIsGone() {
        ChangeProgress done = ChangeProgress.of("t", Stage.DONE, "fine");
        ChangeDesk desk = ChangeDesk.EMPTY.with(CHANGE, 0).collected(List.of(done), SECOND);

        assertThat(desk.progress("t", 20 * SECOND)).isEqualTo(done);
        assertThat(desk.progress("other", 20 * SECOND).stage()).isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void whatAWriterThatIsGoneWasAboutToDoIsNotSaidAnyMore() {
        ChangeProgress begun = ChangeProgress.of("t", Stage.UNDER_WAY, "soon");
        ChangeDesk desk = ChangeDesk.EMPTY.with(CHANGE, 0).collected(List.of(begun), SECOND);

        assertThat(desk.progress("t", 2 * SECOND)).isEqualTo(begun);
        assertThat(desk.progress("t", 8 * SECOND).stage()).isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void aFloodOfChangesTakesNoMemory() {
        ChangeDesk desk = ChangeDesk.EMPTY;
        for (int i = 0; i < 1_000; i++) {
            desk = desk.with(MemberChange.add("t" + i, NodeAddress.of("h", 1)), 0);
        }

        assertThat(desk.wanted(0)).hasSize(100);
    }
}
