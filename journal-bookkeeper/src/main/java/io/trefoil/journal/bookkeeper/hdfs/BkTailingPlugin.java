/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.journal.hdfs.TrefoilTailingPlugin;

/** Applies batches of a {@code bk://} journal as soon as bookies have confirmed them. */
public final class BkTailingPlugin extends TrefoilTailingPlugin {

    /** Creates an instance; HDFS calls this. */
    public BkTailingPlugin() {
        super(new BkJournalProvider());
    }
}
