/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Manifest;
import java.io.IOException;

/**
 * The NameNode that takes part in a checkpoint. One thread calls a freeze's {@code prepare}, {@code lock}, {@code cut}
 * and {@code unlock}.
 */
public interface Namesystem {

    /**
     * Does everything that does not need the lock: checks that a checkpoint can be made, chooses an image and keeps it. Any thread may call
     * it before the order to freeze; it is called again with the order, and then has little left to do.
     *
     * @throws IOException if this NameNode cannot make a checkpoint, for instance because it is not active
     */
    void prepare(FreezeOrder order) throws IOException;

    /**
     * Takes the lock, so that no client reads or writes until it is released.
     *
     * @throws InterruptedException if the thread was interrupted before it had the lock
     * @throws IOException if the NameNode is no longer active; it does not hold the lock then
     */
    void lock() throws InterruptedException, IOException;

    /**
     * Makes all edits durable and ends the segment; called with the lock.
     *
     * @throws IOException if that cannot be done
     */
    Cut cut(FreezeOrder order) throws IOException;

    /** Releases the lock. */
    void unlock();

    /**
     * Commits the barrier. Any thread.
     *
     * @throws IOException if it is unknown whether the barrier is committed
     */
    void mark(Manifest manifest) throws IOException;

    /**
     * Removes whatever exists of a checkpoint, in the journal as well, and waits until that is committed. Any thread.
     *
     * @throws IOException if it is unknown whether that is committed, for instance because this NameNode is not
     *     active
     */
    void removeMark(CheckpointId id) throws IOException;
}
