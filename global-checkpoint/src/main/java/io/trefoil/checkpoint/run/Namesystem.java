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
     * Does what need not be done under the lock: sees that a checkpoint can be made, chooses an image and keeps it. Called
     * before the order to freeze by any thread, and again with it; then there is little left to do.
     *
     * @throws IOException if this NameNode can make none, because it is not active for instance
     */
    void prepare(FreezeOrder order) throws IOException;

    /**
     * Takes the lock, so that nothing is read or written until it is given back.
     *
     * @throws InterruptedException if the thread was interrupted before it had the lock
     * @throws IOException if the NameNode is not active any more; it has not the lock then
     */
    void lock() throws InterruptedException, IOException;

    /**
     * Under the lock: makes all edits durable and ends the segment.
     *
     * @throws IOException if that cannot be done
     */
    Cut cut(FreezeOrder order) throws IOException;

    /** Gives the lock back. */
    void unlock();

    /**
     * Commits the barrier. Any thread.
     *
     * @throws IOException if it is not known to be committed
     */
    void mark(Manifest manifest) throws IOException;

    /**
     * Removes whatever there is of a checkpoint, in the journal, too, and waits until that is committed. Any thread.
     *
     * @throws IOException if it is not known to be committed, because this NameNode is not the active one for instance
     */
    void unmark(CheckpointId id) throws IOException;
}
