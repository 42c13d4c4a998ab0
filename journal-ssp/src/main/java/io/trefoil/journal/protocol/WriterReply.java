/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/**
 * A reply that a writer may get. Others answer what only readers, operators, or nodes that want an image or have a call forwarded ask.
 * Immutable values.
 */
public interface WriterReply extends PoolReply {

    /** Calls the handler's method for this reply. */
    void dispatch(Handler handler);

    @Override
    default void dispatch(PoolReply.Handler handler) {
        dispatch((Handler) handler);
    }

    /** A visitor, with one method per reply to a writer. */
    interface Handler {
        void on(PromiseReply reply);

        void on(AppendedReply reply);

        void on(MismatchReply reply);

        void on(StaleEpochReply reply);

        void on(LeaseHeldReply reply);

        void on(NotFormattedReply reply);

        void on(DoneReply reply);

        void on(StatusReply reply);

        void on(FailedReply reply);

        void on(OtherIncarnationReply reply);

        void on(ChangesReply reply);
    }
}
