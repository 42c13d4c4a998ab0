/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/**
 * Everything that a pool node may be asked about one journal. The family is closed: a new request does not
 * compile until every {@link Handler} answers it. Immutable values.
 */
public interface PoolRequest {

    <R> R dispatch(Handler<R> handler);

    /** One method per request. */
    interface Handler<R> {
        R on(NewEpochRequest request);

        R on(AppendRequest request);

        R on(CommitRequest request);

        R on(StepDownRequest request);

        R on(RebaseRequest request);

        R on(FetchRequest request);

        R on(StatusRequest request);

        R on(AwaitCommitRequest request);

        R on(SegmentsRequest request);

        R on(FormatRequest request);

        R on(PurgeRequest request);

        R on(ChangeMembersRequest request);

        R on(CollectChangesRequest request);

        R on(RetireRequest request);

        R on(StartOverRequest request);

        R on(ImagesRequest request);

        R on(ImagePartRequest request);
    }
}
