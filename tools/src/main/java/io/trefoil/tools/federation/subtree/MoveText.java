/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveProgress;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints a move as text and as JSON. */
final class MoveText {

    private MoveText() {}

    static String text(MoveRecord record, String state) {
        return record.path() + " from " + record.source() + " to " + record.target() + ", by " + record.startedBy()
                + " since " + record.startedAt() + ": " + state + "\n";
    }

    /** The rate to which the move is limited; empty if there is none. */
    static String rate(MoveRecord record) {
        return record.rate().isPresent()
                ? "; at most " + record.rate().getAsInt() + " files and directories a second"
                : "";
    }

    /** The Routers that should follow; empty if there are none. */
    static String routers(MoveRecord record) {
        return record.routers().isEmpty() ? "" : "; Routers that follow it: " + String.join(", ", record.routers());
    }

    /** The last known progress of a move, and its time; empty if none was ever reported. */
    static String text(Optional<MoveProgress> progress) {
        return progress.map(sample -> "As of " + sample.measuredAt() + ": " + sample.text() + "\n")
                .orElse("");
    }

    /** The pause seen by clients while the owner changed; empty if it was not measured. */
    static String pause(MoveRecord record) {
        return !isMeasured(record)
                ? ""
                : "; clients " + record.pauseMeasurements().get(MoveRecord.CLIENTS) + " for at most "
                        + record.pauseMeasurements().get(MoveRecord.MILLIS) + " ms";
    }

    /** The times that other clients waited for both nameservices; empty if not measured. */
    static String othersWaitText(MoveRecord record) {
        return record.longestWaitMillis().isEmpty()
                ? ""
                : "; others waited for at most "
                        + record.longestWaitMillis().entrySet().stream()
                                .map(sample -> sample.getValue() + " ms at " + sample.getKey())
                                .collect(Collectors.joining(", "));
    }

    private static boolean isMeasured(MoveRecord record) {
        return record.pauseMeasurements().containsKey(MoveRecord.MILLIS);
    }

    static Map<String, Object> json(MoveRecord record, String state, Optional<MoveProgress> progress) {
        Map<String, Object> object = json(record, state);
        progress.ifPresent(sample -> object.put("progress", json(sample)));
        return object;
    }

    private static Map<String, Object> json(MoveProgress progress) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("at", progress.measuredAt().toString());
        object.put("round", progress.round());
        object.put("step", progress.step().text());
        object.put("done", json(progress.done()));
        object.put("total", json(progress.total()));
        object.put("perSecond", progress.nodesPerSecond());
        object.put("seconds", progress.stepSeconds());
        object.put("secondsInAll", progress.totalSeconds());
        return object;
    }

    private static Map<String, Object> json(Amount amount) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("files", amount.files());
        object.put("folders", amount.directories());
        object.put("blocks", amount.blocks());
        return object;
    }

    static Map<String, Object> json(MoveRecord record, String state) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("id", record.id());
        object.put("path", record.path().text());
        object.put("from", record.source());
        object.put("to", record.target());
        object.put("by", record.startedBy());
        object.put("at", record.startedAt().toString());
        object.put("phase", record.phase().name().toLowerCase(Locale.ROOT));
        object.put("state", state);
        record.rate().ifPresent(rate -> object.put("rate", rate));
        if (!record.routers().isEmpty()) {
            object.put("routers", record.routers());
        }
        if (isMeasured(record)) {
            object.put("clients", record.pauseMeasurements().get(MoveRecord.CLIENTS));
            object.put("pauseMillis", Long.parseLong(record.pauseMeasurements().get(MoveRecord.MILLIS)));
        }
        if (!record.longestWaitMillis().isEmpty()) {
            object.put("othersMillis", record.longestWaitMillis());
        }
        return object;
    }
}
