/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

/** A request of a writer that says how long a lease it asks for: terms differ in that, and a term may ask for a longer one later. */
public interface LeaseRequest extends ReplicaRequest {

    long leaseMillis();

    /** The lease that a request asks for, in milliseconds; 0 if it asks for none. */
    static long leaseMillisOf(PoolRequest request) {
        return request instanceof LeaseRequest ? ((LeaseRequest) request).leaseMillis() : 0;
    }
}
