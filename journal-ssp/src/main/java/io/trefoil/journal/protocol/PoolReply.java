/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/** Everything that a pool node may answer. A refusal is an ordinary value. Immutable. */
public interface PoolReply {

    <R> R dispatch(Handler<R> handler);

    /** One method per reply. */
    interface Handler<R> {
        R on(PromiseReply reply);

        R on(AppendedReply reply);

        R on(MismatchReply reply);

        R on(StaleEpochReply reply);

        R on(LeaseHeldReply reply);

        R on(NotFormattedReply reply);

        R on(DoneReply reply);

        R on(EntriesReply reply);

        R on(PurgedReply reply);

        R on(StatusReply reply);

        R on(SegmentsReply reply);

        R on(FailedReply reply);

        R on(OtherIncarnationReply reply);

        R on(ChangeReply reply);

        R on(ChangesReply reply);

        R on(StartedOverReply reply);

        R on(ImagesReply reply);

        R on(ImagePartReply reply);
    }
}
