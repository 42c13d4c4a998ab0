/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.explore;

import io.trefoil.checkpoint.sim.SimRules;
import io.trefoil.foundation.explore.ExploreCommand;

/** {@code bin/explore checkpoint}. */
public final class ExploreCheckpoints {

    private ExploreCheckpoints() {}

    public static void main(String[] args) {
        new ExploreCommand(
                        CheckpointBugs.CALM, bounds -> new CheckpointWorld(SimRules.REAL, bounds), CheckpointBugs.all())
                .run(args);
    }
}
