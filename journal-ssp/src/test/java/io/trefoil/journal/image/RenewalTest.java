/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.ImageId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RenewalTest {

    private static final ImageId IMAGE_100 = image(100);
    private static final ImageId IMAGE_200 = image(200);

    @Test
    void imageIsSufficientWhenJournalContinuesIt() {
        assertThat(renewal(100, 101).isNeeded()).isFalse();
        assertThat(renewal(100, 50).isNeeded()).isFalse();
        assertThat(renewal(100, 102).isNeeded()).isTrue();
        assertThat(RenewalDecision.of(Optional.of(0L), Optional.empty(), Barriers.NONE)
                        .isNeeded())
                .isFalse();
        assertThat(RenewalDecision.of(Optional.empty(), Optional.empty(), Barriers.NONE)
                        .isNeeded())
                .isTrue();
    }

    @Test
    void choosesNewestImageThatJournalContinues() {
        assertThat(renewal(10, 102).chooseImage(List.of(IMAGE_200, IMAGE_100))).hasValue(IMAGE_200);
        assertThat(renewal(10, 201).chooseImage(List.of(IMAGE_100, IMAGE_200))).hasValue(IMAGE_200);
        assertThat(renewal(10, 202).chooseImage(List.of(IMAGE_100, IMAGE_200))).isEmpty();
        assertThat(RenewalDecision.of(Optional.empty(), Optional.empty(), Barriers.NONE)
                        .chooseImage(List.of(IMAGE_100)))
                .hasValue(IMAGE_100);
    }

    @Test
    void rejectsImagesOfPossiblyVoidTransactions() {
        Barrier restored = Barrier.of("nightly", 150, 100, "").afterRestore(200, "");
        RenewalDecision renewal =
                RenewalDecision.of(Optional.empty(), Optional.of(101L), Barriers.of(List.of(restored)));
        assertThat(renewal.chooseImage(List.of(IMAGE_200, IMAGE_100))).hasValue(IMAGE_100);
        assertThat(renewal.chooseImage(List.of(IMAGE_200))).isEmpty();
        assertThat(renewal.describeSkipped(List.of(IMAGE_200))).hasValueSatisfying(reason -> assertThat(reason)
                .contains("151 to 200 became void in the restore to nightly"));
        assertThat(renewal.describeSkipped(List.of(IMAGE_100))).isEmpty();
        assertThat(renewal.chooseImage(List.of(image(201)))).hasValue(image(201));
    }

    private static RenewalDecision renewal(long ownImage, long oldestKept) {
        return RenewalDecision.of(Optional.of(ownImage), Optional.of(oldestKept), Barriers.NONE);
    }

    private static ImageId image(long txId) {
        return ImageId.of(txId, 10, "00112233445566778899aabbccddeeff");
    }
}
