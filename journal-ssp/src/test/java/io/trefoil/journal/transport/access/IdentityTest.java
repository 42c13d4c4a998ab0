/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is proven of a visitor, and the hosts that it stands for. */
class IdentityTest {

    private static final Identity CERTIFICATE =
            Identity.of(Identity.Kind.CERTIFICATE, "CN=nn1", Set.of("NN1.example.com.", "2001:db8::1", "10.0.0.7"));

    @Test
    void matchesSameHostInAnyNotation() {
        assertThat(CERTIFICATE.representsHost("nn1.Example.COM")).isTrue();
        assertThat(CERTIFICATE.representsHost("2001:0db8:0:0:0:0:0:0001")).isTrue();
        assertThat(CERTIFICATE.representsHost("10.0.0.7")).isTrue();
    }

    @Test
    void rejectsDifferentHosts() {
        assertThat(CERTIFICATE.representsHost("nn1")).isFalse();
        assertThat(CERTIFICATE.representsHost("example.com")).isFalse();
        assertThat(CERTIFICATE.representsHost("nn1.example.com.evil")).isFalse();
        assertThat(CERTIFICATE.representsHost("10.0.0.70")).isFalse();
        assertThat(CERTIFICATE.representsHost("")).isFalse();
    }

    @Test
    void credentialsHoldIdentityOfEachProof() {
        Identity principal = Identity.of(Identity.Kind.PRINCIPAL, "nn/nn1@EXAMPLE.COM", Set.of("nn1"));
        CallerCredentials credentials = CallerCredentials.from(InetAddress.getLoopbackAddress());

        assertThat(credentials.identities()).isEmpty();
        assertThat(credentials.withIdentity(CERTIFICATE).withIdentity(principal))
                .satisfies(proven -> {
                    assertThat(proven.address()).isEqualTo(InetAddress.getLoopbackAddress());
                    assertThat(proven.identity(Identity.Kind.CERTIFICATE)).contains(CERTIFICATE);
                    assertThat(proven.identity(Identity.Kind.PRINCIPAL)).contains(principal);
                });
    }
}
