/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/** A reply of a pool node. A refusal is an ordinary value. Immutable. */
public interface PoolReply {

    /** Calls the handler's method for this reply. */
    void dispatch(Handler handler);

    /** The text for an operator if another reply was expected. */
    default String describe() {
        return "it gave an answer to something else, "
                + getClass().getSimpleName().replaceFirst("AutoValue_", "");
    }

    /** A visitor, with one method per reply; those that a writer may get are in {@link WriterReply.Handler}. */
    interface Handler extends WriterReply.Handler {
        void on(EntriesReply reply);

        void on(PurgedReply reply);

        void on(SegmentsReply reply);

        void on(ChangeReply reply);

        void on(StartedOverReply reply);

        void on(ImagesReply reply);

        void on(ImagePartReply reply);

        void on(ForwardedReply reply);
    }
}
