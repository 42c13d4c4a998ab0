/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/** The journals on pools: {@code ssp://}. */
public final class PoolJournals implements JournalProvider {
    private final Journals journals;

    /** Creates an instance; {@code ServiceLoader} calls this. */
    public PoolJournals() {
        this(PoolProcess::journal);
    }

    PoolJournals(Journals journals) {
        this.journals = journals;
    }

    @Override
    public String scheme() {
        return PoolUri.SCHEME;
    }

    @Override
    public JournalId journalOf(URI uri, Configuration conf) {
        return PoolUri.parse(uri, conf).journal();
    }

    @Override
    public ConfiguredJournal find(Configuration conf, URI uri, NamespaceInfo namespace) {
        SspSettings settings = SspSettings.read(conf, uri, namespace);
        return new ConfiguredJournal() {
            @Override
            public NameNodeSettings settings() {
                return settings.nameNode();
            }

            @Override
            public NamespaceId namespace() {
                return settings.pool().namespace();
            }

            @Override
            public Duration lease() {
                return settings.pool().lease();
            }

            @Override
            public Journal open() throws IOException {
                return journals.open(settings.pool());
            }

            @Override
            public Optional<NameNodePool> pool() {
                return Optional.of(new NameNodePool(settings));
            }
        };
    }
}
