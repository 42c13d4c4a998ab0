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

/** A move as text and as JSON. */
final class MoveText {

    private MoveText() {}

    static String text(MoveRecord record, String state) {
        return record.path() + " from " + record.source() + " to " + record.target() + ", by " + record.by() + " since "
                + record.at() + ": " + state + "\n";
    }

    /** The rate that it keeps to; empty if there is none. */
    static String rate(MoveRecord record) {
        return record.rate().isPresent() ? "; at most " + record.rate().getAsInt() + " files and folders a second" : "";
    }

    /** The Routers that are to follow; empty if there are none. */
    static String routers(MoveRecord record) {
        return record.routers().isEmpty() ? "" : "; Routers that follow it: " + String.join(", ", record.routers());
    }

    /** The last known progress of a move, and its time; empty if it was never told. */
    static String text(Optional<MoveProgress> progress) {
        return progress.map(one -> "As of " + one.at() + ": " + one.text() + "\n")
                .orElse("");
    }

    /** The pause that clients saw while the owner changed; empty if it was not measured. */
    static String pause(MoveRecord record) {
        return !isMeasured(record)
                ? ""
                : "; clients " + record.pause().get(MoveRecord.CLIENTS) + " for at most "
                        + record.pause().get(MoveRecord.MILLIS) + " ms";
    }

    /** The times for which others waited for both ends; empty if that was not measured. */
    static String others(MoveRecord record) {
        return record.others().isEmpty()
                ? ""
                : "; others waited for at most "
                        + record.others().entrySet().stream()
                                .map(one -> one.getValue() + " ms at " + one.getKey())
                                .collect(Collectors.joining(", "));
    }

    private static boolean isMeasured(MoveRecord record) {
        return record.pause().containsKey(MoveRecord.MILLIS);
    }

    static Map<String, Object> json(MoveRecord record, String state, Optional<MoveProgress> progress) {
        Map<String, Object> object = json(record, state);
        progress.ifPresent(one -> object.put("progress", json(one)));
        return object;
    }

    private static Map<String, Object> json(MoveProgress progress) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("at", progress.at().toString());
        object.put("round", progress.round());
        object.put("step", progress.step().text());
        object.put("done", json(progress.done()));
        object.put("total", json(progress.total()));
        object.put("perSecond", progress.perSecond());
        object.put("seconds", progress.seconds());
        object.put("secondsInAll", progress.secondsInAll());
        return object;
    }

    private static Map<String, Object> json(Amount amount) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("files", amount.files());
        object.put("folders", amount.folders());
        object.put("blocks", amount.blocks());
        return object;
    }

    static Map<String, Object> json(MoveRecord record, String state) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("id", record.id());
        object.put("path", record.path().text());
        object.put("from", record.source());
        object.put("to", record.target());
        object.put("by", record.by());
        object.put("at", record.at().toString());
        object.put("phase", record.phase().name().toLowerCase(Locale.ROOT));
        object.put("state", state);
        record.rate().ifPresent(rate -> object.put("rate", rate));
        if (!record.routers().isEmpty()) {
            object.put("routers", record.routers());
        }
        if (isMeasured(record)) {
            object.put("clients", record.pause().get(MoveRecord.CLIENTS));
            object.put("pauseMillis", Long.parseLong(record.pause().get(MoveRecord.MILLIS)));
        }
        if (!record.others().isEmpty()) {
            object.put("othersMillis", record.others());
        }
        return object;
    }
}
