/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A queue of 64 edits takes 48 of clients' calls. */
class UncommittedCallLimitTest {
    private final UncommittedCallLimit room = new UncommittedCallLimit(64);

    @Test
    void rejectsCallsWhenEditsCouldFillQueue() {
        assertThat(room.tryEnter(() -> 46)).isTrue();
        assertThat(room.tryEnter(() -> 46)).isTrue();
        assertThat(room.isOpen(46)).isFalse();
        assertThat(room.tryEnter(() -> 46)).isFalse();
        assertThat(room.tryEnter(() -> 47)).isFalse();

        room.exit();
        assertThat(room.isOpen(46)).isTrue();
        assertThat(room.tryEnter(() -> 46))
                .as("a refused call has taken no place")
                .isTrue();
    }

    @Test
    void admitsCallsAgainWhenEditsAreCommitted() {
        assertThat(room.tryEnter(() -> 48)).isFalse();
        assertThat(room.tryEnter(() -> 0)).isTrue();
    }

    @Test
    void admitsCallWhenQueueIsTiny() {
        assertThat(new UncommittedCallLimit(1).tryEnter(() -> 0)).isTrue();
    }

    /** Another that makes its edit and leaves before would be counted by neither otherwise, if this thread stood still in between. */
    @Test
    void reservesCallBeforeCountingEdits() {
        assertThat(room.tryEnter(() -> {
                    assertThat(room.toString()).startsWith("1 calls");
                    return 0;
                }))
                .isTrue();
    }
}
