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
        ReaderLagCheck lagCheck = ReaderLagCheck.NONE.withReadsWanted().withRoundTrip(toNanos(120));

        assertThat(checkWithLag(lagCheck, 130).isProven(nanosAt(130))).isTrue();
        assertThat(checkWithLag(lagCheck, 800).isProven(nanosAt(800))).isFalse();
    }

    @Test
    void shortestRoundTripCountsAsDistanceWhenAnswersAreDelayed() {
        ReaderLagCheck lagCheck = ReaderLagCheck.NONE
                .withReadsWanted()
                .withRoundTrip(toNanos(450))
                .withRoundTrip(toNanos(1))
                .withRoundTrip(toNanos(450));

        assertThat(checkWithLag(lagCheck, 450).isProven(nanosAt(450))).isFalse();
    }

    @Test
    void forgetsEarlierWaitsWhenNodeKeptPaceForLong() {
        ReaderLagCheck slowTwice = checkWithLag(
                checkWithLag(ReaderLagCheck.NONE.withReadsWanted(), 450).evaluate(nanosAt(450)), 1_000);
        assertThat(slowTwice.recentLagCount()).isEqualTo(1);

        ReaderLagCheck caughtUp = slowTwice.withMajoritySn(2, peer(2), nanosAt(1_000));
        ReaderLagCheck again =
                caughtUp.withMajoritySn(3, peer(2), nanosAt(200_000)).evaluate(nanosAt(200_300));

        assertThat(again.recentLagCount()).isEqualTo(1);
        assertThat(again.isProven(nanosAt(201_250))).isFalse();
        assertThat(again.isProven(nanosAt(201_350))).isTrue();
    }

    @Test
    void forgivesWaitWhenWriterPaused() {
        ReaderLagCheck lagCheck = ReaderLagCheck.NONE
                .withReadsWanted()
                .withMajoritySn(2, peer(1), nanosAt(0))
                .withoutWait();

        assertThat(lagCheck.evaluate(nanosAt(900)).isProven(nanosAt(900))).isTrue();
    }

    /** The pace of a node that lacks an entry for so long. */
    private static ReaderLagCheck checkWithLag(ReaderLagCheck lagCheck, long millis) {
        return lagCheck.withMajoritySn(2, peer(1), nanosAt(0)).withMajoritySn(2, peer(1), nanosAt(millis));
    }

    private static Peer peer(long matchedSn) {
        return Peer.unknown(NodeAddress.of("far", 1)).toBuilder()
                .matchedSn(matchedSn)
                .waitingSinceNanos(Optional.<Long>empty())
                .build();
    }

    private static long nanosAt(long millis) {
        return BEGUN_NANOS + toNanos(millis);
    }

    private static long toNanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
