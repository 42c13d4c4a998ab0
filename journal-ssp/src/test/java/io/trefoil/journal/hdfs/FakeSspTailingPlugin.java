/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

/** The tailing plugin as HDFS builds it, on the journals of {@link FakeJournals}. */
public final class FakeSspTailingPlugin extends SspTailingPlugin {

    public FakeSspTailingPlugin() {
        super(FakeJournals::open);
    }
}
