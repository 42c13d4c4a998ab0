/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.journal.hdfs.ConfiguredJournal;
import io.trefoil.journal.hdfs.JournalProvider;
import io.trefoil.journal.model.JournalId;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/** The journals in BookKeeper: {@code bk://}. */
public final class BkJournalProvider implements JournalProvider {

    @Override
    public String scheme() {
        return BkUri.SCHEME;
    }

    @Override
    public JournalId journalOf(URI uri, Configuration conf) {
        return BkUri.parse(uri).journal();
    }

    @Override
    public ConfiguredJournal find(Configuration conf, URI uri, NamespaceInfo namespace) {
        return BkJournals.read(conf, uri, namespace);
    }
}
