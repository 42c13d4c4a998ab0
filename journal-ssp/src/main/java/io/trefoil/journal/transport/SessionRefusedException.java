/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.Incarnation;
import java.util.Optional;

/** A session was refused; the message is sent to the caller. */
public final class SessionRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The cause; its name is also that of a counter. */
    public enum Reason {
        WRONG_MAGIC,
        WRONG_VERSION,
        WRONG_CLUSTER,
        WRONG_JOURNAL,
        JOURNAL_LIMIT,
        AUTHENTICATION,
        FOREIGN_ADDRESS,
        FOREIGN_CERTIFICATE,
        FORBIDDEN,
        SESSION_LIMIT,
        SHUTTING_DOWN
    }

    private final Reason reason;
    private final transient Optional<Incarnation> keptIncarnation;

    public SessionRefusedException(Reason reason, String message) {
        this(reason, message, Optional.<Incarnation>empty());
    }

    /** @param keptIncarnation the incarnation of the journal that this node keeps, of another cluster than the caller's */
    public SessionRefusedException(Reason reason, String message, Optional<Incarnation> keptIncarnation) {
        super(message);
        this.reason = reason;
        this.keptIncarnation = keptIncarnation;
    }

    public Reason reason() {
        return reason;
    }

    /** The incarnation of the journal that this node keeps instead of the caller's. */
    public Optional<Incarnation> otherIncarnation() {
        return keptIncarnation;
    }
}
