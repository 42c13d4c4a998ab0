/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

/** Why a connection was closed or refused; the names are those of {@code RefusalCounters}. */
public enum RefusalCause {
    /** The node has as many connections as it allows in all. */
    CONNECTION_LIMIT,
    /** The connection was evicted by newer ones before it was admitted. */
    HANDSHAKE_LIMIT,
    /** The connection was not admitted in time. */
    HANDSHAKE_TIMEOUT,
    /** A frame with a length above the limit: another protocol, or malicious. */
    GIANT_FRAME,
    /** A frame with a length below that of its header, or a negative one. */
    SHORT_FRAME,
    /** The connection ended inside a frame. */
    TRUNCATED_FRAME,
    /** A frame of a protocol version that was not agreed on. */
    UNKNOWN_VERSION,
    /** A frame of a type that does not exist, or that does not belong here. */
    UNKNOWN_TYPE,
    /** The fields of a message do not fit its frame, or have impossible values. */
    MALFORMED,
    /** An entry whose bytes do not match its checksum. */
    CHECKSUM,
    /** The caller sent something after its Hello before it was welcomed. */
    EARLY_REQUEST,
    /** Speaks TLS where the node does not, or does not where the node requires it. */
    TLS_MISMATCH,
    /** A TLS handshake failed, for example because of a certificate that the other side does not trust. */
    TLS_HANDSHAKE,
    /** The Hello is not that of a caller of the pool. */
    WRONG_MAGIC,
    /** Speaks none of this node's protocol versions. */
    WRONG_VERSION,
    /** The caller belongs to another cluster or namespace. */
    WRONG_CLUSTER,
    /** Asks for a journal that is not kept here. */
    WRONG_JOURNAL,
    /** Names a journal that is not kept here, at a time when many others do too. */
    JOURNAL_LIMIT,
    /** The caller did not authenticate, or by a mechanism that is not known here. */
    AUTHENTICATION,
    /** Protected bytes were changed, repeated or left out on their way. */
    PROTECTION,
    /** Calls from an address that this node does not serve. */
    FOREIGN_ADDRESS,
    /** Shows a certificate of no host that this node serves, or claims to be another host than its certificate's. */
    FOREIGN_CERTIFICATE,
    /** Lacks the right for a session, or for a single request, which is answered but not performed. */
    FORBIDDEN,
    /** The caller's address already has as many sessions as allowed. */
    SESSION_LIMIT,
    /** The connection came while the node was stopping. */
    SHUTTING_DOWN,
    /** The caller kept asking and did not read the answers. */
    ANSWERS_NOT_READ,
    /** The connection had made no progress for the longest time when all connections together held too much memory. */
    MEMORY_LIMIT,
    /** The reader had more unanswered requests than one may have. */
    TOO_MANY_UNANSWERED,
    /** The node's own code failed while it served the connection. */
    INTERNAL
}
