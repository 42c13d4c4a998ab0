/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class PoolPrincipalsTest {

    /** An address that is for documentation, of which no name service says what its name is. */
    @Test
    void usesFoundHostNameWhenCanonicalNameIsUnavailable() throws Exception {
        InetAddress remembered = InetAddress.getByAddress("NN1.example.test", new byte[] {(byte) 192, 0, 2, 1});

        assertThat(PoolPrincipals.resolveForHost(remembered, "nn/_HOST@REALM")).isEqualTo("nn/nn1.example.test@REALM");
    }
}
