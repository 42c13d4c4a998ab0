/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolUriTest {

    @Test
    void parsesNodesAndJournalLikeQjmUri() {
        PoolUri uri = PoolUri.parse(URI.create("ssp://nn1:9000;nn2:9001;nn3:9002/ns1"));

        assertThat(uri.journal()).isEqualTo(JournalId.of("ns1"));
        assertThat(uri.addresses())
                .containsExactly(NodeAddress.of("nn1", 9000), NodeAddress.of("nn2", 9001), NodeAddress.of("nn3", 9002));
    }

    @Test
    void nodeWithoutPortUsesDefaultPort() {
        assertThat(PoolUri.parse(URI.create("ssp://nn1;nn2:1/ns1")).addresses())
                .containsExactly(NodeAddress.of("nn1", 8487), NodeAddress.of("nn2", 1));
        assertThat(PoolUri.parse(URI.create("ssp://[::1]/ns1")).addresses())
                .containsExactly(NodeAddress.of("[::1]", 8487));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "qjournal://nn1:8485/ns1",
                "ssp:///ns1",
                "ssp://nn1:8487",
                "ssp://nn1:8487/",
                "ssp://nn1:8487/a/b",
                "ssp://nn1:0/ns1",
                "ssp://nn1:x;nn2:1/ns1",
                "ssp://nn1:1;;nn2:1/ns1",
                "ssp://nn1:1;nn1:1/ns1",
                "ssp://nn1:1,nn2:1/ns1"
            })
    void rejectsMalformedUri(String uri) {
        assertThatThrownBy(() -> PoolUri.parse(URI.create(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(uri);
    }
}
