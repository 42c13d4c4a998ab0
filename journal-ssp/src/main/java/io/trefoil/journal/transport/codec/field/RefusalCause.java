/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

/** Describes why a connection was closed or refused; the names are those of {@code RefusalCounters}. */
public enum RefusalCause {
    /** The node has as many connections as it allows in all. */
    CONNECTION_LIMIT,
    /** The connection was evicted by newer ones before its caller was admitted. */
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
    /** The caller sent something after its Hello before the Welcome. */
    EARLY_REQUEST,
    /** The caller speaks TLS to a node that does not, or does not speak it to a node that requires it. */
    TLS_MISMATCH,
    /** A TLS handshake failed, for example because of a certificate that the other side does not trust. */
    TLS_HANDSHAKE,
    /** The Hello did not come from a caller of the pool. */
    WRONG_MAGIC,
    /** The caller speaks none of this node's protocol versions. */
    WRONG_VERSION,
    /** The caller belongs to another cluster or namespace. */
    WRONG_CLUSTER,
    /** The caller asked for a journal that is not kept here. */
    WRONG_JOURNAL,
    /** The caller named a journal that is not kept here while many other callers did so too. */
    JOURNAL_LIMIT,
    /** The caller did not authenticate, or used a mechanism that is unknown here. */
    AUTHENTICATION,
    /** Protected bytes were changed, repeated or lost in transit. */
    PROTECTION,
    /** The call came from an address that this node does not serve. */
    FOREIGN_ADDRESS,
    /** The caller presented a certificate of a host that this node does not serve, or claims to be a host other than its certificate's. */
    FOREIGN_CERTIFICATE,
    /** The caller lacks the right for a session, or for a single request, which is answered but not performed. */
    FORBIDDEN,
    /** The caller's address already has as many sessions as allowed. */
    SESSION_LIMIT,
    /** The connection arrived while the node was stopping. */
    SHUTTING_DOWN,
    /** The caller kept sending requests without reading the answers. */
    ANSWERS_NOT_READ,
    /** The connection had made no progress for the longest time when all connections together held too much memory. */
    MEMORY_LIMIT,
    /** The reader had more unanswered requests than a reader may have. */
    TOO_MANY_UNANSWERED,
    /** The node's own code failed while it served the connection. */
    INTERNAL
}
