/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The table where it is kept, and the folders of its subtrees. Calls wait for NameNodes. Not thread-safe. */
public interface TableStore extends Closeable {

    /** The state of a path in one nameservice. */
    enum DirectoryState {
        ABSENT,
        EMPTY,
        /** The folder has contents, or is a file. */
        IN_USE,
        /** The folder is empty; any call that would add something to it, remove it or rename it is refused. */
        SEALED
    }

    /** The configured nameservices. */
    Set<String> nameservices();

    /** The nameservice that keeps the table. */
    String keeper();

    /** The folder in which the keeper keeps the table. */
    SubtreePath kept();

    /** The user who asks. */
    String user() throws IOException;

    /** Whether this user may do everything in a nameservice; asks it. */
    boolean isSuperuser(String nameservice) throws IOException;

    /** @throws TableRefusedException if this user is no superuser of one of these nameservices */
    default void requireSuperuser(Collection<String> nameservices) throws IOException {
        for (String one : new TreeSet<>(nameservices)) {
            if (!isSuperuser(one)) {
                throw new TableRefusedException(
                        "Wanted a superuser of hdfs://" + one + ", found " + user() + "; nothing was changed");
            }
        }
    }

    /** Whether the servers of a nameservice are Routers, which have no paths of their own; asks one of them. */
    boolean isRouterNameservice(String nameservice) throws IOException;

    /** @throws TableRefusedException if one of these nameservices can own nothing, or this user is no superuser of it */
    default void requireOwners(Collection<String> nameservices) throws IOException {
        for (String one : new TreeSet<>(nameservices)) {
            if (isRouterNameservice(one)) {
                throw new TableRefusedException("Wanted a nameservice of NameNodes, found hdfs://" + one
                        + ", which stands for Routers: a call that is sent to them is sent on, perhaps to where it"
                        + " came from; nothing was changed");
            }
        }
        requireSuperuser(nameservices);
    }

    /** The newest version; empty if there is no table yet. */
    Optional<TableRecord> newest() throws IOException;

    /** @throws TableRefusedException if there is no table */
    default TableRecord requireNewest() throws IOException {
        return newest().orElseThrow(() -> new TableRefusedException("There is no table in hdfs://" + keeper() + kept()
                + "; create one: hdfs trefoil table create " + "NAME"));
    }

    /** All versions, the oldest first. */
    List<TableRecord> history() throws IOException;

    /** A check whether a process may still do what it is about to do. */
    interface Permit {
        /** @throws IOException if not, or if that is not known */
        void require() throws IOException;
    }

    /**
     * Makes a record the newest version, unless another process has made that number: compare and set. Durable when it returns.
     *
     * @return false if somebody else has; nothing has changed then
     */
    default boolean append(TableRecord record) throws IOException {
        return append(record, () -> {});
    }

    /**
     * Makes a record the newest version like {@link #append(TableRecord)}, if it is permitted.
     *
     * @param permit asked just before the one call that makes the version; if it refuses, there is none
     */
    boolean append(TableRecord record, Permit permit) throws IOException;

    /**
     * Takes away what others have prepared of the versions of a change, also of one whose {@link #append} is on its
     * way: what the history has of that change afterwards is all that it will have, unless it is prepared again.
     *
     * @param change as in {@link TableRecord#change}
     */
    void withdraw(String change) throws IOException;

    /** Why {@link #createPart} would refuse a directory, a sentence each; it asks the same. Changes nothing. */
    List<String> partObstacles(String from, SubtreePath path) throws IOException;

    /**
     * Makes the part of a directory that is to be hashed, with the owner, group and permission that the directory has at its present owner.
     * Making it twice has the effect of making it once.
     *
     * @throws TableRefusedException if there are {@link #partObstacles}; nothing has changed then
     */
    void createPart(String nameservice, String from, SubtreePath path) throws IOException;

    DirectoryState inspect(String nameservice, SubtreePath path) throws IOException;

    /**
     * Has a folder take the place of an empty one, at once: at no time is there nothing.
     *
     * @throws IOException also if it is not empty any more; nothing has changed then
     */
    void replaceEmpty(String nameservice, SubtreePath empty, SubtreePath by) throws IOException;

    /** Why {@link #seal} would refuse an empty or absent folder, a sentence each; it asks the same. Changes nothing. */
    List<String> sealObstacles(String nameservice, SubtreePath path) throws IOException;

    /**
     * Seals an empty folder; creates it first if it is absent. A creation in progress may have come before the seal, so callers look again
     * afterwards. Sealing twice has the effect of sealing once.
     *
     * @throws TableRefusedException if there are {@link #sealObstacles}; nothing has changed then
     */
    default void seal(String nameservice, SubtreePath path) throws IOException {
        seal(nameservice, path, () -> {});
    }

    /**
     * Seals a folder like {@link #seal(String, SubtreePath)}, as far as it is permitted.
     *
     * @param permit asked just before each call that changes something; if it refuses, the folder may be sealed in part
     */
    void seal(String nameservice, SubtreePath path, Permit permit) throws IOException;

    /** Makes the NameNodes of an entry's owner, if they can, refuse to delete or rename its folder. */
    void keep(String nameservice, SubtreePath path) throws IOException;

    /** Takes back what {@link #keep} did, if anything. */
    void release(String nameservice, SubtreePath path) throws IOException;

    /**
     * Makes the NameNodes of the old owner, if they can, tell clients with an older table where a sealed folder is now.
     *
     * @param owner by that version of the table
     */
    void leave(String nameservice, SubtreePath path, String owner, int version) throws IOException;

    /**
     * Takes back what {@link #leave} did, before the folder is this nameservice's again; the seal stays.
     *
     * @return whether there was anything to take back
     */
    boolean unmark(String nameservice, SubtreePath path) throws IOException;

    /** Whether clients are told that a folder is another nameservice's, as by {@link #leave}. */
    boolean isMarked(String nameservice, SubtreePath path) throws IOException;

    /**
     * The commands that remove what there is of a seal, and what {@link #leave} did, in their order; none if nothing of that is there. A
     * quota of one name counts as well, whoever has set it.
     */
    List<String> sealRemovals(String nameservice, SubtreePath path) throws IOException;

    /** Whether a folder has a seal, also one that does not hold because its quota was replaced. */
    boolean hasSeal(String nameservice, SubtreePath path) throws IOException;

    /**
     * Takes away a quota that was put in the place of a seal's, and which a seal would not replace.
     *
     * @return false if nobody has
     */
    boolean clearOtherQuota(String nameservice, SubtreePath path) throws IOException;

    /** Removes a seal, and what {@link #leave} did; does nothing if there is neither. */
    default void unseal(String nameservice, SubtreePath path) throws IOException {
        unseal(nameservice, path, () -> {});
    }

    /**
     * Removes a seal like {@link #unseal(String, SubtreePath)}, as far as it is permitted.
     *
     * @param permit asked just before each call that changes something; if it refuses, a part of the seal may be left
     */
    void unseal(String nameservice, SubtreePath path, Permit permit) throws IOException;
}
