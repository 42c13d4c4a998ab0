/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.MoveRules;
import io.trefoil.foundation.explore.ExploreCommand;

/** {@code bin/explore move}. */
public final class ExploreMoves {

    private ExploreMoves() {}

    public static void main(String[] args) {
        new ExploreCommand(MoveBugs.CALM, bounds -> new MoveWorld(MoveRules::step, bounds), MoveBugs.all()).run(args);
    }
}
