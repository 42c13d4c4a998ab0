/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stock journal: three JournalNodes in separate processes. */
public final class QuorumJournal implements JournalKind {
    private final boolean journalOnly;

    QuorumJournal(boolean journalOnly) {
        this.journalOnly = journalOnly;
    }

    /** Like the other {@code journalOnly}, without a second copy of the edits in each NameNode's own directory. */
    public QuorumJournal journalOnly() {
        return localEdits(false);
    }

    /** Like {@link #journalOnly}, with or without a second copy of the edits in each NameNode's own directory. */
    public QuorumJournal localEdits(boolean enabled) {
        return new QuorumJournal(!enabled);
    }

    @Override
    public String name() {
        return "qjm" + (journalOnly ? ", journal-only" : "");
    }

    @Override
    public boolean needsOwnJars() {
        return false;
    }

    @Override
    public List<String> serverNames() {
        return ClusterLayout.numberedNames("jn", 3);
    }

    @Override
    public String serverMainClass() {
        return "org.apache.hadoop.hdfs.qjournal.server.JournalNode";
    }

    @Override
    public Map<String, String> serverProperties(ClusterLayout layout, String server) {
        return Map.of(
                "dfs.journalnode.edits.dir", layout.journalDirectory(server).toString(),
                "dfs.journalnode.rpc-address", layout.address(server, "rpc"),
                "dfs.journalnode.http-address", layout.address(server, "http"));
    }

    @Override
    public String serverAddress(ClusterLayout layout, String server) {
        return layout.address(server, "rpc");
    }

    @Override
    public Map<String, String> sharedProperties(ClusterLayout layout) {
        String uri = serverNames().stream()
                .map(server -> serverAddress(layout, server))
                .collect(joining(";", "qjournal://", "/" + layout.nameservice()));
        Map<String, String> properties = new LinkedHashMap<>();
        // A stock standby looks for finished segments once a minute, which is too long for tests. It is only a default:
        // the failover's
        // own settings come after it.
        properties.put("dfs.ha.tail-edits.period", "1s");
        properties.put("dfs.namenode.shared.edits.dir", uri);
        if (journalOnly) {
            properties.put("dfs.namenode.edits.dir", uri);
        }
        return properties;
    }

    @Override
    public Map<String, String> nameNodeProperties(ClusterLayout layout, String nameNode) {
        return Map.of();
    }

    @Override
    public String toString() {
        return name();
    }
}
