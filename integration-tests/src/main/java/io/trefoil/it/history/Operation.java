/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * One request of a client, with its answer and times.
 *
 * @param client the one that asked
 * @param request what it asked
 * @param answer what it was told
 * @param from when it asked, on any clock that only grows
 * @param to when it got the answer; {@link Long#MAX_VALUE} if it never did: the request may take effect at any later
 *     time, or never
 */
public record Operation(int client, HistoryRequest request, ClientAnswer answer, long from, long to) {

    /** Creates an operation that was answered. */
    public static Operation answered(int client, HistoryRequest request, ClientAnswer answer, long from, long to) {
        if (answer.equals(ClientAnswer.UNKNOWN) || to < from) {
            throw new IllegalArgumentException("no answer, or one before the question");
        }
        return new Operation(client, request, answer, from, to);
    }

    /** Creates an operation that may or may not have been executed. */
    public static Operation unknown(int client, HistoryRequest request, long from) {
        return new Operation(client, request, ClientAnswer.UNKNOWN, from, Long.MAX_VALUE);
    }

    boolean isUnknown() {
        return answer.equals(ClientAnswer.UNKNOWN);
    }

    @Override
    public String toString() {
        return "client %d, from %d to %s: %s: %s"
                .formatted(client, from, isUnknown() ? "?" : String.valueOf(to), request, answer);
    }
}
