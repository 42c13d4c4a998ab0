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
class ChangeInboxTest {

    private static final long SECOND = 1_000_000_000L;
    private static final MemberChange CHANGE = MemberChange.add("t", NodeAddress.of("h", 1));

    @Test
    void reportsMissingWriter() {
        ChangeInbox inbox = ChangeInbox.EMPTY.with(CHANGE, 0);

        assertThat(inbox.progress("t", SECOND).stage()).isEqualTo(Stage.NO_WRITER);
        assertThat(inbox.withCollected(List.of(), SECOND)
                        .progress("t", 2 * SECOND)
                        .stage())
                .isEqualTo(Stage.UNDER_WAY);
        assertThat(inbox.withCollected(List.of(), SECOND)
                        .progress("t", 7 * SECOND)
                        .stage())
                .isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void forwardsChangeWhileRequested() {
        ChangeInbox inbox = ChangeInbox.EMPTY.with(CHANGE, 0);

        assertThat(inbox.openChanges(9 * SECOND)).containsExactly(CHANGE);
        assertThat(inbox.openChanges(11 * SECOND)).isEmpty();
        assertThat(inbox.with(CHANGE, 9 * SECOND).openChanges(11 * SECOND)).containsExactly(CHANGE);
    }

    @Test
    void writerCountsAsPresentForFiveSeconds() {
        ChangeInbox inbox = ChangeInbox.EMPTY.withCollected(List.of(), 3 * SECOND);

        assertThat(inbox.progress("t", 8 * SECOND - 1).stage()).isEqualTo(Stage.UNDER_WAY);
        assertThat(inbox.progress("t", 8 * SECOND).stage()).isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void changeRequestExpiresAfterTenSeconds() {
        ChangeInbox inbox = ChangeInbox.EMPTY.with(CHANGE, 3 * SECOND);

        assertThat(inbox.openChanges(13 * SECOND - 1)).containsExactly(CHANGE);
        assertThat(inbox.openChanges(13 * SECOND)).isEmpty();
    }

    @Test
    void repeatedRequestReplacesEarlierOne() {
        MemberChange other = MemberChange.add("u", NodeAddress.of("h", 2));

        ChangeInbox inbox = ChangeInbox.EMPTY.with(CHANGE, 0).with(other, 0).with(CHANGE, SECOND);

        assertThat(inbox.openChanges(SECOND)).containsExactly(other, CHANGE);
    }

    /** What is not asked for any more must not push out what is. */
    @Test
    void dropsChangesNoLongerRequested() {
        ChangeInbox inbox = ChangeInbox.EMPTY;
        for (int i = 0; i < 100; i++) {
            inbox = inbox.with(MemberChange.add("t" + i, NodeAddress.of("h", 1)), i < 50 ? 5 * SECOND : 6 * SECOND);
        }

        ChangeInbox later = inbox.with(CHANGE, 15 * SECOND);

        assertThat(later.openChanges(6 * SECOND)).hasSize(51).contains(CHANGE);
        assertThat(inbox.with(CHANGE, 15 * SECOND - 1).openChanges(6 * SECOND)).hasSize(100);
    }

    @Test
    void keepsWriterProgressForOneMinute() {
        ChangeProgress done = ChangeProgress.of("t", Stage.DONE, "fine");
        ChangeInbox inbox = ChangeInbox.EMPTY.withCollected(List.of(done), 3 * SECOND);

        assertThat(inbox.withCollected(List.of(), 63 * SECOND - 1).progress("t", 63 * SECOND))
                .isEqualTo(done);
        assertThat(inbox.withCollected(List.of(), 63 * SECOND)
                        .progress("t", 63 * SECOND)
                        .stage())
                .isEqualTo(Stage.UNDER_WAY);
    }

    @Test
    void reportsWriterProgressAndKeepsFinalOneAfterwards() {
        ChangeProgress done = ChangeProgress.of("t", Stage.DONE, "fine");
        ChangeInbox inbox = ChangeInbox.EMPTY.with(CHANGE, 0).withCollected(List.of(done), SECOND);

        assertThat(inbox.progress("t", 20 * SECOND)).isEqualTo(done);
        assertThat(inbox.progress("other", 20 * SECOND).stage()).isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void dropsUnfinishedProgressOfFormerWriter() {
        ChangeProgress begun = ChangeProgress.of("t", Stage.UNDER_WAY, "soon");
        ChangeInbox inbox = ChangeInbox.EMPTY.with(CHANGE, 0).withCollected(List.of(begun), SECOND);

        assertThat(inbox.progress("t", 2 * SECOND)).isEqualTo(begun);
        assertThat(inbox.progress("t", 8 * SECOND).stage()).isEqualTo(Stage.NO_WRITER);
    }

    @Test
    void changeRequestsUseBoundedMemory() {
        ChangeInbox inbox = ChangeInbox.EMPTY;
        for (int i = 0; i < 1_000; i++) {
            inbox = inbox.with(MemberChange.add("t" + i, NodeAddress.of("h", 1)), 0);
        }

        assertThat(inbox.openChanges(0)).hasSize(100);
    }
}
