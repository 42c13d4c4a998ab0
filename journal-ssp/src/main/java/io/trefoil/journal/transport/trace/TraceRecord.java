/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

/** The kinds of records in a trace. */
enum TraceRecord {
    BEGAN(1),
    SAW(2),
    SAVED_PROMISE(3),
    WROTE(4),
    SYNCED(5),
    TRUNCATED(6),
    REBASED(7),
    CLOSED(8),
    SHOWED(9),
    ANSWERED(10);

    private final int code;

    TraceRecord(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
