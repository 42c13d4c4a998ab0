/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.table.TableRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The record of the move in progress, next to the table. There is one at a time. What it writes is durable when a method returns. */
public interface MoveStore {

    /**
     * Keeps other processes from continuing or undoing the same move at the same time, until it is closed, or about a minute after this
     * process has exited.
     *
     * @throws TableRefusedException if another process has it
     */
    Closeable lock() throws IOException;

    /** @throws IOException if the lock was lost, for example because this process stood still for long */
    void requireLock() throws IOException;

    /** The move that has begun and not ended. */
    Optional<MoveRecord> current() throws IOException;

    /**
     * @return false if another move has begun meanwhile; nothing has changed then
     * @throws IOException also if the lock was lost
     */
    boolean begin(MoveRecord record) throws IOException;

    void update(MoveRecord record) throws IOException;

    /**
     * Stores the progress of the move for other processes to read; may be called by any thread. A crash may lose it.
     *
     * @throws IOException if it is not kept: also if the lock was lost, as then another process has the move
     */
    void saveProgress(MoveProgress progress) throws IOException;

    /** The last stored progress of the move; empty if there is none. */
    Optional<MoveProgress> readProgress(MoveRecord record) throws IOException;

    /** Whether the record of a move was filed away. */
    boolean hasEnded(MoveRecord record) throws IOException;

    /** Files the record away. */
    void end(MoveRecord record) throws IOException;
}
