/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The subtree's directory in one nameservice, with the one file that it may have. */
final class ExploredDirectory extends Value {

    static final int NO_FILE = 0;
    static final int NOBODY = -1;

    /** That of the directory: calls by another one find nothing. */
    int number = 1;

    /** What the file has; each change gives another number. */
    int content = NO_FILE;

    boolean isOpen;
    boolean isThere;
    int permission;
    /** Its owner is a superuser, and nothing can be added. */
    boolean isFenced;

    boolean isClosed;
    boolean isSealed;
    /** The move whose target it is, or 0. */
    int staging;
    /** The nameservice that clients are sent to. */
    int movedTo = NOBODY;
    /** The move for which it is frozen, or 0. */
    int frozenFor;

    boolean holdsReads;
    Map<String, Integer> snapshots = new TreeMap<>();

    ExploredDirectory copy() {
        ExploredDirectory copy = new ExploredDirectory();
        copy.number = number;
        copy.content = content;
        copy.isOpen = isOpen;
        copy.isThere = isThere;
        copy.permission = permission;
        copy.isFenced = isFenced;
        copy.isClosed = isClosed;
        copy.isSealed = isSealed;
        copy.staging = staging;
        copy.movedTo = movedTo;
        copy.frozenFor = frozenFor;
        copy.holdsReads = holdsReads;
        copy.snapshots = new TreeMap<>(snapshots);
        return copy;
    }

    @Override
    List<Object> components() {
        return List.of(
                number,
                content,
                isOpen,
                isThere,
                permission,
                isFenced,
                isClosed,
                isSealed,
                staging,
                movedTo,
                frozenFor,
                holdsReads,
                snapshots);
    }

    private boolean isUsable() {
        return isThere && !isClosed && !isSealed && staging == 0 && movedTo == NOBODY;
    }

    boolean isReadable() {
        return isUsable() && !(holdsReads && frozenFor != 0);
    }

    boolean isWritable() {
        return isUsable() && frozenFor == 0;
    }

    void unfreeze() {
        frozenFor = 0;
        holdsReads = false;
    }

    /** What a move sees: a file being written is missing. */
    int closedContent() {
        return isOpen ? NO_FILE : content;
    }
}
