/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import java.util.Locale;

/** How a journal's processes protect what they say to each other. */
public enum PoolProtection {
    NONE,
    /** Kerberos says who is who, and nothing more. */
    AUTHENTICATION,
    /** Kerberos, and what is said cannot be changed. */
    INTEGRITY,
    /** Kerberos, and what is said cannot be read. */
    PRIVACY,
    /** Ours by TLS; QJM, which has none, as with {@link #PRIVACY}. */
    TLS;

    /** As {@code hadoop.rpc.protection} says it. */
    String ofHadoop() {
        return (this == TLS ? PRIVACY : this).name().toLowerCase(Locale.ROOT);
    }
}
