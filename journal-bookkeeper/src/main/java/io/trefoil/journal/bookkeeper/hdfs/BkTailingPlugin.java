/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.journal.hdfs.TrefoilTailingPlugin;
import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/** Applies batches of a {@code bk://} journal as soon as bookies have confirmed them. */
public final class BkTailingPlugin extends TrefoilTailingPlugin {

    /** Creates an instance; HDFS calls this. */
    public BkTailingPlugin() {
        super(BkUri.SCHEME);
    }

    @Override
    protected TailedJournal find(Configuration conf, URI uri, NamespaceInfo namespace) {
        BkJournals journals = BkJournals.read(conf, uri, namespace);
        return new TailedJournal() {
            @Override
            public NameNodeSettings settings() {
                return journals.nameNode();
            }

            @Override
            public Journal open() throws IOException {
                return journals.open();
            }
        };
    }
}
