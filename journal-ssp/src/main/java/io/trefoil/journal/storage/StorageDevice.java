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
     * Returns how long the oldest pending call has waited: that is, a single read, write, sync or the like, not a long operation that makes
     * many calls. Zero if none is pending. For any thread; does not block.
     */
    Duration stallTime();

    /**
     * Whether there is storage of this journal; an interrupted format does not count.
     *
     * @throws IOException if the device cannot be read
     */
    boolean isFormatted() throws IOException;

    /**
     * Creates storage whose log begins after {@code base} with {@code entries}, all of them committed. Durable and
     * complete when it returns; if interrupted at any point, all of it exists or nothing.
     *
     * <p>Existing storage is moved aside, never deleted; the caller has checked that this is wanted.
     *
     * @throws IOException if the device failed; {@link #isFormatted()} tells the truth about it afterwards
     */
    void format(StorageIdentity identity, LogSummary base, List<Entry> entries) throws IOException;

    /**
     * Moves the storage aside without deleting anything; afterwards there is none, and this node has a new id. The
     * storage must not be open. Durable when it returns.
     *
     * @return where it is now
     * @throws IOException if the device failed; {@link #isFormatted()} tells the truth about it afterwards
     */
    String moveAside() throws IOException;

    /**
     * Moves the storage aside as {@link #moveAside} does, and leaves in its place an empty log to be refetched, with
     * the given identity and promise. If interrupted, there is the old storage, the new one, or none.
     */
    String startOver(StorageIdentity identity, Promise promise) throws IOException;

    /**
     * Checks whether there is room for the log to grow, without opening or changing anything. Cheap, unlike
     * {@link #open}, which reads the whole log: storage that ran out of room is not reopened until this succeeds.
     *
     * @throws IOException if there is none; the message says how much is missing
     */
    void requireSpace() throws IOException;

    /**
     * Opens the storage and determines what it holds: cuts a torn tail, finds damage (rule R9).
     *
     * @throws IOException if there is none, if another process has it open, or if the device failed
     */
    JournalStorage open() throws IOException;
}
