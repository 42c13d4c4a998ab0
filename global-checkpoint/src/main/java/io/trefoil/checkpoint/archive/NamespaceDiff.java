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
 * Compares two namespaces of one history. A file is the same if it has the same inode, whatever its name is. What
 * happened to a whole directory is said once, for the directory.
 */
public final class NamespaceDiff {

    private NamespaceDiff() {}

    /** The kinds of differences at a path. */
    public enum Kind {
        CREATED,
        DELETED,
        RENAMED,
        CHANGED
    }

    /** A difference. Immutable. */
    @AutoValue
    public abstract static class DiffEntry {

        static DiffEntry of(Kind kind, String path, Optional<String> before, long below) {
            return new AutoValue_NamespaceDiff_DiffEntry(kind, path, before, below);
        }

        public abstract Kind kind();

        /** Returns the path in the later namespace; for a deleted entry, the earlier path. */
        public abstract String path();

        /** The earlier path of a renamed entry; empty for others. */
        public abstract Optional<String> before();

        /** Returns how many files and directories below were created or deleted with it. */
        public abstract long descendants();
    }

    /**
     * Compares two namespaces, or the same part of both.
     *
     * @return in the order of paths
     */
    public static List<DiffEntry> compare(Collection<HistoricalFile> before, Collection<HistoricalFile> after) {
        Map<Long, HistoricalFile> old = byId(before);
        Map<Long, HistoricalFile> now = byId(after);
        List<DiffEntry> changes = new ArrayList<>();
        changes.addAll(topmostMissing(Kind.DELETED, before, now.keySet()));
        changes.addAll(topmostMissing(Kind.CREATED, after, old.keySet()));
        Map<String, String> moved = new HashMap<>();
        old.forEach((id, file) -> {
            if (now.containsKey(id)) {
                moved.put(file.path(), now.get(id).path());
            }
        });
        old.forEach((id, file) -> {
            HistoricalFile other = now.get(id);
            if (other != null && !other.path().equals(file.path()) && !isMovedByParent(file, other, moved)) {
                changes.add(DiffEntry.of(Kind.RENAMED, other.path(), Optional.of(file.path()), 0));
            }
            if (other != null && isChanged(file, other)) {
                changes.add(DiffEntry.of(Kind.CHANGED, other.path(), Optional.<String>empty(), 0));
            }
        });
        changes.sort(Comparator.comparing(DiffEntry::path).thenComparing(DiffEntry::kind));
        return Collections.unmodifiableList(changes);
    }

    private static Map<Long, HistoricalFile> byId(Collection<HistoricalFile> files) {
        Map<Long, HistoricalFile> byId = new TreeMap<>();
        files.forEach(file -> byId.put(file.inode(), file));
        return byId;
    }

    /** The topmost entries that the other namespace lacks. */
    private static List<DiffEntry> topmostMissing(Kind kind, Collection<HistoricalFile> files, Set<Long> others) {
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
        List<DiffEntry> changes = new ArrayList<>();
        below.forEach((path, count) -> changes.add(DiffEntry.of(kind, path, Optional.<String>empty(), count)));
        return changes;
    }

    private static boolean isMovedByParent(HistoricalFile file, HistoricalFile other, Map<String, String> moved) {
        return name(file.path()).equals(name(other.path()))
                && parent(other.path()).equals(moved.get(parent(file.path())));
    }

    /** Whether the properties of a file or directory changed; another time of a directory only says that something in it changed. */
    private static boolean isChanged(HistoricalFile file, HistoricalFile other) {
        boolean isSame = file.permission().equals(other.permission())
                && file.owner().equals(other.owner())
                && file.group().equals(other.group())
                && file.bytes() == other.bytes()
                && (file.kind() == HistoricalFile.Kind.DIRECTORY || file.modifiedMillis() == other.modifiedMillis());
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
