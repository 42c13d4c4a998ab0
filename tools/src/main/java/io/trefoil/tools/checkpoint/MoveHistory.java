/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import io.trefoil.tools.checkpoint.text.Move;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The subtrees that got another owner, with times: a checkpoint of one nameservice does not contain subtrees that another one owned then.
 */
public interface MoveHistory {

    /** The empty history of a cluster without owners of subtrees. */
    MoveHistory NONE = new MoveHistory() {
        @Override
        public boolean exists(Optional<String> directory) {
            return false;
        }

        @Override
        public List<Move> movesSince(Instant time, Optional<String> directory) {
            return Collections.emptyList();
        }
    };

    /**
     * Whether a history exists; does not query the cluster.
     *
     * @param directory the URI of the directory that keeps it; empty for the one in the configuration
     */
    boolean exists(Optional<String> directory);

    /**
     * The moves after a given time, earliest first.
     *
     * @throws IOException if it cannot be read now
     */
    List<Move> movesSince(Instant time, Optional<String> directory) throws IOException;
}
