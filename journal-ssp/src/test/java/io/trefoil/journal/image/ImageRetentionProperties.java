/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.ImageId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ImageRetentionProperties {

    @Property
    void keepsNewestImagesAndImageOfEveryBarrier(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int count) {
        Random random = new Random(seed);
        SortedSet<ImageId> held = new TreeSet<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            held.add(image(random.nextInt(30), random.nextInt(2)));
        }
        List<Barrier> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            long txId = random.nextInt(30);
            list.add(Barrier.of("b" + i, txId, 1 + random.nextInt((int) txId + 1), ""));
        }
        Set<ImageId> fetched = new TreeSet<>();
        held.stream().filter(image -> random.nextInt(5) == 0).forEach(fetched::add);

        SortedSet<ImageId> kept = new TreeSet<>(held);
        kept.removeAll(new ImageRetention(count).findUnneeded(held, Barriers.of(list), fetched));

        assertThat(kept)
                .hasSizeGreaterThanOrEqualTo(Math.min(count, held.size()))
                .containsAll(fetched);
        if (!held.isEmpty()) {
            assertThat(kept).contains(held.last());
        }
        for (Barrier barrier : list) {
            held.stream()
                    .filter(image -> image.txId() <= barrier.txId() && image.txId() + 1 >= barrier.keepFrom())
                    .max(ImageId::compareTo)
                    .ifPresent(image -> assertThat(kept).contains(image));
        }
        assertThat(kept.size()).as("nothing grows for ever").isLessThanOrEqualTo(count + list.size() + fetched.size());
    }

    @Example
    void dropsImagesThatBarrierTransactionsCannotContinue() {
        Barriers barriers = Barriers.of(List.of(Barrier.of("nightly", 20, 11, "")));
        Set<ImageId> held = Set.of(image(9, 0), image(10, 0), image(15, 0), image(21, 0), image(30, 0));

        assertThat(new ImageRetention(1).findUnneeded(held, barriers, Set.of()))
                .containsExactly(image(9, 0), image(10, 0), image(21, 0));
    }

    private static ImageId image(long txId, int other) {
        return ImageId.of(txId, 100, "0123456789abcdef0123456789abcde" + other);
    }
}
