/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MoveRecordTest {
    private static final MoveRecord RECORD = MoveRecord.newMove(
                    "move-1", SubtreePath.parse("/a/b"), "ns1", "ns2", "alice", Instant.parse("2026-11-24T08:00:00Z"))
            .withRate(100)
            .withRouters(List.of("router1:8111", "router2:8111"))
            .withTargetBefore(Map.of("mode", "755"))
            .withSourceBefore(Map.of("mode", "750"))
            .withPauseMeasurements(Map.of(MoveRecord.MILLIS, "87"));

    @Test
    void recordFormatIsUnchanged() throws IOException {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("moves/record", lines(RECORD.encode()));

        for (String text : golden.readAllReleasesAsText("moves/record").values()) {
            Map<String, String> read = Arrays.stream(text.split("\n"))
                    .map(line -> line.split("=", 2))
                    .collect(Collectors.toMap(line -> line[0], line -> line[1]));
            assertThat(MoveRecord.decode(read)).isEqualTo(RECORD);
        }
    }

    /** One that a later release has begun is neither guessed at nor changed. */
    @Test
    void refusesPhaseOfLaterRelease() {
        SortedMap<String, String> lines = RECORD.encode();
        lines.put("phase", "VERIFYING");

        assertThatThrownBy(() -> MoveRecord.decode(lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no phase 'VERIFYING'")
                .hasMessageContaining("with the release that began it");
    }

    private static String lines(SortedMap<String, String> lines) {
        return lines.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
