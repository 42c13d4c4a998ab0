/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.model.LogSummary;
import java.io.IOException;

/** The requested entry is no longer kept. */
public final class PurgedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient LogSummary base;

    public PurgedException(long sn, LogSummary base) {
        super("Entry " + sn + " was purged; the log begins after " + base.position());
        this.base = base;
    }

    /** The position after which the log begins. */
    public LogSummary base() {
        return base;
    }
}
