/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.journal.hdfs.ConfiguredJournal;
import io.trefoil.journal.hdfs.JournalProvider;
import io.trefoil.journal.model.JournalId;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/** Journals that no pool keeps, in a store whose configuration is never right. */
public final class LedgerProvider implements JournalProvider {

    @Override
    public String scheme() {
        return "bk";
    }

    @Override
    public JournalId journalOf(URI uri, Configuration conf) {
        return JournalId.of(uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1));
    }

    @Override
    public ConfiguredJournal find(Configuration conf, URI uri, NamespaceInfo namespace) {
        throw new IllegalArgumentException(uri + " for " + conf.get("dfs.ha.namenode.id") + " has no password");
    }
}
