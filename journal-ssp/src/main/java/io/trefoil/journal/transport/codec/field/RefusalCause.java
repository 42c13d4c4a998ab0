/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

/** Why a connection was closed or refused; the names are those of {@code RefusalCounters}. */
public enum RefusalCause {
    /** More connections than the node allows in all. */
    CONNECTION_LIMIT,
    /** Pushed out by newer ones while it had not said hello. */
    HANDSHAKE_LIMIT,
    /** Did not say hello in time. */
    HANDSHAKE_TIMEOUT,
    /** A frame that says it is longer than allowed: not our protocol, or not meant well. */
    GIANT_FRAME,
    /** A frame that says it is shorter than its own header, or of negative length. */
    SHORT_FRAME,
    /** The connection ended inside a frame. */
    TRUNCATED_FRAME,
    /** A frame of a protocol version that was not agreed on. */
    UNKNOWN_VERSION,
    /** A frame of a type that does not exist, or that does not belong here. */
    UNKNOWN_TYPE,
    /** The fields of a message do not fit its frame, or hold values that cannot be. */
    MALFORMED,
    /** An entry whose bytes do not have its checksum. */
    CHECKSUM,
    /** Sent something behind its Hello before it was welcomed. */
    EARLY_REQUEST,
    /** Speaks TLS where the node does not, or does not where the node requires it. */
    TLS_MISMATCH,
    /** A TLS handshake that came to nothing, as by a certificate that the other side does not trust. */
    TLS_HANDSHAKE,
    /** Says hello as somebody else than a pool caller. */
    WRONG_MAGIC,
    /** Speaks none of our protocol versions. */
    WRONG_VERSION,
    /** Belongs to another cluster or namespace. */
    WRONG_CLUSTER,
    /** Asks for a journal that is not kept here. */
    WRONG_JOURNAL,
    /** Names a journal that is not kept here, and so do many others at the moment. */
    JOURNAL_LIMIT,
    /** Did not prove who it is, or in a way that is not known here. */
    AUTHENTICATION,
    /** Protected bytes that were changed, repeated or left out on their way. */
    PROTECTION,
    /** Calls from an address that this node does not serve. */
    FOREIGN_ADDRESS,
    /** Shows a certificate that is of no host that this node serves, or says that it is another. */
    FOREIGN_CERTIFICATE,
    /** Asked for what it has no right to: a session, or a single request, which is answered and not performed. */
    FORBIDDEN,
    /** From an address that has as many sessions as one may have. */
    SESSION_LIMIT,
    /** Came while the node was stopping. */
    SHUTTING_DOWN,
    /** Asked on and on and did not read the answers. */
    ANSWERS_NOT_READ,
    /** Finished nothing for the longest when all connections together held too much. */
    MEMORY_LIMIT,
    /** Had more requests without an answer than a reader may have. */
    TOO_MANY_UNANSWERED,
    /** Our own code failed while it served the connection. */
    INTERNAL
}
