/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;

/** Where a member can be reached, each address as {@code host:port}; empty if it has no such service. Immutable. */
@AutoValue
public abstract class MemberAddresses {

    public static MemberAddresses of(String rpc, String http, String pool) {
        return new AutoValue_MemberAddresses(rpc, http, pool);
    }

    /** Where clients call. */
    public abstract String rpc();

    /** Where the web pages are. */
    public abstract String http();

    /** Where the pool node of its process listens: who refuses connections there is dead. */
    public abstract String pool();
}
