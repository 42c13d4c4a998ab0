/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.List;
import java.util.Map;

/** No shared journal: one NameNode alone, with its edits in its own directory. */
final class LocalEditsJournal implements JournalKind {

    @Override
    public String name() {
        return "local";
    }

    @Override
    public boolean needsOwnJars() {
        return false;
    }

    @Override
    public List<String> serverNames() {
        return List.of();
    }

    @Override
    public String serverMainClass() {
        throw new UnsupportedOperationException("there are no servers");
    }

    @Override
    public Map<String, String> serverProperties(ClusterLayout layout, String server) {
        return Map.of();
    }

    @Override
    public String serverAddress(ClusterLayout layout, String server) {
        throw new UnsupportedOperationException("there is no server " + server);
    }

    @Override
    public Map<String, String> sharedProperties(ClusterLayout layout) {
        // HDFS treats a nameservice as highly available as soon as it knows two of its NameNodes.
        return Map.of("dfs.ha.namenodes." + layout.nameservice(), "nn1");
    }

    @Override
    public Map<String, String> nameNodeProperties(ClusterLayout layout, String nameNode) {
        return Map.of();
    }
}
