/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/** The journal manager as HDFS builds it, on the journals of {@link FakeJournals}. */
public final class FakeSspJournalManager extends SspJournalManager {

    public FakeSspJournalManager(Configuration conf, URI uri, NamespaceInfo namespace, String nameservice)
            throws IOException {
        super(conf, uri, namespace, FakeJournals::open);
    }
}
