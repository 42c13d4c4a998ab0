/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;

/**
 * Thrown when a writer can never commit anything again: too many voters promised a higher epoch, or hold a journal that
 * was initialized again.
 */
public final class FencedException extends IOException {

    private static final long serialVersionUID = 1L;

    private FencedException(String message) {
        super(message);
    }

    /** Creates the exception for a journal that was initialized again as incarnation {@code newIncarnation}, while the writer still has {@code ownIncarnation}. */
    public static FencedException ofReinitialized(Epoch epoch, Incarnation ownIncarnation, Incarnation newIncarnation) {
        if (ownIncarnation.isAbove(newIncarnation)) {
            return new FencedException("Writer of epoch " + epoch + " has incarnation " + ownIncarnation
                    + " of the journal, which was formatted by a host that did not know of incarnation "
                    + newIncarnation
                    + ": a majority may have that one, so it is in force, and this one is not read any more. What was "
                    + "acknowledged in this one is not in the journal; it stays on the disks of the nodes that hold "
                    + "it until they start over. See 'A host initialized alone' in docs/operating/migrate.md");
        }
        return new FencedException("Writer of epoch " + epoch + " has incarnation " + ownIncarnation
                + " of the journal, which has since been initialized again as " + newIncarnation
                + ": the voters that hold that one take nothing from this writer, and without them it has no "
                + "majority. What it appended last is lost. If the journal was meant to begin anew, start this "
                + "NameNode with the image from which it did ('hdfs namenode -bootstrapStandby'); if not, see "
                + "docs/operating/migrate.md");
    }

    public FencedException(Epoch ownEpoch, Epoch promisedEpoch) {
        super("Writer of epoch " + ownEpoch + " was fenced: the pool promised epoch " + promisedEpoch
                + " to another writer");
    }
}
