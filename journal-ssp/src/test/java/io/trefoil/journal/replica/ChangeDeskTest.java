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
    void aWriterIsThereForFiveSecondsAfterItCame() {
        ChangeDesk desk = ChangeDesk.EMPTY.collected(List.of(), 3 * SECOND);

        assertThat(desk.progress("t", 8 * SECOND - 1).stage()).isEqualTo(Stage.UNDER_WAY);
        assertThat(desk.progress("t", 8 * SECOND).stage()).isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void aChangeIsWantedForTenSecondsAfterItWasAskedFor() {
        ChangeDesk desk = ChangeDesk.EMPTY.with(CHANGE, 3 * SECOND);

        assertThat(desk.wanted(13 * SECOND - 1)).containsExactly(CHANGE);
        assertThat(desk.wanted(13 * SECOND)).isEmpty();
    }

    @Test
    void whatIsAskedForAgainIsOneChangeAndTheNewest() {
        MemberChange other = MemberChange.add("u", NodeAddress.of("h", 2));

        ChangeDesk desk = ChangeDesk.EMPTY.with(CHANGE, 0).with(other, 0).with(CHANGE, SECOND);

        assertThat(desk.wanted(SECOND)).containsExactly(other, CHANGE);
    }

    /** What is not asked for any more must not push out what is. */
    @Test
    void whatNobodyAsksForAnyMoreTakesNoPlace() {
        ChangeDesk desk = ChangeDesk.EMPTY;
        for (int i = 0; i < 100; i++) {
            desk = desk.with(MemberChange.add("t" + i, NodeAddress.of("h", 1)), i < 50 ? 5 * SECOND : 6 * SECOND);
        }

        ChangeDesk later = desk.with(CHANGE, 15 * SECOND);

        assertThat(later.wanted(6 * SECOND)).hasSize(51).contains(CHANGE);
        assertThat(desk.with(CHANGE, 15 * SECOND - 1).wanted(6 * SECOND)).hasSize(100);
    }

    @Test
    void whatWritersSaidIsKeptForAMinute() {
        ChangeProgress done = ChangeProgress.of("t", Stage.DONE, "fine");
        ChangeDesk desk = ChangeDesk.EMPTY.collected(List.of(done), 3 * SECOND);

        assertThat(desk.collected(List.of(), 63 * SECOND - 1).progress("t", 63 * SECOND))
                .isEqualTo(done);
        assertThat(desk.collected(List.of(), 63 * SECOND)
                        .progress("t", 63 * SECOND)
                        .stage())
                .isEqualTo(Stage.UNDER_WAY);
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
