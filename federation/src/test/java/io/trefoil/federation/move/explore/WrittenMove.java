/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.MovePhase;

/**
 * The record of a move.
 *
 * @param sourceWas the permission of the source's folder before the pause
 * @param unchecked what was moved, if that was not compared with the source's; {@link #NOTHING} otherwise
 */
record WrittenMove(
        int id,
        int source,
        int target,
        MovePhase phase,
        int sourceWas,
        Was targetWas,
        int unchecked,
        String contradiction) {

    static final int NOTHING = -1;

    /** What the target's folder was. */
    record Was(boolean isThere, boolean isSealed, int movedTo, int permission) {
        static final Was UNKNOWN = new Was(false, false, Folder.NOBODY, 0);
    }

    static WrittenMove wanted(int id, int source) {
        return new WrittenMove(id, source, 1 - source, MovePhase.COPYING, 0, Was.UNKNOWN, NOTHING, "");
    }

    WrittenMove in(MovePhase now) {
        return new WrittenMove(id, source, target, now, sourceWas, targetWas, unchecked, contradiction);
    }

    WrittenMove paused(int permission) {
        return new WrittenMove(id, source, target, MovePhase.PAUSED, permission, targetWas, unchecked, contradiction);
    }

    WrittenMove onto(Was was) {
        return new WrittenMove(id, source, target, phase, sourceWas, was, unchecked, contradiction);
    }

    WrittenMove moving(int content) {
        return new WrittenMove(id, source, target, phase, sourceWas, targetWas, content, contradiction);
    }

    WrittenMove checked(String how) {
        return new WrittenMove(id, source, target, phase, sourceWas, targetWas, NOTHING, how);
    }
}
