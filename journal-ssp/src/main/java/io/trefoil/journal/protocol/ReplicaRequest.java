/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/**
 * A request that a node's replica of the journal answers. Images belong to the node, and forwarded calls to its NameNode: these answer
 * without the replica. Immutable values.
 */
public interface ReplicaRequest extends PoolRequest {

    /** Calls the handler's method for this request, and passes on its exceptions. */
    <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X;

    @Override
    default <R, X extends Exception> R dispatch(PoolRequest.Handler<R, X> handler) throws X {
        return dispatch((Handler<R, X>) handler);
    }

    /** A visitor, with one method per request to a replica. */
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
    }
}
