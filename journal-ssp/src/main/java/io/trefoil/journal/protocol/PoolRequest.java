/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/**
 * A request to a pool node about one journal. The family is closed: a new request does not compile until every {@link
 * Handler} answers it. Immutable values.
 */
public interface PoolRequest {

    /** Calls the handler's method for this request, and throws what that throws. */
    <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X;

    /** One method per request. */
    interface Handler<R, X extends Exception> {
        R on(NewEpochRequest request) throws X;

        R on(AppendRequest request) throws X;

        R on(CommitRequest request) throws X;

        R on(StepDownRequest request) throws X;

        R on(RebaseRequest request) throws X;

        R on(FetchRequest request) throws X;

        R on(StatusRequest request) throws X;

        R on(AwaitCommitRequest request) throws X;

        R on(SegmentsRequest request) throws X;

        R on(FormatRequest request) throws X;

        R on(PurgeRequest request) throws X;

        R on(ChangeMembersRequest request) throws X;

        R on(CollectChangesRequest request) throws X;

        R on(RetireRequest request) throws X;

        R on(StartOverRequest request) throws X;

        R on(ImagesRequest request) throws X;

        R on(ImagePartRequest request) throws X;

        R on(ForwardRequest request) throws X;
    }
}
