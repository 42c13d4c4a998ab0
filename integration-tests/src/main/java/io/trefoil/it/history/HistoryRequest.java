/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * What is asked of a few names that depend on nothing else.
 *
 * @param kind what to do
 * @param name with which name
 * @param other the new name of a RENAME, the content of a CREATE, else empty
 */
public record HistoryRequest(Kind kind, String name, String other) {

    /** What can be asked. */
    public enum Kind {
        /** A file, where there must be nothing. */
        CREATE,
        /** Of a file or directory that may be there. */
        DELETE,
        /** To a name where there must be nothing. */
        RENAME,
        /** A directory, if there is none; refused where a file is. HDFS may execute it again when it is sent again. */
        MKDIRS,
        /** What is there. */
        READ
    }

    /** @param content tells the file from every other one */
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
        return kind + " " + name + (other.isEmpty() ? "" : " " + other);
    }
}
