/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StageEdgesTest {

    private enum Light {
        RED,
        GREEN,
        OFF
    }

    private final StageEdges.Builder<Light> builder =
            StageEdges.of(Light.class).edge(Light.RED, Light.GREEN).edge(Light.GREEN, Light.RED);
    private final StageEdges<Light> edges = builder.edge(Light.GREEN, Light.OFF).build();

    @Test
    void entersDeclaredEdge() {
        assertThat(edges.enter(Light.RED, Light.GREEN)).isEqualTo(Light.GREEN);
        assertThat(edges.has(Light.GREEN, Light.OFF)).isTrue();
    }

    @Test
    void undeclaredEdgeThrowsAndNamesAllowedOnes() {
        assertThat(edges.has(Light.RED, Light.RED)).isFalse();
        assertThatThrownBy(() -> edges.enter(Light.RED, Light.OFF))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RED -> OFF")
                .hasMessageContaining("[GREEN]");
        assertThatThrownBy(() -> edges.enter(Light.OFF, Light.RED)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void laterAdditionsChangeNothing() {
        builder.edge(Light.OFF, Light.RED);
        assertThat(edges.has(Light.OFF, Light.RED)).isFalse();
    }
}
