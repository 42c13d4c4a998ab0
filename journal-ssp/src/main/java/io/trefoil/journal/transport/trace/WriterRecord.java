/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

/** The kinds of records in the trace of a writer: the events that it got, then the effects that were performed. */
enum WriterRecord {
    BEGAN(1),
    PEER_CONNECTED(2),
    PEER_DISCONNECTED(3),
    PEER_REFUSED(4),
    REPLIED(5),
    TERM_REQUESTED(6),
    APPEND_REQUESTED(7),
    PURGE_REQUESTED(8),
    ANNOUNCE_DELAY_PASSED(9),
    PART_SENT(10),
    LOAD_FAILED(11),
    LOAD_PURGED(12),
    ANSWERS_WANTED(13),
    READS_WANTED(14),
    TICKED(15),
    STEP_DOWN_REQUESTED(16),
    SENT_ENTRIES(17),
    SENT(18),
    READY(19),
    COMMITTED(20),
    ACKNOWLEDGED(21),
    FENCED(22),
    RETURNED(23),
    SETTLED(24),
    TOLD_LEASE(25),
    TOLD_ALONE(26),
    GRANTED_READS(27),
    CLOSED(28),
    LEASE_WANTED(29);

    private final int code;

    WriterRecord(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
