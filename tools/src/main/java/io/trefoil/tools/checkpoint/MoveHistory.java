/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import io.trefoil.tools.checkpoint.text.Move;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The subtrees that got another owner, and when: a checkpoint of one nameservice does not have what another one owned then. */
public interface MoveHistory {

    /** The empty history of a cluster whose subtrees have no owners of their own. */
    MoveHistory NONE = new MoveHistory() {
        @Override
        public boolean isKept(Optional<String> folder) {
            return false;
        }

        @Override
        public List<Move> since(Instant time, Optional<String> folder) {
            return Collections.emptyList();
        }
    };

    /**
     * Whether there is one; does not ask the cluster.
     *
     * @param folder the URI of the folder that keeps it; empty for the one in the configuration
     */
    boolean isKept(Optional<String> folder);

    /**
     * The moves after a given time, the earliest first.
     *
     * @throws IOException if it cannot be read now
     */
    List<Move> since(Instant time, Optional<String> folder) throws IOException;
}
