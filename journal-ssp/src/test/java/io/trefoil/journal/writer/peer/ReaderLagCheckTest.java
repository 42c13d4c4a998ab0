/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.NodeAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReaderLagCheckTest {

    private static final long BEGUN_NANOS = 5_000_000_000L;

    /** At another site, everything takes a round trip. */
    @Test
    void nodeKeepsPaceWhenItsDistanceExplainsWait() {
        ReaderLagCheck pace = ReaderLagCheck.NONE.wanted().answeredAfter(millis(120));

        assertThat(behind(pace, 130).isProven(at(130))).isTrue();
        assertThat(behind(pace, 800).isProven(at(800))).isFalse();
    }

    @Test
    void shortestRoundTripCountsAsDistanceWhenAnswersAreLate() {
        ReaderLagCheck pace = ReaderLagCheck.NONE
                .wanted()
                .answeredAfter(millis(450))
                .answeredAfter(millis(1))
                .answeredAfter(millis(450));

        assertThat(behind(pace, 450).isProven(at(450))).isFalse();
    }

    @Test
    void forgetsEarlierWaitsWhenNodeKeptPaceForLong() {
        ReaderLagCheck slowTwice =
                behind(behind(ReaderLagCheck.NONE.wanted(), 450).evaluatedAt(at(450)), 1_000);
        assertThat(slowTwice.recent()).isEqualTo(1);

        ReaderLagCheck caughtUp = slowTwice.at(2, peer(2), at(1_000));
        ReaderLagCheck again = caughtUp.at(3, peer(2), at(200_000)).evaluatedAt(at(200_300));

        assertThat(again.recent()).isEqualTo(1);
        assertThat(again.isProven(at(201_250))).isFalse();
        assertThat(again.isProven(at(201_350))).isTrue();
    }

    @Test
    void forgivesWaitWhenWriterPaused() {
        ReaderLagCheck pace = ReaderLagCheck.NONE.wanted().at(2, peer(1), at(0)).withoutWait();

        assertThat(pace.evaluatedAt(at(900)).isProven(at(900))).isTrue();
    }

    /** The pace of a node that lacks an entry for so long. */
    private static ReaderLagCheck behind(ReaderLagCheck pace, long millis) {
        return pace.at(2, peer(1), at(0)).at(2, peer(1), at(millis));
    }

    private static Peer peer(long matchedSn) {
        return Peer.unknown(NodeAddress.of("far", 1)).toBuilder()
                .matchedSn(matchedSn)
                .waitingSinceNanos(Optional.<Long>empty())
                .build();
    }

    private static long at(long millis) {
        return BEGUN_NANOS + millis(millis);
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
