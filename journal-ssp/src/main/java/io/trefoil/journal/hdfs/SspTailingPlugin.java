/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/** Applies batches of an {@code ssp://} journal as soon as they are committed. */
public class SspTailingPlugin extends TrefoilTailingPlugin {

    private final Journals journals;

    /** Creates an instance; HDFS calls this. */
    public SspTailingPlugin() {
        this(PoolProcess::journal);
    }

    SspTailingPlugin(Journals journals) {
        super(PoolUri.SCHEME);
        this.journals = journals;
    }

    @Override
    protected TailedJournal find(Configuration conf, URI uri, NamespaceInfo namespace) {
        SspSettings settings = SspSettings.read(conf, uri, namespace);
        return new TailedJournal() {
            @Override
            public NameNodeSettings settings() {
                return settings.nameNode();
            }

            @Override
            public Journal open() throws IOException {
                return journals.open(settings.pool());
            }
        };
    }
}
