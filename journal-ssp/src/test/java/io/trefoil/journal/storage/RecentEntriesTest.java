/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import static io.trefoil.journal.storage.JournalStorageContract.entries;
import static io.trefoil.journal.storage.JournalStorageContract.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import org.junit.jupiter.api.Test;

class RecentEntriesTest {

    private static final int ANY_SIZE = Integer.MAX_VALUE;
    private static final int ENTRY_COST = 200 + entry(1, 1).payload().size();

    @Test
    void keepsTheNewestWithinItsRoom() {
        RecentEntries recent = new RecentEntries(10L * ENTRY_COST);
        entries(1, 1, 100).forEach(recent::add);

        assertThat(recent.read(91, 100, ANY_SIZE)).isEqualTo(entries(1, 91, 10));
        assertThat(recent.read(95, 97, ANY_SIZE)).isEqualTo(entries(1, 95, 3));
        assertThat(recent.read(90, 100, ANY_SIZE)).isEmpty();
        assertThat(recent.read(101, 100, ANY_SIZE)).isEmpty();
    }

    @Test
    void limitsTheNumberOfSmallOnes() {
        RecentEntries recent = new RecentEntries(Long.MAX_VALUE);
        entries(1, 1, 70_000).forEach(recent::add);

        assertThat(recent.read(70_000 - 65_535, 70_000, ANY_SIZE)).hasSize(65_536);
        assertThat(recent.read(70_000 - 65_536, 70_000, ANY_SIZE)).isEmpty();
    }

    @Test
    void givesNoMoreThanIsAskedForButAlwaysOne() {
        RecentEntries recent = new RecentEntries(1 << 20);
        entries(1, 1, 10).forEach(recent::add);
        int size = entry(1, 1).payload().size();

        assertThat(recent.read(3, 10, 0)).hasSize(1);
        assertThat(recent.read(3, 10, 2 * size - 1)).hasSize(1);
        assertThat(recent.read(3, 10, 2 * size)).hasSize(2);
    }

    @Test
    void forgetsWhatIsCut() {
        RecentEntries recent = new RecentEntries(1 << 20);
        entries(1, 1, 10).forEach(recent::add);
        recent.cutAbove(6);
        entries(2, 7, 2).forEach(recent::add);

        assertThat(recent.read(6, 8, ANY_SIZE)).containsExactly(entry(1, 6), entry(2, 7), entry(2, 8));
        recent.cutAbove(0);
        entries(3, 1000, 2).forEach(recent::add);
        assertThat(recent.read(1000, 1001, ANY_SIZE)).isEqualTo(entries(3, 1000, 2));
        assertThat(recent.read(8, 8, ANY_SIZE)).isEmpty();
    }

    @Test
    void passesByWhatIsTooLarge() {
        RecentEntries recent = new RecentEntries(1000);
        Entry large =
                Entry.of(entry(1, 2).position(), entry(1, 2).kind(), entry(1, 2).txIds(), Bytes.wrap(new byte[2000]));
        recent.add(entry(1, 1));
        recent.add(large);
        recent.add(entry(1, 3));

        assertThat(recent.read(1, 3, ANY_SIZE)).isEmpty();
        assertThat(recent.read(2, 3, ANY_SIZE)).isEmpty();
        assertThat(recent.read(3, 3, ANY_SIZE)).containsExactly(entry(1, 3));
    }

    @Test
    void refusesGaps() {
        RecentEntries recent = new RecentEntries(1000);
        recent.add(entry(1, 1));

        assertThatIllegalArgumentException().isThrownBy(() -> recent.add(entry(1, 3)));
    }
}
