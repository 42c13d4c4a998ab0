/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import java.util.Locale;

/** How a journal's processes protect their connections. */
public enum PoolProtection {
    NONE,
    /** Kerberos authenticates, and nothing more. */
    AUTHENTICATION,
    /** Kerberos, and messages cannot be changed. */
    INTEGRITY,
    /** Kerberos, and messages cannot be read. */
    PRIVACY,
    /** TLS for our journal; QJM, which has none, as with {@link #PRIVACY}. */
    TLS;

    /** The value of {@code hadoop.rpc.protection}. */
    String ofHadoop() {
        return (this == TLS ? PRIVACY : this).name().toLowerCase(Locale.ROOT);
    }
}
