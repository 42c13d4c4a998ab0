/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The subtree's directory in one simulated nameservice, with what its NameNodes let clients do there. */
final class SimDirectory {

    /** A file; a new value for each change. */
    record File(long id, int content, boolean isOpen) {
        File with(int newContent, boolean open) {
            return new File(id, newContent, open);
        }
    }

    final String nameservice;
    /** That of the directory: calls by another one find nothing. */
    long number = 1;

    SortedMap<String, File> files = new TreeMap<>();
    final Map<Long, File> aside = new HashMap<>();
    final Map<String, SortedMap<String, File>> snapshots = new HashMap<>();
    boolean isThere;
    int permission = 0755;
    /** Its owner is a superuser, and nothing can be added. */
    boolean isFenced;

    boolean isClosed;
    boolean isSealed;
    /** The move whose target it is, or nothing. */
    String staging = "";
    /** The nameservice that clients are sent to, and the version by which, or nothing. */
    String movedTo = "";
    /** The move for which it is frozen, or nothing. */
    String frozenFor = "";

    boolean holdsReads;

    SimDirectory(String nameservice) {
        this.nameservice = nameservice;
    }

    private boolean isUsable() {
        return isThere && !isClosed && !isSealed && staging.isEmpty() && movedTo.isEmpty();
    }

    boolean isReadable() {
        return isUsable() && !(holdsReads && !frozenFor.isEmpty());
    }

    boolean isWritable() {
        return isUsable() && frozenFor.isEmpty();
    }

    void unfreeze() {
        frozenFor = "";
        holdsReads = false;
    }

    List<String> openFiles() {
        List<String> open = new ArrayList<>();
        files.forEach((path, file) -> {
            if (file.isOpen()) {
                open.add(path);
            }
        });
        return open;
    }

    /** Null if there is no such file. */
    Integer findContent(String path) {
        File file = files.get(path);
        return file == null ? null : (Integer) file.content();
    }

    /** What a move sees: files being written are missing. */
    static SortedMap<String, TreeNode> nodes(SortedMap<String, File> files) {
        SortedMap<String, TreeNode> nodes = new TreeMap<>();
        files.forEach((path, file) -> {
            if (!file.isOpen()) {
                nodes.put(
                        path,
                        TreeNode.newFile(
                                file.id(),
                                "stamp " + file.content(),
                                TreeNodeAttributes.builder()
                                        .owner("alice")
                                        .group("users")
                                        .permission(0644)
                                        .modificationTime(file.content())
                                        .build()));
            }
        });
        return nodes;
    }

    @Override
    public String toString() {
        return nameservice + (isThere ? "" : " absent") + (isClosed ? " closed" : "") + (isSealed ? " sealed" : "")
                + " for " + staging + ", moved to " + movedTo + ", frozen for " + frozenFor + ", 0"
                + Integer.toOctalString(permission) + " " + files;
    }
}
