/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.Failover;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A failover as the history stores it: its time by the wall clock, and the time after that at which each step was done.
 * Immutable.
 */
@AutoValue
public abstract class HistoryRecord {

    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * @param nowMillis a moment by the wall clock
     * @param nowNanos the same moment by the clock of the failover
     * @param lateNanos how much later the new active became visible to all
     */
    static HistoryRecord of(Failover failover, long nowMillis, long nowNanos, long lateNanos) {
        long begun = failover.detectedNanos();
        return new AutoValue_HistoryRecord(
                failover.ballot().number(),
                failover.from().orElse(""),
                failover.to(),
                failover.cause(),
                failover.epoch().number(),
                nowMillis - (nowNanos - begun) / NANOS_PER_MILLI,
                (failover.lockedNanos() - begun) / NANOS_PER_MILLI,
                (failover.promisedNanos() - begun) / NANOS_PER_MILLI,
                (failover.activatedNanos() - begun) / NANOS_PER_MILLI,
                (nowNanos + lateNanos - begun) / NANOS_PER_MILLI);
    }

    /** The records as a JSON array, in the order given. */
    static String toJson(Collection<HistoryRecord> records) {
        ArrayNode array = RecordFormat.array();
        records.forEach(record -> array.add(record.toJson()));
        return array.toString();
    }

    /**
     * Reads the result of {@code Coordination.historyJson}.
     *
     * @throws IOException if the text is not a history
     */
    public static List<HistoryRecord> parseList(String json) throws IOException {
        List<HistoryRecord> records = new ArrayList<>();
        for (JsonNode node : RecordFormat.parse(json.getBytes(StandardCharsets.UTF_8))) {
            records.add(fromJson(node));
        }
        return records;
    }

    static HistoryRecord fromBytes(byte[] bytes) throws IOException {
        return fromJson(RecordFormat.parse(bytes));
    }

    private static HistoryRecord fromJson(JsonNode node) {
        return new AutoValue_HistoryRecord(
                node.path("ballot").asLong(),
                node.path("from").asText(),
                node.path("to").asText(),
                node.path("cause").asText(),
                node.path("epoch").asLong(),
                node.path("detectedAt").asLong(),
                node.path("lockedAfterMs").asLong(),
                node.path("promisedAfterMs").asLong(),
                node.path("activatedAfterMs").asLong(),
                node.path("announcedAfterMs").asLong());
    }

    final byte[] toBytes() {
        return RecordFormat.toBytes(toJson());
    }

    final ObjectNode toJson() {
        return RecordFormat.object()
                .put("ballot", ballot())
                .put("from", from())
                .put("to", to())
                .put("cause", cause())
                .put("epoch", epoch())
                .put("detectedAt", detectedAtMillis())
                .put("lockedAfterMs", lockedMillis())
                .put("promisedAfterMs", promisedMillis())
                .put("activatedAfterMs", activatedMillis())
                .put("announcedAfterMs", announcedMillis());
    }

    public abstract long ballot();

    /** The previous holder of the lock; empty if there was none. */
    public abstract String from();

    public abstract String to();

    public abstract String cause();

    public abstract long epoch();

    /** The time of the detection, by the wall clock of the new active. */
    public abstract long detectedAtMillis();

    public abstract long lockedMillis();

    public abstract long promisedMillis();

    public abstract long activatedMillis();

    public abstract long announcedMillis();
}
