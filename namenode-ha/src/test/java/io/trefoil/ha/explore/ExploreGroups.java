/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.explore;

import io.trefoil.foundation.explore.ExploreCommand;
import io.trefoil.ha.agent.Agent;

/** {@code bin/explore group}. */
public final class ExploreGroups {

    private ExploreGroups() {}

    public static void main(String[] args) {
        new ExploreCommand(GroupBugs.CALM, bounds -> new GroupWorld(Agent::step, bounds), GroupBugs.all()).run(args);
    }
}
