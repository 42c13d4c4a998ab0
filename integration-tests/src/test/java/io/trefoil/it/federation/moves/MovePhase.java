/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import io.trefoil.federation.marks.FrozenMark;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/** How far a move is, by what a superuser finds in HDFS. */
enum MovePhase {
    /** Clients work at the source, and the target has something. */
    COPYING {
        @Override
        boolean isReached(MoveContext move) throws IOException {
            return move.federation().recordedPhase().equals(Optional.of("COPYING"))
                    && move.federation().clientOfNameservice(move.target()).listStatus(move.directory()).length > 0;
        }
    },
    /** Both trees are read and compared, before the pause. */
    LAST_ROUND {
        @Override
        boolean isReached(MoveContext move) throws IOException {
            return move.federation().recordedPhase().equals(Optional.of("PAUSED"))
                    && !move.federation().frozenMark(move.source()).isPresent();
        }
    },
    /** Changes wait, and the mover waits for a file that is open. */
    FROZEN {
        @Override
        boolean isReached(MoveContext move) throws IOException {
            return move.federation().frozenMark(move.source()).isPresent();
        }
    },
    /** Reads wait as well: the target is like the source, whose directory is being closed. */
    CLOSED {
        @Override
        boolean isReached(MoveContext move) throws IOException {
            return move.federation()
                    .frozenMark(move.source())
                    .filter(FrozenMark::holdsReads)
                    .isPresent();
        }
    },
    /** The table has the new owner, whose directory is being opened. */
    SWITCHED {
        @Override
        boolean isReached(MoveContext move) throws IOException {
            return move.federation().hasVersion(move.version());
        }
    },
    /** What was at the source is being deleted. */
    EMPTYING {
        @Override
        boolean isReached(MoveContext move) throws IOException {
            return move.federation().hasVersion(move.version())
                    && !move.federation()
                            .recordedPhase()
                            .filter(phase -> !phase.equals("EMPTYING"))
                            .isPresent();
        }
    };

    /**
     * A move.
     *
     * @param version of the table that it makes
     */
    record MoveContext(MovingFederation federation, Path directory, String source, String target, int version) {}

    abstract boolean isReached(MoveContext move) throws IOException;

    boolean isBeforeSwitch() {
        return compareTo(SWITCHED) < 0;
    }
}
