/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

/** A session was refused; the text goes to the caller. */
public final class SessionRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Why, as a name for counters. */
    public enum Reason {
        WRONG_MAGIC,
        WRONG_VERSION,
        WRONG_CLUSTER,
        WRONG_JOURNAL,
        JOURNAL_LIMIT,
        AUTHENTICATION,
        SHUTTING_DOWN
    }

    private final Reason reason;

    public SessionRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
