/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/** The connections of moves; must be closed, which closes everything that was opened. */
public interface SubtreeMoves extends Closeable {

    MoveStore store() throws IOException;

    /**
     * Connects to both nameservices, for a move at the rate in its record.
     *
     * @param atATime how many files are copied at a time
     * @param progress receives a line for each round and each fault; any thread calls it
     */
    SubtreeMover connect(MoveRecord record, MoveLimits limits, int atATime, Consumer<String> progress)
            throws IOException;
}
