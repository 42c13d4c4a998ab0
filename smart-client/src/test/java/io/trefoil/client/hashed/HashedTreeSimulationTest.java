/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hashed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever clients do, and wherever they stop, others see one file system. */
class HashedTreeSimulationTest {

    private static final int SEEDS = Integer.getInteger("trefoil.hashed.seeds", 3000);

    @Test
    void clientsThatStopAnywhereLeaveOneFileSystem() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Optional<String> wrong = new HashedTreeSimulation(seed, HashedTree::new).run();
            assertThat(wrong).as(wrong.orElse("")).isEmpty();
        }
    }
}
