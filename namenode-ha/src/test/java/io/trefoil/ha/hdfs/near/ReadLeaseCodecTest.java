/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadLeaseCodecTest {
    private static final NodeId NODE = NodeId.of("far");

    @Test
    void encodingMatchesEveryRelease() throws IOException {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease(
                "wire/read-lease-question", ReadLeaseCodec.encodeQuestion(NODE).toByteArray());
        golden.assertMatchesNewestRelease(
                "wire/read-lease-granted",
                ReadLeaseCodec.encodeAnswer(Optional.of(Epoch.of(7))).toByteArray());
        golden.assertMatchesNewestRelease(
                "wire/read-lease-refused",
                ReadLeaseCodec.encodeAnswer(Optional.empty()).toByteArray());

        for (byte[] question :
                golden.readAllReleases("wire/read-lease-question").values()) {
            assertThat(ReadLeaseCodec.isQuestion(Bytes.wrap(question))).isTrue();
            assertThat(ReadLeaseCodec.decodeNode(Bytes.wrap(question))).isEqualTo(NODE);
        }
        for (byte[] granted : golden.readAllReleases("wire/read-lease-granted").values()) {
            assertThat(ReadLeaseCodec.readEpoch(Bytes.wrap(granted))).contains(Epoch.of(7));
        }
        for (byte[] refused : golden.readAllReleases("wire/read-lease-refused").values()) {
            assertThat(ReadLeaseCodec.readEpoch(Bytes.wrap(refused))).isEmpty();
        }
    }

    @Test
    void laterFormatIsNotQueryAndGrantsNothing() {
        byte[] question = ReadLeaseCodec.encodeQuestion(NODE).toByteArray();
        question[0] = 5;
        byte[] answer = ReadLeaseCodec.encodeAnswer(Optional.of(Epoch.of(7))).toByteArray();
        answer[0] = 5;

        assertThat(ReadLeaseCodec.isQuestion(Bytes.wrap(question))).isFalse();
        assertThat(ReadLeaseCodec.readEpoch(Bytes.wrap(answer))).isEmpty();
    }
}
