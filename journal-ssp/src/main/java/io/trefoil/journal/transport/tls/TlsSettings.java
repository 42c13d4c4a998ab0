/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.transport.Hello;

/** Whether connections use TLS, and where the keys are. Immutable. */
@AutoValue
public abstract class TlsSettings {

    public static final TlsSettings OFF = new AutoValue_TlsSettings(TlsPolicy.OFF, KeySource.NONE);

    public static TlsSettings of(TlsPolicy policy, KeySource keys) {
        return policy == TlsPolicy.OFF ? OFF : new AutoValue_TlsSettings(policy, keys);
    }

    /**
     * Checks that a connection does not use two authentication mechanisms.
     *
     * @throws IllegalArgumentException if TLS is used together with another mechanism
     */
    public final void requireSoleAuthentication(String mechanism) {
        if (policy() != TlsPolicy.OFF && !mechanism.equals(Hello.NO_AUTHENTICATION)) {
            throw new IllegalArgumentException("Connections use TLS or " + mechanism + ", not both");
        }
    }

    public abstract TlsPolicy policy();

    public abstract KeySource keys();
}
