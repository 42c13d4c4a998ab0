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

/** The stored table, and the directories of its subtrees. Calls wait for NameNodes. Not thread-safe. */
public interface TableStore extends Closeable {

    /** The state of a path in one nameservice. */
    enum DirectoryState {
        ABSENT,
        EMPTY,
        /** The directory is not empty, or is a file. */
        IN_USE,
        /** The directory is empty; any call that would add something to it, remove it or rename it is refused. */
        SEALED
    }

    /** The configured nameservices. */
    Set<String> nameservices();

    /** The nameservice that keeps the table. */
    String tableNameservice();

    /** The directory in which the keeper keeps the table. */
    SubtreePath tableDirectory();

    /** The user who makes the calls. */
    String user() throws IOException;

    /** Whether this user is a superuser in a nameservice, which is asked for that. */
    boolean isSuperuser(String nameservice) throws IOException;

    /** @throws TableRefusedException if this user is no superuser of one of these nameservices */
    default void requireSuperuser(Collection<String> nameservices) throws IOException {
        for (String nameservice : new TreeSet<>(nameservices)) {
            if (!isSuperuser(nameservice)) {
                throw new TableRefusedException(
                        "Wanted a superuser of hdfs://" + nameservice + ", found " + user() + "; nothing was changed");
            }
        }
    }

    /** Whether the servers of a nameservice are Routers, which have no paths of their own; one of them is asked for that. */
    boolean isRouterNameservice(String nameservice) throws IOException;

    /** @throws TableRefusedException if one of these nameservices can own nothing, or this user is no superuser of it */
    default void requireOwners(Collection<String> nameservices) throws IOException {
        for (String nameservice : new TreeSet<>(nameservices)) {
            if (isRouterNameservice(nameservice)) {
                throw new TableRefusedException("Wanted a nameservice of NameNodes, found hdfs://" + nameservice
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
        return newest().orElseThrow(() -> new TableRefusedException("There is no table in hdfs://" + tableNameservice()
                + tableDirectory() + "; create one: hdfs trefoil table create " + "NAME"));
    }

    /** All versions, oldest first. */
    List<TableRecord> history() throws IOException;

    /** A check whether a process may still proceed. */
    interface Permit {
        /** @throws IOException if not, or if that is not known */
        void requirePermitted() throws IOException;
    }

    /**
     * Makes a record the newest version, unless another process has made that number: compare and set. Durable when it returns.
     *
     * @return false if another process has made it; nothing has changed then
     */
    default boolean append(TableRecord record) throws IOException {
        return append(record, () -> {});
    }

    /**
     * Makes a record the newest version like {@link #append(TableRecord)}, if it is permitted.
     *
     * @param permit asked just before the one call that writes the new version; if it refuses, none is written
     */
    boolean append(TableRecord record, Permit permit) throws IOException;

    /**
     * Removes the drafts that other processes have prepared of the versions of a change, even of one whose {@link #append} is in
     * progress: afterwards, the history gains nothing more of that change, unless it is prepared again.
     *
     * @param change as in {@link TableRecord#change}
     */
    void withdrawDrafts(String change) throws IOException;

    /** Returns why {@link #createPart} would refuse a directory, each as a sentence, by the same checks. Changes nothing. */
    List<String> partObstacles(String from, SubtreePath path) throws IOException;

    /**
     * Makes the part of a directory that is to be hashed, with the owner, group and permission that the directory has on its present owner.
     * Making it twice has the effect of making it once.
     *
     * @throws TableRefusedException if there are {@link #partObstacles}; nothing has changed then
     */
    void createPart(String nameservice, String from, SubtreePath path) throws IOException;

    DirectoryState inspect(String nameservice, SubtreePath path) throws IOException;

    /**
     * Atomically replaces an empty directory with another one: at no time is there none.
     *
     * @throws IOException also if it is not empty any longer; nothing has changed then
     */
    void replaceEmpty(String nameservice, SubtreePath empty, SubtreePath replacement) throws IOException;

    /**
     * Returns why {@link #seal} would refuse an empty or absent directory, each as a sentence, by the same checks. Changes
     * nothing.
     */
    List<String> sealObstacles(String nameservice, SubtreePath path) throws IOException;

    /**
     * Seals an empty directory; creates it first if it is absent. A creation in progress may have come before the seal, so callers look again
     * afterwards. Sealing twice has the effect of sealing once.
     *
     * @throws TableRefusedException if there are {@link #sealObstacles}; nothing has changed then
     */
    default void seal(String nameservice, SubtreePath path) throws IOException {
        seal(nameservice, path, () -> {});
    }

    /**
     * Seals a directory like {@link #seal(String, SubtreePath)}, as far as it is permitted.
     *
     * @param permit asked just before each call that changes something; if it refuses, the directory may be sealed in part
     */
    void seal(String nameservice, SubtreePath path, Permit permit) throws IOException;

    /** Makes the NameNodes of an entry's owner refuse, if they can, to delete or rename its directory. */
    void protectEntry(String nameservice, SubtreePath path) throws IOException;

    /** Reverts {@link #protectEntry}; does nothing if the entry is not protected. */
    void unprotectEntry(String nameservice, SubtreePath path) throws IOException;

    /**
     * Makes the NameNodes of the old owner redirect, if they can, clients with an older table to the present owner of a sealed directory.
     *
     * @param owner by that version of the table
     */
    void setRedirect(String nameservice, SubtreePath path, String owner, int version) throws IOException;

    /**
     * Reverts {@link #setRedirect}, before the directory belongs to this nameservice again; the seal stays.
     *
     * @return whether there was anything to take back
     */
    boolean clearRedirect(String nameservice, SubtreePath path) throws IOException;

    /** Whether clients of a directory are redirected to another nameservice, as by {@link #setRedirect}. */
    boolean hasRedirect(String nameservice, SubtreePath path) throws IOException;

    /**
     * The commands that remove the parts of a seal and of {@link #setRedirect}, in order; empty if there are none. A
     * quota of one name counts as well, no matter which process or user has set it.
     */
    List<String> sealRemovalCommands(String nameservice, SubtreePath path) throws IOException;

    /** Whether a directory has a seal, including one that is ineffective because its quota was replaced. */
    boolean hasSeal(String nameservice, SubtreePath path) throws IOException;

    /**
     * Removes a quota that replaced a seal's, and which a seal would not replace.
     *
     * @return false if there is none
     */
    boolean clearOtherQuota(String nameservice, SubtreePath path) throws IOException;

    /** Removes a seal and a redirect by {@link #setRedirect}; does nothing if there is neither. */
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
