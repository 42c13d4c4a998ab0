/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.model.Bytes;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ActiveClockCodecTest {
    private static final ClockReading READING = ClockReading.of(new UUID(0x0123456789abcdefL, 42), 1_000_000_007L);
    private static final Bytes CALL = Bytes.ofUtf8("a call");

    @Test
    void encodingMatchesEveryRelease() throws IOException {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease(
                "wire/clock-question", ActiveClockCodec.encodeQuestion().toByteArray());
        golden.assertMatchesNewestRelease(
                "wire/clock-answer", ActiveClockCodec.encodeReading(READING).toByteArray());
        golden.assertMatchesNewestRelease(
                "wire/dated-call",
                ActiveClockCodec.encodeTimestampedCall(READING, CALL).toByteArray());
        golden.assertMatchesNewestRelease(
                "wire/dated-refusal", ActiveClockCodec.encodeRefusal("too late").toByteArray());

        for (byte[] question : golden.readAllReleases("wire/clock-question").values()) {
            assertThat(ActiveClockCodec.isQuestion(Bytes.wrap(question))).isTrue();
        }
        for (byte[] answer : golden.readAllReleases("wire/clock-answer").values()) {
            assertThat(ActiveClockCodec.decodeReading(Bytes.wrap(answer))).contains(READING);
        }
        for (byte[] dated : golden.readAllReleases("wire/dated-call").values()) {
            assertThat(ActiveClockCodec.isTimestampedCall(Bytes.wrap(dated))).isTrue();
            assertThat(ActiveClockCodec.decodeSentTime(Bytes.wrap(dated))).isEqualTo(READING);
            assertThat(ActiveClockCodec.decodeCall(Bytes.wrap(dated))).isEqualTo(CALL);
        }
        for (byte[] refusal : golden.readAllReleases("wire/dated-refusal").values()) {
            assertThat(ActiveClockCodec.decodeRefusal(Bytes.wrap(refusal))).contains("too late");
        }
    }

    @Test
    void laterFormatIsNeitherReadingNorCall() {
        byte[] answer = ActiveClockCodec.encodeReading(READING).toByteArray();
        answer[0] = 5;
        byte[] dated = ActiveClockCodec.encodeTimestampedCall(READING, CALL).toByteArray();
        dated[0] = 5;

        assertThat(ActiveClockCodec.decodeReading(Bytes.wrap(answer))).isEmpty();
        assertThat(ActiveClockCodec.isTimestampedCall(Bytes.wrap(dated))).isFalse();
        assertThat(ActiveClockCodec.decodeRefusal(Bytes.wrap(dated))).isEmpty();
    }
}
