/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/**
 * A request to a pool node about one journal. The family is closed: a new request does not compile until every {@link
 * Handler} answers it. Immutable values.
 */
public interface PoolRequest {

    /** Calls the handler's method for this request, and passes on its exceptions. */
    <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X;

    /** A visitor, with one method per request; those that a replica answers are in {@link ReplicaRequest.Handler}. */
    interface Handler<R, X extends Exception> extends ReplicaRequest.Handler<R, X> {
        R on(ImagesRequest request) throws X;

        R on(ImagePartRequest request) throws X;

        R on(ForwardRequest request) throws X;
    }
}
