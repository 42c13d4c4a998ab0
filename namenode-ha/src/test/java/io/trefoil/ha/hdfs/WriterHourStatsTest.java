/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.writer.events.NodeProgress;
import io.trefoil.journal.writer.events.WriterStage;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the page draws of the last hour. */
class WriterHourStatsTest {
    private Optional<WriterStatus> writer = Optional.empty();
    private final WriterHourStats hour = new WriterHourStats(() -> writer);

    @AfterEach
    void close() {
        hour.close();
    }

    @Test
    void pointsHaveCommitsAndLagOfSlowestNode() {
        sample(writer(7, "1000", 0, 0));
        sample(writer(7, "1250", 0, 40));
        sample(writer(7, "1250", 3, 0));

        assertThat(toJson())
                .isEqualTo("{\"hour\":{\"everySeconds\":10,\"commits\":[null,250,0],\"lagMillis\":[null,40,3]}}");
    }

    /** Else the first look after a takeover would draw all that others have written since. */
    @Test
    void statsHaveGapWhereAnotherNameNodeWrote() {
        sample(writer(7, "1000"));
        sample(writer(7, "1010"));
        sample(Optional.empty());
        sample(writer(9, "5000"));
        sample(writer(9, "5001"));

        assertThat(toJson()).contains("\"commits\":[null,10,null,null,1]");
    }

    @Test
    void reportsNothingWithoutWriter() {
        sample(Optional.empty());
        sample(writer(7, "1000"));

        assertThat(toJson()).isEqualTo("{}");
    }

    @Test
    void dropsOldestPointsAfterOneHour() {
        for (int i = 0; i <= 2 * WriterHourStats.POINTS; i++) {
            sample(writer(7, Integer.toString(i * i)));
        }

        ObjectNode document = new ObjectMapper().createObjectNode();
        hour.addTo(document);
        assertThat(document.at("/hour/commits")).hasSize(WriterHourStats.POINTS);
        assertThat(document.at("/hour/commits").path(WriterHourStats.POINTS - 1).asLong())
                .isEqualTo(4L * WriterHourStats.POINTS - 1);
    }

    private void sample(Optional<WriterStatus> status) {
        writer = status;
        hour.update();
    }

    private String toJson() {
        ObjectNode document = new ObjectMapper().createObjectNode();
        hour.addTo(document);
        return document.toString();
    }

    private static Optional<WriterStatus> writer(int epoch, String committedSn, int... lagMillis) {
        long sn = Long.parseLong(committedSn);
        NodeProgress progress = NodeProgress.of(NodeAddress.of("h1", 8487), true, true, true, sn, 0, 0, false, false);
        return Optional.of(WriterStatus.of(
                WriterStage.WRITING,
                Epoch.of(epoch),
                sn,
                sn,
                Optional.empty(),
                Duration.ZERO,
                WriterStatus.Queues.of(0, 0, 0),
                Arrays.stream(lagMillis)
                        .mapToObj(millis -> WriterStatus.NodeLag.of(progress, 0, 0, Duration.ofMillis(millis)))
                        .collect(Collectors.toList())));
    }
}
