/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.rules.MoveEnd;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.util.List;

/** The messages for an operator when a move has ended other than intended, with the next steps. */
final class MoveMessages {

    /** The number of changes that are listed if there are many. */
    private static final int NAMED = 10;

    private final TableStore table;
    private final MoveRecord connected;
    private final MoveRecord record;

    /**
     * The messages of one move.
     *
     * @param connected the move that was wanted
     * @param record the one whose record was found
     */
    MoveMessages(TableStore table, MoveRecord connected, MoveRecord record) {
        this.table = table;
        this.connected = connected;
        this.record = record;
    }

    static String sourceKeptText(MoveRecord record) {
        return sourceUri(record) + " is closed and kept";
    }

    /** Returns why a pause was unsuccessful. */
    static String retryReason(MoveEnd reason, MoveRecord record) {
        return reason.kind() == MoveEnd.Kind.TABLE_CHANGED
                ? "The table was changed meanwhile"
                : "Clients are still writing " + reason.details().size() + " files in " + record.path() + ", as "
                        + reason.details().get(0);
    }

    private static String sourceUri(MoveRecord record) {
        return "hdfs://" + record.source() + record.path();
    }

    private static String targetUri(MoveRecord record) {
        return "hdfs://" + record.target() + record.path();
    }

    String refusalText(MoveEnd end) throws IOException {
        List<String> details = end.details();
        String path = record.path().text();
        switch (end.kind()) {
            case NOTHING_TO_ABORT:
                return "No subtree is being moved";
            case SWITCHED_ALREADY:
                return path + " belongs to " + record.target()
                        + " already; complete the move instead: hdfs trefoil subtree move " + path + " --to "
                        + record.target();
            case ENDED_MEANWHILE:
                return "The move of " + connected.path() + " to " + connected.target()
                        + " has ended meanwhile; if it is not where it should be, repeat the command";
            case BEGUN_MEANWHILE:
                return "A move of " + path + " from " + record.source() + " to " + record.target()
                        + " has begun meanwhile; repeat the command to go on with that one";
            case OTHER_MOVE:
                return record.endInstructions(table.history());
            case RECORD_TAKEN:
                return "Another move has begun meanwhile";
            case NOT_OF_SOURCE:
                return connected.path() + " belongs to " + details.get(0) + ", not to " + connected.source();
            case BLOCKED:
                return String.join("\n", details);
            case NOT_UNSWITCHED:
                return ownerText(details) + ", which this move has not made"
                        + (hasOpened() ? ", although its record says that " + record.target() + " has it" : "") + "; "
                        + manualEndInstructions();
            case NOT_SWITCHED:
                return ownerText(details) + ", after this move had given it to " + record.target() + "; "
                        + manualEndInstructions();
            case COPIED_AFTER_VERSION:
                return "The table has the version of this move, but its record says that " + path
                        + " was being copied: clients may have worked at both since; " + manualEndInstructions();
            case REPLICAS_MISSING:
                return "Replicas are missing at hdfs://" + record.target() + ": " + String.join("; ", details) + ". "
                        + interimStateText("Clients work at " + sourceUri(record) + " again")
                        + ". Bring DataNodes back that are down or in maintenance, and repeat the command when HDFS has"
                        + " copied what is missing";
            case UPGRADING:
                return String.join(", ", details) + ", and a rollback would lose what was moved; "
                        + interimStateText("clients work at " + sourceUri(record) + " again")
                        + ". Repeat the command when it is finalized";
            case CLIENTS_WRITE:
                return retryReason(end, record)
                        + "; clients work at the source again. Repeat the command when they have been closed";
            case TABLE_CHANGED:
                return retryReason(end, record) + "; clients work at the source again. Repeat the command";
            case CHANGED_IN_PAUSE:
                return changesText(details, "Clients work there again. Repeat the command");
            case CHANGED_SINCE:
                return changesText(
                        details,
                        "It is kept. Do the same at " + targetUri(record) + " if it is wanted, delete everything in "
                                + sourceUri(record) + " with hdfs dfs -rm -r -skipTrash, and repeat the command");
            case CONTRADICTED:
                return sourceUri(record) + " is kept, because " + details.get(0) + "; compare it with "
                        + targetUri(record) + ", and delete everything in it before the command is repeated";
            case ROUTERS_BEHIND:
                return path + " belongs to " + record.target() + " and is open there, but not all Routers follow: "
                        + details.get(0)
                        + ". Their clients wait, and then fail. Repair or stop these Routers, and repeat the"
                        + " command, or name the others in it with --router, or none of them: --router none; until"
                        + " then the move has not ended";
            default:
                throw new IllegalStateException("No text of " + end);
        }
    }

    private String ownerText(List<String> ownerAndVersion) {
        return record.path() + " belongs to " + ownerAndVersion.get(0) + " by version " + ownerAndVersion.get(1)
                + " of the table";
    }

    private boolean hasOpened() {
        return record.phase() == MovePhase.OPENED || record.phase() == MovePhase.EMPTYING;
    }

    /** Describes the state until the command is repeated. */
    private String interimStateText(String beforeTheVersion) {
        switch (record.phase()) {
            case OPENED:
                return sourceUri(record) + " is kept";
            case EMPTYING:
                return "The rest of " + sourceUri(record) + " is kept";
            default:
                return beforeTheVersion;
        }
    }

    private String changesText(List<String> changes, String advice) {
        List<String> some = changes.subList(0, Math.min(NAMED, changes.size()));
        String others = some.size() < changes.size() ? " and " + (changes.size() - some.size()) + " more" : "";
        return "A superuser changed " + sourceUri(record) + " although it was closed: " + some + others + ". " + advice;
    }

    private String manualEndInstructions() {
        String moves = "hdfs://" + table.tableNameservice() + table.tableDirectory() + "/moves/";
        return "nothing was changed. Compare " + sourceUri(record) + " with " + targetUri(record)
                + ", and when each is as it should be, end the move by hand: hdfs dfs -mv " + moves + "current " + moves
                + "ended-" + record.id();
    }
}
