/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.MovePhase;

/**
 * The record of a move.
 *
 * @param sourceWas the permission of the source's directory before the pause
 * @param unchecked what was moved, if that was not compared with the source's; {@link #NOTHING} otherwise
 */
record WrittenMove(
        int id,
        int source,
        int target,
        MovePhase phase,
        int sourceWas,
        FormerTarget targetWas,
        int unchecked,
        String contradiction) {

    static final int NOTHING = -1;

    /** What the target's directory was. */
    record FormerTarget(boolean isThere, boolean isSealed, int movedTo, int permission) {
        static final FormerTarget UNKNOWN = new FormerTarget(false, false, ExploredDirectory.NOBODY, 0);
    }

    static WrittenMove request(int id, int source) {
        return new WrittenMove(id, source, 1 - source, MovePhase.COPYING, 0, FormerTarget.UNKNOWN, NOTHING, "");
    }

    WrittenMove withPhase(MovePhase now) {
        return new WrittenMove(id, source, target, now, sourceWas, targetWas, unchecked, contradiction);
    }

    WrittenMove withPause(int permission) {
        return new WrittenMove(id, source, target, MovePhase.PAUSED, permission, targetWas, unchecked, contradiction);
    }

    WrittenMove withFormerTarget(FormerTarget formerTarget) {
        return new WrittenMove(id, source, target, phase, sourceWas, formerTarget, unchecked, contradiction);
    }

    WrittenMove withMovedContent(int content) {
        return new WrittenMove(id, source, target, phase, sourceWas, targetWas, content, contradiction);
    }

    WrittenMove withCheck(String result) {
        return new WrittenMove(id, source, target, phase, sourceWas, targetWas, NOTHING, result);
    }
}
