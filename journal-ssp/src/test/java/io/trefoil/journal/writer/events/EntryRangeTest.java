/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A range goes forwards from where a log may begin. */
class EntryRangeTest {

    @Test
    void allowsEmptyRangeAndRangeFromLogStart() {
        assertThat(EntryRange.of(0, 0).isEmpty()).isTrue();
        assertThat(EntryRange.of(0, 1).isEmpty()).isFalse();
    }

    @Test
    void rejectsRangeBeforeLogStartAndReversedRange() {
        assertThatThrownBy(() -> EntryRange.of(-1, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EntryRange.of(3, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}
