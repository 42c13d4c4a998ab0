/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.Epoch;
import java.io.IOException;

/** A majority promised a higher epoch: this writer can commit nothing any more, for ever. */
public final class FencedException extends IOException {

    private static final long serialVersionUID = 1L;

    public FencedException(Epoch own, Epoch promised) {
        super("Writer of epoch " + own + " was fenced: the pool promised epoch " + promised + " to another writer");
    }
}
