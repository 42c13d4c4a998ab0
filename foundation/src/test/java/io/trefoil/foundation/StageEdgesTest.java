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

    private final StageTransitions.Builder<Light> builder =
            StageTransitions.builder(Light.class).allow(Light.RED, Light.GREEN).allow(Light.GREEN, Light.RED);
    private final StageTransitions<Light> edges =
            builder.allow(Light.GREEN, Light.OFF).build();

    @Test
    void entersDeclaredEdge() {
        assertThat(edges.enter(Light.RED, Light.GREEN)).isEqualTo(Light.GREEN);
        assertThat(edges.allows(Light.GREEN, Light.OFF)).isTrue();
    }

    @Test
    void undeclaredEdgeThrowsAndNamesAllowedOnes() {
        assertThat(edges.allows(Light.RED, Light.RED)).isFalse();
        assertThatThrownBy(() -> edges.enter(Light.RED, Light.OFF))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RED -> OFF")
                .hasMessageContaining("[GREEN]");
        assertThatThrownBy(() -> edges.enter(Light.OFF, Light.RED)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void edgesAddedLaterHaveNoEffect() {
        builder.allow(Light.OFF, Light.RED);
        assertThat(edges.allows(Light.OFF, Light.RED)).isFalse();
    }
}
