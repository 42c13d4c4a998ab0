/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.function.Supplier;

/**
 * A broken rule, and the small world in which the explorer finds it.
 *
 * @param rule what the first wrong state breaks
 */
public record PlantedWorld(String name, String rule, WorldBounds bounds, Supplier<SmallWorld> world) {

    @Override
    public String toString() {
        return name;
    }
}
