/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import com.google.auto.value.AutoValue;

/** An order as recorded in the audit log: the action, its object, and the user who gave it. Immutable. */
@AutoValue
public abstract class AuditedOrder {

    /** Stands for a caller or an address that is not known. */
    public static final String UNKNOWN = "unknown";

    /**
     * @param order what is to be done, in a word or two with hyphens: {@code failover}, {@code pin}
     * @param object what it acts on: a NameNode, a journal, a checkpoint; may come from the caller, and contain anything
     * @param caller the caller's principal, as far as it is authenticated; may contain anything
     * @param address where the order came from: a host's address, or {@link #UNKNOWN}
     */
    public static AuditedOrder of(String order, String object, String caller, String address) {
        return new AutoValue_AuditedOrder(order, object, caller, address);
    }

    public abstract String order();

    public abstract String object();

    public abstract String caller();

    public abstract String address();
}
