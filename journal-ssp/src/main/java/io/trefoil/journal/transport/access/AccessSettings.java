/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** Whom a pool node trusts by address, besides its own host and the members of its journals. Immutable. */
@AutoValue
public abstract class AccessSettings {

    /** Only its own host and the members. */
    public static final AccessSettings MEMBERS_ONLY = of(Collections.<String>emptySet(), Networks.NONE, Networks.NONE);

    public static AccessSettings of(Set<String> hosts, Networks nodes, Networks operators) {
        return new AutoValue_AccessSettings(Collections.unmodifiableSet(new LinkedHashSet<>(hosts)), nodes, operators);
    }

    /** Names or addresses of the cluster's own hosts: they have all rights. */
    public abstract Set<String> hosts();

    /** Networks whose hosts count as the cluster's own. */
    public abstract Networks nodes();

    /** Networks whose hosts may read and administer, and not write. */
    public abstract Networks operators();
}
