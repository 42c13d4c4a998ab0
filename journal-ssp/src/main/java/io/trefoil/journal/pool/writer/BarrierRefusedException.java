/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import java.io.IOException;

/** A barrier cannot be added as requested; nothing was written, and the text says why. */
public final class BarrierRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    public BarrierRefusedException(String message) {
        super(message);
    }
}
