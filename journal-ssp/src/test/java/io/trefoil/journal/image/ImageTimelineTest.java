/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImageTimelineTest {

    private static final ImageId IMAGE_100 = ImageId.of(100, 10, "00112233445566778899aabbccddeeff");

    private static List<SegmentInfo> segment(long first, long last, long sn) {
        return List.of(SegmentInfo.of(TxRange.of(first, last), true, -67, TxRange.of(first, last), sn));
    }

    @Test
    void entryPresentAtPublicationKeepsImageValid() {
        assertThat(ImageTimeline.of(IMAGE_100, 40, 40, segment(90, 100, 40))).isEqualTo(ImageTimeline.SAME);
        assertThat(ImageTimeline.of(IMAGE_100, 40, 70, segment(50, 120, 30))).isEqualTo(ImageTimeline.SAME);
    }

    @Test
    void laterOrMissingEntryVoidsImage() {
        assertThat(ImageTimeline.of(IMAGE_100, 40, 70, segment(90, 120, 41))).isEqualTo(ImageTimeline.VOID);
        assertThat(ImageTimeline.of(IMAGE_100, 40, 70, List.of())).isEqualTo(ImageTimeline.VOID);
    }

    @Test
    void earlierSegmentsDoNotValidateImage() {
        List<SegmentInfo> earlier = new ArrayList<>(segment(50, 99, 20));
        assertThat(ImageTimeline.of(IMAGE_100, 40, 70, earlier)).isEqualTo(ImageTimeline.VOID);
        earlier.addAll(segment(100, 130, 35));
        assertThat(ImageTimeline.of(IMAGE_100, 40, 70, earlier)).isEqualTo(ImageTimeline.SAME);
    }

    @Test
    void purgedTransactionsAreCommittedAndKeepImageValid() {
        assertThat(ImageTimeline.of(IMAGE_100, 40, 700, segment(500, 600, 650))).isEqualTo(ImageTimeline.SAME);
    }

    @Test
    void formatImageMatchesEveryJournal() {
        ImageId ofFormat = ImageId.of(0, 10, IMAGE_100.md5());

        assertThat(ImageTimeline.of(ofFormat, 2, 2, List.of())).isEqualTo(ImageTimeline.SAME);
    }

    @Test
    void laggingReplicaCannotJudgeImage() {
        assertThat(ImageTimeline.of(IMAGE_100, 40, 39, List.of())).isEqualTo(ImageTimeline.UNKNOWN);
    }
}
