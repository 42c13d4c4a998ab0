/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A call to be counted: its subtrees, and whether it may have changed something. Immutable. */
final class CountedCall {

    /**
     * The read-only commands, by their names in the audit log. Others count as changes, so those that a newer HDFS
     * adds do.
     */
    static final Set<String> READS = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
            "ListSnapshot",
            "checkAccess",
            "computeSnapshotDiff",
            "contentSummary",
            "getAclStatus",
            "getEZForPath",
            "getErasureCodingPolicy",
            "getXAttrs",
            "getfileinfo",
            "isFileClosed",
            "listCorruptFileBlocks",
            "listOpenFiles",
            "listStatus",
            "listXAttrs",
            "open",
            "quotaUsage")));

    /** The length up to which paths are counted, so that the memory for longer ones is bounded. */
    static final int MAX_PATH_LENGTH = 256;

    private static final String RESERVED = "/.reserved";
    private static final String RAW = "/.reserved/raw/";
    private static final String SNAPSHOT = "/.snapshot";

    private final boolean isRead;
    private final List<String> subtrees;

    private CountedCall(boolean isRead, List<String> subtrees) {
        this.isRead = isRead;
        this.subtrees = subtrees;
    }

    /**
     * Creates a call from the command and paths in the audit log.
     *
     * @param target of a rename, and of what has two paths; null if there is none
     * @param depth how many names of a path are counted
     * @return empty for a call without a path
     */
    static Optional<CountedCall> of(String command, String source, String target, int depth) {
        boolean hasSource = isPath(source);
        boolean hasTarget = isPath(target);
        if (!hasSource && !hasTarget) {
            return Optional.empty();
        }
        List<String> subtrees = new ArrayList<>(depth);
        if (hasSource) {
            addSubtrees(source, depth, subtrees);
        }
        if (hasTarget) {
            addSubtrees(target, depth, subtrees);
        }
        return Optional.of(new CountedCall(READS.contains(command), subtrees));
    }

    /** Whether an audited text is a path: the audit log may also contain lists of paths, ids of tokens, or nothing. */
    private static boolean isPath(String text) {
        return text != null && !text.isEmpty() && text.charAt(0) == '/';
    }

    private static void addSubtrees(String audited, int depth, List<String> subtrees) {
        String path = audited;
        if (path.startsWith(RAW)) {
            path = path.substring(RAW.length() - 1);
        } else if (path.startsWith(RESERVED)) {
            // By the id of an inode, which may be anywhere.
            return;
        }
        if (path.contains("//")) {
            path = path.replaceAll("/+", "/");
        }
        int slash = 0;
        for (int names = 0; names < depth && slash < path.length() - 1; names++) {
            int next = path.indexOf('/', slash + 1);
            int end = next < 0 ? path.length() : next;
            boolean isSnapshot = end - slash == SNAPSHOT.length() && path.startsWith(SNAPSHOT, slash);
            if (end > MAX_PATH_LENGTH || isSnapshot) {
                return;
            }
            String subtree = path.substring(0, end);
            if (!subtrees.contains(subtree)) {
                subtrees.add(subtree);
            }
            slash = end;
        }
    }

    boolean isRead() {
        return isRead;
    }

    /** The subtrees without the root, the highest first; each once. */
    List<String> subtrees() {
        return subtrees;
    }
}
