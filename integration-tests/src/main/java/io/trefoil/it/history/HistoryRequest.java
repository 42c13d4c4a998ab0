/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * A request about a small set of names that are independent of everything else.
 *
 * @param kind what to do
 * @param name the name to do it with
 * @param otherPath the new name for a RENAME, the content for a CREATE, otherwise empty
 */
public record HistoryRequest(Kind kind, String name, String otherPath) {

    /** The kinds of requests. */
    public enum Kind {
        /** Creates a file; refused if the name exists. */
        CREATE,
        /** Deletes a file or directory, if there is one. */
        DELETE,
        /** Renames to a name that must not exist. */
        RENAME,
        /** Makes a directory unless it exists; refused if a file exists there. HDFS may execute it again when a client retries it. */
        MKDIRS,
        /** Reads what the name stands for. */
        READ
    }

    /** @param content unique to this file */
    public static HistoryRequest create(String name, String content) {
        return new HistoryRequest(Kind.CREATE, name, content);
    }

    public static HistoryRequest delete(String name) {
        return new HistoryRequest(Kind.DELETE, name, "");
    }

    public static HistoryRequest rename(String from, String to) {
        return new HistoryRequest(Kind.RENAME, from, to);
    }

    public static HistoryRequest mkdirs(String name) {
        return new HistoryRequest(Kind.MKDIRS, name, "");
    }

    public static HistoryRequest read(String name) {
        return new HistoryRequest(Kind.READ, name, "");
    }

    @Override
    public String toString() {
        return kind + " " + name + (otherPath.isEmpty() ? "" : " " + otherPath);
    }
}
