/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;

/** The addresses of a member, each as {@code host:port}; empty if the member has no such service. Immutable. */
@AutoValue
public abstract class MemberAddresses {

    public static MemberAddresses of(String rpc, String http, String pool) {
        return new AutoValue_MemberAddresses(rpc, http, pool);
    }

    /** The address for clients. */
    public abstract String rpc();

    /** The address of the web pages. */
    public abstract String http();

    /** The address of the pool node in its process: if it refuses connections, the member is dead. */
    public abstract String pool();
}
