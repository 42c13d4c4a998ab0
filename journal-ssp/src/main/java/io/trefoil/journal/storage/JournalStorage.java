/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * The durable state of one journal on one node (protocol page, "Storage").
 *
 * <p>One thread at a time calls the methods, except {@link #read}, {@code readFromMemory}, {@link #base} and
 * {@link #lastSn}. After an {@link IOException} from a method that writes, the tail is unknown: every further write is
 * refused, the owner closes the storage, and opening it again determines the tail.
 */
public interface JournalStorage extends Closeable {

    /** The contents found when the storage was opened. */
    RecoveredJournal recoveredJournal();

    /**
     * Replaces the promise and the completeness; durable when it returns, old or new if interrupted. First makes
     * everything written before durable, so that a node never says its log is complete before it is.
     */
    void savePromise(Promise promise, LogCompleteness completeness) throws IOException;

    /**
     * Writes entries at the end of the log with one sequential write; {@link #sync} makes them durable. After a crash
     * before that, any part of them may be there; the next opening cuts what is incomplete.
     *
     * @param entries must begin one above {@link #lastSn()}
     * @param committedSn stored with them, so that a restarted node knows about how far it may serve readers
     * @throws IllegalArgumentException if they leave a gap or overlap: a bug in the caller
     */
    void write(List<Entry> entries, long committedSn) throws IOException;

    /**
     * Makes sure that the device accepts more data: writes something and, where files are prepared ahead, waits for the next
     * one. Changes nothing that was promised. Called before failed storage is used again.
     *
     * @throws IOException if it does not
     */
    void proveWritable() throws IOException;

    /** Makes everything written durable; does nothing if nothing was written since the last call. */
    void sync() throws IOException;

    /**
     * Notes that everything synced so far is durable, so that damage at the very end of the log is found after a crash
     * (rule R9). Does not wait for the disk, and the note may be lost in a power failure soon after; costs nothing if
     * nothing was synced since the last time.
     */
    void markDurable();

    /**
     * Truncates every entry above {@code lastSn}; the cut and everything left are durable when it returns; old or new if
     * interrupted.
     *
     * @throws IllegalArgumentException if {@code lastSn} is below the base: a bug in the caller
     * @throws IOException also if an entry to be kept is damaged: the cut would remove the proof that this is no torn
     *     tail. The next opening finds the damage
     */
    void truncate(long lastSn) throws IOException;

    /** Replaces the whole log with an empty one after {@code base}; durable when it returns, old or new if interrupted. */
    void rebase(LogSummary base) throws IOException;

    /** Removes whole log files with entries below {@code firstSn} only; keeps everything else. */
    void purge(long firstSn) throws IOException;

    /**
     * Reads entries from {@code firstSn} on, including written entries that are not durable yet; checks their
     * checksums. Called by any thread, also while others write.
     *
     * @param maxBytes limit of the payload bytes; at least one entry is returned if there is one
     * @return consecutive entries from {@code firstSn}; none if it is above the last one
     * @throws PurgedException if {@code firstSn} is below the oldest entry kept
     * @throws IOException if the device failed, or if a frame is damaged: nothing of it is returned
     */
    List<Entry> read(long firstSn, int maxBytes) throws IOException;

    /**
     * Reads as {@link #read} does, but only from memory: does not wait for a disk. Called by any thread, also while others
     * write.
     *
     * @return an empty list if the first entry is not in memory
     */
    default List<Entry> readFromMemory(long firstSn, int maxBytes) {
        return Collections.emptyList();
    }

    /** The summary after which the log begins. Called by any thread. */
    LogSummary base();

    /** Serial number of the last entry written; that of {@link #base()} if there is none. Called by any thread. */
    long lastSn();
}
