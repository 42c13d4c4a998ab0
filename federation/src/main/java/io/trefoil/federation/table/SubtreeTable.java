/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A version of the table: which nameservice owns which subtree. Every path has exactly one owner, that of the longest
 * entry that contains it; the root always has one. The files of hashed directories are spread over several
 * nameservices; the owner has their sealed directories. Immutable.
 */
@AutoValue
public abstract class SubtreeTable {

    /** The form of names that are valid as the host of a URI, and as one part of a Hadoop property's name. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");

    /**
     * Creates the first version of the table: one nameservice owns everything.
     *
     * @throws IllegalArgumentException if a name is not valid
     */
    public static SubtreeTable first(String name, String rootOwner) {
        return of(1, name, Collections.singletonMap(SubtreePath.root(), rootOwner));
    }

    /** @throws IllegalArgumentException if the version is not positive, a name is not valid, or no nameservice owns the root */
    static SubtreeTable of(int version, String name, Map<SubtreePath, String> owners) {
        return of(version, name, owners, Collections.emptyMap());
    }

    static SubtreeTable of(
            int version, String name, Map<SubtreePath, String> owners, Map<SubtreePath, List<String>> hashed) {
        if (version < 1) {
            throw new IllegalArgumentException("Versions begin with 1, found " + version);
        }
        requireName(name);
        owners.values().forEach(SubtreeTable::requireName);
        if (!owners.containsKey(SubtreePath.root())) {
            throw new IllegalArgumentException("No nameservice owns the root in version " + version + ": " + owners);
        }
        hashed.values().forEach(nameservices -> nameservices.forEach(SubtreeTable::requireName));
        return new AutoValue_SubtreeTable(
                version,
                name,
                Collections.unmodifiableSortedMap(new TreeMap<>(owners)),
                Collections.unmodifiableSortedMap(new TreeMap<>(hashed)));
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Wanted a name of letters, digits and '-', found '" + name + "'");
        }
    }

    /** The number of the version, from 1, without gaps. */
    public abstract int version();

    /** The authority of the paths that the table is for: {@code hdfs://name/...}. */
    public abstract String name();

    /** The nameservice of each entry, starting with the root's. */
    public abstract SortedMap<SubtreePath, String> owners();

    /** The nameservices of each hashed directory, in the order of their parts. */
    public abstract SortedMap<SubtreePath, List<String>> hashedDirectories();

    /** The hashed directory that contains a path, if one does. */
    public final Optional<SubtreePath> enclosingHashedDirectory(SubtreePath path) {
        return hashedDirectories().keySet().stream().filter(path::isWithin).findFirst();
    }

    /** The owner of everything that no other entry contains; it also keeps the table. */
    public final String rootOwner() {
        return owners().get(SubtreePath.root());
    }

    /** The longest entry that contains a path. */
    public final SubtreePath entryFor(SubtreePath path) {
        SubtreePath entry = path;
        while (!owners().containsKey(entry)) {
            entry = entry.parent();
        }
        return entry;
    }

    /** The nameservice that a path belongs to. */
    public final String ownerOf(SubtreePath path) {
        return owners().get(entryFor(path));
    }

    /** Whether a nameservice holds the content of a directory, which for a hashed directory is elsewhere. */
    public final boolean ownsContents(String nameservice, SubtreePath path) {
        return ownerOf(path).equals(nameservice)
                && !enclosingHashedDirectory(path).isPresent();
    }

    /** The next version, in which an entry has this owner. */
    final SubtreeTable with(SubtreePath path, String owner) {
        TreeMap<SubtreePath, String> next = new TreeMap<>(owners());
        next.put(path, owner);
        return of(version() + 1, name(), next, hashedDirectories());
    }

    /** The next version, without this entry. */
    final SubtreeTable without(SubtreePath path) {
        TreeMap<SubtreePath, String> next = new TreeMap<>(owners());
        next.remove(path);
        return of(version() + 1, name(), next, hashedDirectories());
    }

    /** The next version, in which a directory is hashed over these nameservices. */
    final SubtreeTable withHashed(SubtreePath path, List<String> nameservices) {
        TreeMap<SubtreePath, List<String>> next = new TreeMap<>(hashedDirectories());
        next.put(path, nameservices);
        return of(version() + 1, name(), owners(), next);
    }

    /** The next version, in which a directory is no longer hashed. */
    final SubtreeTable withoutHashed(SubtreePath path) {
        TreeMap<SubtreePath, List<String>> next = new TreeMap<>(hashedDirectories());
        next.remove(path);
        return of(version() + 1, name(), owners(), next);
    }

    /** An entry below a path, if there is one. */
    final Optional<SubtreePath> entryBelow(SubtreePath path) {
        return owners().keySet().stream()
                .filter(entry -> entry.isWithin(path) && !entry.equals(path))
                .findFirst();
    }
}
