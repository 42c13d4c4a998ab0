/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The place where one node keeps one journal: a directory, or a simulated disk. One owner at a time. */
public interface StorageDevice {

    /**
     * For how long it owes an answer to the oldest single call that is under way: a read, a write, a sync, or the like, not all of
     * those of a long piece of work together. Zero if it owes none. For any thread, and waits for nothing.
     */
    Duration silent();

    /**
     * Whether there is storage of this journal; a format that was interrupted does not count.
     *
     * @throws IOException if the device cannot be read
     */
    boolean isFormatted() throws IOException;

    /**
     * Makes storage whose log begins behind {@code base} with {@code entries}, all of them committed. Durable
     * and complete when it returns; interrupted at any point, there is either the whole of it or nothing.
     *
     * <p>Storage that is there already is moved aside, never deleted; the caller has asked whether that is
     * wanted.
     *
     * @throws IOException if the device failed; {@link #isFormatted()} tells the truth about it afterwards
     */
    void format(StorageIdentity identity, LogSummary base, List<Entry> entries) throws IOException;

    /**
     * Moves the storage aside, never deleting anything; afterwards there is none, and this node is somebody else. The
     * storage must not be open. Durable when it returns.
     *
     * @return where it is now
     * @throws IOException if the device failed; {@link #isFormatted()} tells the truth about it afterwards
     */
    String moveAside() throws IOException;

    /**
     * The same, and in its place an empty log that is to be refetched, of the same node and with the same promise.
     * Interrupted, there is the old storage, the new one, or none.
     */
    String startOver(StorageIdentity identity, Promise promise) throws IOException;

    /**
     * Looks whether there is room for the log to grow, without opening or changing anything. Cheap, unlike {@link #open},
     * which reads the whole log: storage that ran out of room is not opened again before.
     *
     * @throws IOException if there is none; the message says how much is missing
     */
    void expectRoom() throws IOException;

    /**
     * Opens the storage and finds out what it holds: cuts a torn tail, finds damage (rule R9).
     *
     * @throws IOException if there is none, if another process has it open, or if the device failed
     */
    JournalStorage open() throws IOException;
}
