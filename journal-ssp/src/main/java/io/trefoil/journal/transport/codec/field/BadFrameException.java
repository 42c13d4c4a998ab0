/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

/** The bytes that arrived cannot be a frame of the protocol; their connection is closed. */
public final class BadFrameException extends Exception {

    private static final long serialVersionUID = 1L;

    private final RefusalCause cause;

    public BadFrameException(RefusalCause cause, String message) {
        super(message);
        this.cause = cause;
    }

    /** A value inside a message that its class rejects. */
    public BadFrameException(IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
        this.cause = RefusalCause.MALFORMED;
    }

    public RefusalCause refusalCause() {
        return cause;
    }
}
