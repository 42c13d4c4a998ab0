/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import java.util.Locale;

/** Describes how a journal's processes protect their connections. */
public enum PoolProtection {
    NONE,
    /** Kerberos for authentication only. */
    AUTHENTICATION,
    /** Kerberos with integrity protection. */
    INTEGRITY,
    /** Kerberos with encryption. */
    PRIVACY,
    /** TLS for our journal; QJM, which does not support it, is as with {@link #PRIVACY}. */
    TLS;

    /** The value of {@code hadoop.rpc.protection}. */
    String hadoopValue() {
        return (this == TLS ? PRIVACY : this).name().toLowerCase(Locale.ROOT);
    }
}
