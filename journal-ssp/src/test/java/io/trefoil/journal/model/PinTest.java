/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PinTest {

    private static final Instant EXPIRY = Instant.parse("2026-11-21T20:00:00Z");

    @Test
    void pinRoundTripsThroughItsBarrier() {
        Pin operators = Pin.ofOperator(4711, 4001, Optional.empty());
        Pin juniors = Pin.ofNameNode("nn3", 4000, EXPIRY);

        assertThat(Pin.of(operators.barrier())).hasValue(operators);
        assertThat(Pin.of(Barrier.fromPayload(juniors.barrier().toPayload()))).hasValue(juniors);
        assertThat(operators.barrier().name()).isEqualTo("pin-4711");
        assertThat(operators.barrier().keepFrom()).isEqualTo(4001);
        assertThat(operators.isOwnedByOperator()).isTrue();
        assertThat(juniors.barrier().name()).isEqualTo("pin-nn3-4000");
        assertThat(juniors.barrier().keepFrom()).isEqualTo(4001);
        assertThat(juniors.isOwnedByOperator()).isFalse();
    }

    @Test
    void pinsOfAllReleasesAreRead() throws IOException {
        List<Pin> pins = List.of(
                Pin.ofOperator(4711, 4001, Optional.empty()),
                Pin.ofOperator(4711, 4001, Optional.of(EXPIRY)),
                Pin.ofNameNode("nn3", 4000, EXPIRY));
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease(
                "pins/barriers",
                pins.stream().map(pin -> pin.barrier().toPayload().utf8()).collect(Collectors.joining("\n")));

        for (String release : golden.readAllReleasesAsText("pins/barriers").values()) {
            assertThat(Arrays.stream(release.split("\n(?=pin-)"))
                            .map(text -> Pin.of(Barrier.fromPayload(Bytes.ofUtf8(text)))
                                    .orElseThrow()))
                    .containsExactlyElementsOf(pins);
        }
    }

    @Test
    void pinExpiresAtItsTimeOnlyWhenItHasOne() {
        assertThat(Pin.ofNameNode("nn3", 1, EXPIRY).isExpired(EXPIRY)).isFalse();
        assertThat(Pin.ofNameNode("nn3", 1, EXPIRY).isExpired(EXPIRY.plusSeconds(1)))
                .isTrue();
        assertThat(Pin.ofOperator(1, 1, Optional.empty()).isExpired(Instant.MAX))
                .isFalse();
    }

    @Test
    void rejectsBarriersThatOnlyResemblePins() {
        assertThat(Pin.of(Barrier.of("nightly.7f3a9c12", 1, 1, "owner=x\nuntil=never\n")))
                .isEmpty();
        assertThat(Pin.of(Barrier.of("pin-1.7f3a9c12", 1, 1, "owner=x\nuntil=never\n")))
                .isEmpty();
        assertThat(Pin.of(Barrier.of("pin-1", 1, 1, ""))).isEmpty();
        assertThat(Pin.of(Barrier.of("pin-1", 1, 1, "owner=x\nuntil=tomorrow\n")))
                .isEmpty();
        assertThat(Pin.isPinName("pin.12345678")).as("a checkpoint called pin").isFalse();
    }
}
