/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * What one client asked of one name, and when.
 *
 * @param client who asked
 * @param kind what it asked
 * @param outcome what it was told
 * @param from when it asked, in any unit that grows
 * @param to when it was told; {@link Long#MAX_VALUE} if it never was: the operation may take effect any time later, or never
 */
public record Operation(int client, Kind kind, Outcome outcome, long from, long to) {

    /** What can be asked of a name that is there or not. */
    public enum Kind {
        /** A file, where there must be none. */
        CREATE,
        /** Of a file that may be there. */
        DELETE,
        /** Whether there is one. */
        EXISTS
    }

    /** What was answered. */
    public enum Outcome {
        /** Done; it is there. */
        YES,
        /** Refused, as there is one already or none; it is not there. */
        NO,
        /** No answer. */
        UNKNOWN
    }

    /** One that was answered. */
    public static Operation answered(int client, Kind kind, Outcome outcome, long from, long to) {
        if (outcome == Outcome.UNKNOWN || to < from) {
            throw new IllegalArgumentException("no answer, or one before the question");
        }
        return new Operation(client, kind, outcome, from, to);
    }

    /** One of which nobody knows whether it was executed. */
    public static Operation unknown(int client, Kind kind, long from) {
        return new Operation(client, kind, Outcome.UNKNOWN, from, Long.MAX_VALUE);
    }
}
