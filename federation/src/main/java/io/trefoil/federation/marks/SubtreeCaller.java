/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

import java.util.Optional;

/**
 * The caller context by which a NameNode recognizes calls of the command that moves subtrees. A NameNode believes it only
 * from a superuser.
 */
public final class SubtreeCaller {
    private static final String MOVE = "trefoilMove:";

    /**
     * The caller of a query for a directory's quotas that does not need the usage: a NameNode that knows this caller does not count the
     * content of a directory without quotas. Others count, as for any caller. May be asked anywhere, at any time.
     */
    public static final String QUOTAS = "trefoilQuotas";

    /**
     * The caller of a query for edits ({@code getEditsFromTxid}): to this caller, a NameNode also reports quotas and storage policies, for
     * which HDFS has no events, as changes of the path's attributes. The last batch of such an answer is of its last edit and has no
     * events. Where that is missing, those edits may be missing, too. May be asked anywhere, at any time.
     */
    public static final String EDITS = "trefoilEdits";

    private SubtreeCaller() {}

    /**
     * The caller of a move's calls in its frozen subtree. They are executed only while the move's {@link FrozenMark}
     * stands, so calls before the freeze and calls at other nameservices must not have it.
     */
    public static String contextOfMove(String move) {
        return MOVE + move;
    }

    /** The move that a context names; empty if it names none. */
    public static Optional<String> moveOf(String context) {
        return context.startsWith(MOVE) ? Optional.of(context.substring(MOVE.length())) : Optional.empty();
    }
}
