/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What became different between two namespaces of one line. A file is the same if it has the same inode, whatever its name is. What
 * happened to a whole directory is said once, for the directory.
 */
public final class NamespaceDiff {

    private NamespaceDiff() {}

    /** What happened to a path. */
    public enum Kind {
        CREATED,
        DELETED,
        RENAMED,
        CHANGED
    }

    /** A difference. Immutable. */
    @AutoValue
    public abstract static class Change {

        static Change of(Kind kind, String path, Optional<String> before, long below) {
            return new AutoValue_NamespaceDiff_Change(kind, path, before, below);
        }

        public abstract Kind kind();

        /** As it is afterwards; of what was deleted, as it was. */
        public abstract String path();

        /** The path that what was renamed had before; empty for others. */
        public abstract Optional<String> before();

        /** How many files and directories below were created or deleted with it. */
        public abstract long below();
    }

    /**
     * Compares two namespaces, or the same part of both.
     *
     * @return in the order of paths
     */
    public static List<Change> of(Collection<PastFile> before, Collection<PastFile> after) {
        Map<Long, PastFile> old = byId(before);
        Map<Long, PastFile> now = byId(after);
        List<Change> changes = new ArrayList<>();
        changes.addAll(only(Kind.DELETED, before, now.keySet()));
        changes.addAll(only(Kind.CREATED, after, old.keySet()));
        Map<String, String> moved = new HashMap<>();
        old.forEach((id, file) -> {
            if (now.containsKey(id)) {
                moved.put(file.path(), now.get(id).path());
            }
        });
        old.forEach((id, file) -> {
            PastFile other = now.get(id);
            if (other != null && !other.path().equals(file.path()) && !isMovedByParent(file, other, moved)) {
                changes.add(Change.of(Kind.RENAMED, other.path(), Optional.of(file.path()), 0));
            }
            if (other != null && isChanged(file, other)) {
                changes.add(Change.of(Kind.CHANGED, other.path(), Optional.<String>empty(), 0));
            }
        });
        changes.sort(Comparator.comparing(Change::path).thenComparing(Change::kind));
        return Collections.unmodifiableList(changes);
    }

    private static Map<Long, PastFile> byId(Collection<PastFile> files) {
        Map<Long, PastFile> byId = new TreeMap<>();
        files.forEach(file -> byId.put(file.inode(), file));
        return byId;
    }

    /** The topmost of what the other namespace lacks. */
    private static List<Change> only(Kind kind, Collection<PastFile> files, Set<Long> others) {
        Set<String> paths = new TreeSet<>();
        files.stream().filter(file -> !others.contains(file.inode())).forEach(file -> paths.add(file.path()));
        Map<String, Long> below = new TreeMap<>();
        for (String path : paths) {
            String top = path;
            for (String parent = parent(path); paths.contains(parent); parent = parent(parent)) {
                top = parent;
            }
            below.merge(top, top.equals(path) ? 0L : 1L, Long::sum);
        }
        List<Change> changes = new ArrayList<>();
        below.forEach((path, count) -> changes.add(Change.of(kind, path, Optional.<String>empty(), count)));
        return changes;
    }

    private static boolean isMovedByParent(PastFile file, PastFile other, Map<String, String> moved) {
        return name(file.path()).equals(name(other.path()))
                && parent(other.path()).equals(moved.get(parent(file.path())));
    }

    /** Other times of a directory only say that something in it changed. */
    private static boolean isChanged(PastFile file, PastFile other) {
        boolean isSame = file.permission().equals(other.permission())
                && file.owner().equals(other.owner())
                && file.group().equals(other.group())
                && file.bytes() == other.bytes()
                && (file.kind() == PastFile.Kind.DIRECTORY || file.modifiedMillis() == other.modifiedMillis());
        return !isSame;
    }

    /** The path of a directory; of the root, which has none, nothing that is a path. */
    private static String parent(String path) {
        int at = path.lastIndexOf('/');
        return at > 0 ? path.substring(0, at) : at == 0 && path.length() > 1 ? "/" : "";
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
