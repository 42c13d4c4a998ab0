/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A requested change of the table. Whatever its kind, exactly one subtree gets another owner: changes that would change nothing are
 * refused, so that each version means a handover from one nameservice to one other. Immutable.
 */
@AutoValue
public abstract class TableChange {

    /**
     * The minimum number of nameservices of a hashed directory: a single one would have the cost of hashed directories, but spread nothing.
     */
    private static final int MIN_HASHED_NAMESERVICES = 2;

    /** The kind of change to an entry. */
    enum Kind {
        ADD,
        SET,
        REMOVE,
        HASH,
        UNHASH
    }

    /** Adds an entry. */
    public static TableChange add(SubtreePath path, String owner) {
        return new AutoValue_TableChange(Kind.ADD, path, Optional.of(owner), Collections.emptyList());
    }

    /** Gives an existing entry another owner. */
    public static TableChange set(SubtreePath path, String owner) {
        return new AutoValue_TableChange(Kind.SET, path, Optional.of(owner), Collections.emptyList());
    }

    /** Removes an entry: the owner of the directory above then owns the subtree. */
    public static TableChange remove(SubtreePath path) {
        return new AutoValue_TableChange(Kind.REMOVE, path, Optional.empty(), Collections.emptyList());
    }

    /** Makes a directory hashed: its files are spread over these nameservices by their names. */
    public static TableChange hash(SubtreePath path, List<String> nameservices) {
        return new AutoValue_TableChange(
                Kind.HASH, path, Optional.empty(), Collections.unmodifiableList(new ArrayList<>(nameservices)));
    }

    /** Makes a hashed directory one of its owner's again. */
    public static TableChange unhash(SubtreePath path) {
        return new AutoValue_TableChange(Kind.UNHASH, path, Optional.empty(), Collections.emptyList());
    }

    /** Returns the change, of whichever kind, that assigns a subtree to a nameservice; it may still be refused. */
    public static TableChange assignOwner(SubtreeTable table, SubtreePath path, String owner) {
        if (!table.owners().containsKey(path)) {
            return add(path, owner);
        }
        boolean goesBack = !path.isRoot() && table.ownerOf(path.parent()).equals(owner);
        return goesBack ? remove(path) : set(path, owner);
    }

    abstract Kind kind();

    public abstract SubtreePath path();

    abstract Optional<String> owner();

    /** The nameservices of a hashed directory; otherwise empty. */
    abstract List<String> nameservices();

    final boolean isHash() {
        return kind() == Kind.HASH;
    }

    final boolean isUnhash() {
        return kind() == Kind.UNHASH;
    }

    /** The change as text, for the history. */
    public final String text() {
        switch (kind()) {
            case ADD:
                return "add " + path() + " " + owner().get();
            case SET:
                return "set " + path() + " " + owner().get();
            case HASH:
                return "hash " + path() + " " + String.join(",", nameservices());
            case UNHASH:
                return "unhash " + path();
            default:
                return "remove " + path();
        }
    }

    /**
     * The version that the change makes from another one.
     *
     * @param nameservices those of the configuration
     * @param keptPath the directory in which the table itself is kept, which stays with the root's owner
     * @throws TableRefusedException if the change is refused; the text says why, and what to do
     */
    public final SubtreeTable applyTo(SubtreeTable table, Set<String> nameservices, SubtreePath keptPath)
            throws TableRefusedException {
        if (path().isRoot()) {
            throw new TableRefusedException("/ stays with " + table.rootOwner() + ", which keeps the table");
        }
        if (keptPath.isWithin(path()) || path().isWithin(keptPath)) {
            throw new TableRefusedException(path() + " would take the table along, which is kept in " + keptPath);
        }
        if (isUnhash()) {
            return tableWithoutHashing(table);
        }
        requireNothingHashed(table);
        if (kind() != Kind.REMOVE && !path().isUnchangedInUri()) {
            throw new TableRefusedException("Hadoop's clients read the table as URIs, in which '" + path()
                    + "' is another path, or none, so that they find the wrong files, or no table at all; rename the directory to a"
                    + " name without any of [ ] { } | ^ \" < > ` # ?");
        }
        boolean isThere = table.owners().containsKey(path());
        if (isHash() && isThere) {
            throw new TableRefusedException(path() + " is an entry, with " + table.ownerOf(path())
                    + "; hash a directory in it, or remove it first");
        }
        if (kind() == Kind.ADD && isThere) {
            throw new TableRefusedException(path() + " is an entry already, with " + table.ownerOf(path())
                    + "; to give it another owner, use set");
        }
        if ((kind() == Kind.SET || kind() == Kind.REMOVE) && !isThere) {
            throw new TableRefusedException(path() + " is not an entry; it belongs to " + table.entryFor(path())
                    + " with " + table.ownerOf(path()));
        }
        Optional<SubtreePath> below = table.entryBelow(path());
        if (below.isPresent()) {
            throw new TableRefusedException(
                    "The entry " + below.get() + " with " + table.ownerOf(below.get()) + " overlaps " + path()
                            + ": nest from the top down, so remove it first and add it again afterwards");
        }
        if (isHash()) {
            return table.withHashed(path(), requireAllKnown(table, nameservices));
        }
        SubtreeTable next = owner().isPresent()
                ? table.with(path(), requireKnown(owner().get(), table, nameservices))
                : table.without(path());
        if (next.ownerOf(path()).equals(table.ownerOf(path()))) {
            throw new TableRefusedException(path() + " belongs to " + table.ownerOf(path()) + " already, by the entry "
                    + table.entryFor(path()));
        }
        if (kind() == Kind.SET && next.ownerOf(path().parent()).equals(next.ownerOf(path()))) {
            throw new TableRefusedException(path() + " is inside " + next.entryFor(path().parent()) + ", which is with "
                    + owner().get() + " as well; use remove");
        }
        return next;
    }

    private SubtreeTable tableWithoutHashing(SubtreeTable table) throws TableRefusedException {
        if (!table.hashedDirectories().containsKey(path())) {
            throw new TableRefusedException(path() + " is not hashed");
        }
        return table.withoutHashed(path());
    }

    private void requireNothingHashed(SubtreeTable table) throws TableRefusedException {
        for (SubtreePath own : SubtreePath.hashedRoots()) {
            if (path().isWithin(own) || own.isWithin(path())) {
                throw new TableRefusedException(
                        path() + " overlaps " + own + ", where each nameservice has its parts of hashed directories");
            }
        }
        for (SubtreePath hashed : table.hashedDirectories().keySet()) {
            if (path().isWithin(hashed) || hashed.isWithin(path())) {
                throw new TableRefusedException(path() + " overlaps " + hashed + ", which is hashed over "
                        + String.join(",", table.hashedDirectories().get(hashed)));
            }
        }
    }

    private List<String> requireAllKnown(SubtreeTable table, Set<String> configured) throws TableRefusedException {
        for (String nameservice : nameservices()) {
            requireKnown(nameservice, table, configured);
        }
        if (nameservices().size() < MIN_HASHED_NAMESERVICES
                || new HashSet<>(nameservices()).size() < nameservices().size()) {
            throw new TableRefusedException("Wanted two or more nameservices for the files of " + path()
                    + ", each once, found '" + String.join(",", nameservices()) + "'");
        }
        return nameservices();
    }

    private String requireKnown(String owner, SubtreeTable table, Set<String> nameservices)
            throws TableRefusedException {
        if (owner.equals(table.name())) {
            throw new TableRefusedException(
                    owner + " is the name of the table itself: " + path() + " would lead back to the table");
        }
        if (!nameservices.contains(owner)) {
            throw new TableRefusedException(
                    "There is no nameservice " + owner + " in the configuration, only " + nameservices);
        }
        return owner;
    }
}
