/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

/** Applies batches of an {@code ssp://} journal as soon as they are committed. */
public class SspTailingPlugin extends TrefoilTailingPlugin {

    /** Creates an instance; HDFS calls this. */
    public SspTailingPlugin() {
        super(new PoolJournals());
    }

    SspTailingPlugin(Journals journals) {
        super(new PoolJournals(journals));
    }
}
