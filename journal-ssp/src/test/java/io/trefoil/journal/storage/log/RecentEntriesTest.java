/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import static io.trefoil.journal.storage.device.JournalStorageContract.entries;
import static io.trefoil.journal.storage.device.JournalStorageContract.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentEntriesTest {

    private static final int ANY_SIZE = Integer.MAX_VALUE;
    private static final int ENTRY_COST = 200 + entry(1, 1).payload().size();

    @Test
    void keepsNewestEntriesWithinCapacity() {
        RecentEntries recent = new RecentMemory(Long.MAX_VALUE).openEntries(10L * ENTRY_COST);
        entries(1, 1, 100).forEach(recent::add);

        assertThat(recent.read(91, 100, ANY_SIZE)).isEqualTo(entries(1, 91, 10));
        assertThat(recent.read(95, 97, ANY_SIZE)).isEqualTo(entries(1, 95, 3));
        assertThat(recent.read(90, 100, ANY_SIZE)).isEmpty();
        assertThat(recent.read(101, 100, ANY_SIZE)).isEmpty();
    }

    @Test
    void limitsNumberOfSmallEntries() {
        RecentEntries recent = new RecentMemory(Long.MAX_VALUE).openEntries(Long.MAX_VALUE);
        entries(1, 1, 70_000).forEach(recent::add);

        assertThat(recent.read(70_000 - 65_535, 70_000, ANY_SIZE)).hasSize(65_536);
        assertThat(recent.read(70_000 - 65_536, 70_000, ANY_SIZE)).isEmpty();
    }

    @Test
    void returnsRequestedSizeButAtLeastOneEntry() {
        RecentEntries recent = new RecentMemory(Long.MAX_VALUE).openEntries(1 << 20);
        entries(1, 1, 10).forEach(recent::add);
        int size = entry(1, 1).payload().size();

        assertThat(recent.read(3, 10, 0)).hasSize(1);
        assertThat(recent.read(3, 10, 2 * size - 1)).hasSize(1);
        assertThat(recent.read(3, 10, 2 * size)).hasSize(2);
    }

    @Test
    void forgetsTruncatedEntries() {
        RecentEntries recent = new RecentMemory(Long.MAX_VALUE).openEntries(1 << 20);
        entries(1, 1, 10).forEach(recent::add);
        recent.truncateAfter(6);
        entries(2, 7, 2).forEach(recent::add);

        assertThat(recent.read(6, 8, ANY_SIZE)).containsExactly(entry(1, 6), entry(2, 7), entry(2, 8));
        recent.truncateAfter(0);
        entries(3, 1000, 2).forEach(recent::add);
        assertThat(recent.read(1000, 1001, ANY_SIZE)).isEqualTo(entries(3, 1000, 2));
        assertThat(recent.read(8, 8, ANY_SIZE)).isEmpty();
    }

    @Test
    void skipsTooLargeEntries() {
        RecentEntries recent = new RecentMemory(Long.MAX_VALUE).openEntries(1000);
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
    void rejectsGaps() {
        RecentEntries recent = new RecentMemory(Long.MAX_VALUE).openEntries(1000);
        recent.add(entry(1, 1));

        assertThatIllegalArgumentException().isThrownBy(() -> recent.add(entry(1, 3)));
    }

    @Test
    void takesMemoryFromLongestIdleJournal() {
        RecentMemory memory = new RecentMemory(10L * ENTRY_COST);
        RecentEntries idle = memory.openEntries(Long.MAX_VALUE);
        RecentEntries used = memory.openEntries(Long.MAX_VALUE);
        entries(1, 1, 6).forEach(idle::add);
        entries(1, 1, 8).forEach(used::add);

        assertThat(used.read(1, 8, ANY_SIZE)).hasSize(8);
        assertThat(idle.read(1, 6, ANY_SIZE)).isEmpty();
        assertThat(idle.read(5, 6, ANY_SIZE)).isEqualTo(entries(1, 5, 2));
        assertThat(memory.usedBytes()).isEqualTo(10L * ENTRY_COST);

        idle.add(entry(1, 7));
        assertThat(idle.read(5, 7, ANY_SIZE)).hasSize(3);
        assertThat(used.read(2, 8, ANY_SIZE)).hasSize(7);
        assertThat(used.read(1, 8, ANY_SIZE)).isEmpty();
    }

    @Test
    void singleJournalStaysWithinSharedMemory() {
        RecentMemory memory = new RecentMemory(3L * ENTRY_COST);
        RecentEntries recent = memory.openEntries(Long.MAX_VALUE);
        entries(1, 1, 100).forEach(recent::add);

        assertThat(recent.read(98, 100, ANY_SIZE)).hasSize(3);
        assertThat(memory.usedBytes()).isEqualTo(3L * ENTRY_COST);
    }

    @Test
    void returnsMemoryOnTruncationEvictionAndClose() {
        RecentMemory memory = new RecentMemory(100L * ENTRY_COST);
        RecentEntries recent = memory.openEntries(Long.MAX_VALUE);
        RecentEntries other = memory.openEntries(Long.MAX_VALUE);
        entries(1, 1, 10).forEach(recent::add);
        recent.truncateAfter(6);
        assertThat(memory.usedBytes()).isEqualTo(6L * ENTRY_COST);
        assertThatIllegalArgumentException().isThrownBy(() -> recent.add(entry(1, 9)));
        assertThat(memory.usedBytes()).isEqualTo(6L * ENTRY_COST);
        other.add(entry(1, 1));

        recent.close();

        assertThat(memory.usedBytes()).isEqualTo(ENTRY_COST);
    }

    @Test
    void readersFindEntriesDuringAppendsAndEviction() throws InterruptedException {
        RecentMemory memory = new RecentMemory(3000L * ENTRY_COST);
        RecentEntries one = memory.openEntries(Long.MAX_VALUE);
        RecentEntries other = memory.openEntries(Long.MAX_VALUE);
        List<String> wrong = new CopyOnWriteArrayList<>();
        AtomicLong last = new AtomicLong();
        Thread reader = new Thread(() -> {
            while (last.get() < 20_000) {
                long from = Math.max(1, last.get() - 50);
                List<Entry> found = one.read(from, last.get(), ANY_SIZE);
                for (int i = 0; i < found.size(); i++) {
                    if (found.get(i).sn() != from + i) {
                        wrong.add(found.get(i) + " at " + (from + i));
                    }
                }
            }
        });
        Thread rival = new Thread(() -> {
            for (long sn = 1; last.get() < 20_000; sn++) {
                other.add(entry(1, sn));
            }
        });
        reader.start();
        rival.start();
        for (long sn = 1; sn <= 20_000; sn++) {
            one.add(entry(1, sn));
            last.set(sn);
        }
        reader.join();
        rival.join();

        assertThat(wrong).isEmpty();
        one.close();
        other.close();
        assertThat(memory.usedBytes()).isZero();
    }
}
