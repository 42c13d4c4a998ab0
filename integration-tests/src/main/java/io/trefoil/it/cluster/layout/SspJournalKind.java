/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Our journal: a pool of nodes inside the NameNodes, or in separate processes. */
public final class SspJournalKind implements JournalKind {
    private static final String SHARED_EDITS = "dfs.namenode.shared.edits.dir";

    private final boolean journalOnly;
    /** The number of pool nodes that run in separate processes; 0 if they are in the NameNodes. */
    private final int servers;

    /** The number of them that are named in the configured URI. */
    private final int namedCount;

    /** A further node that only its own URI names, in addition to the others. */
    private final Optional<String> namingItself;

    /** Whether processes write traces where the run wants them ({@code docs/design/traces.md}). */
    private final boolean traced;

    public SspJournalKind(boolean journalOnly, int servers, int namedCount) {
        this(journalOnly, servers, namedCount, Optional.empty(), true);
    }

    private SspJournalKind(
            boolean journalOnly, int servers, int namedCount, Optional<String> namingItself, boolean traced) {
        this.journalOnly = journalOnly;
        this.servers = servers;
        this.namedCount = namedCount;
        this.namingItself = namingItself;
        this.traced = traced;
    }

    /** Returns this journal without a second copy of the edits in each NameNode's own directory. */
    public SspJournalKind journalOnly() {
        return localEdits(false);
    }

    /** The same with or without a second copy of the edits in each NameNode's own folder. */
    public SspJournalKind localEdits(boolean wanted) {
        return new SspJournalKind(!wanted, servers, namedCount, namingItself, traced);
    }

    /** Like {@link #localEdits}, with three pool nodes in separate processes, and none in the NameNodes. */
    public SspJournalKind standAlone() {
        return standAlone(3, 3);
    }

    /**
     * Like the other {@code standAlone}, with this many pool nodes in separate processes; the configured URI names only the first ones.
     */
    public SspJournalKind standAlone(int count, int namedByUri) {
        return new SspJournalKind(journalOnly, count, namedByUri, Optional.empty(), traced);
    }

    /**
     * Like {@link #standAlone}, but the configuration of one further node names that node in addition to the first ones.
     */
    public SspJournalKind withSelfNamingNode(String server) {
        return new SspJournalKind(journalOnly, servers, namedCount, Optional.of(server), traced);
    }

    /** The same for servers of several versions, as the rules of this version do not describe those of others. */
    public SspJournalKind withoutTraces() {
        return new SspJournalKind(journalOnly, servers, namedCount, namingItself, false);
    }

    private boolean isStandAlone() {
        return servers > 0;
    }

    @Override
    public String name() {
        return "ssp" + (journalOnly ? ", journal-only" : "") + (isStandAlone() ? ", stand-alone" : "");
    }

    @Override
    public boolean needsOwnJars() {
        return true;
    }

    @Override
    public List<String> serverNames() {
        return ClusterLayout.numberedNames("pool", servers);
    }

    @Override
    public int poolNodeCount(ClusterLayout layout) {
        return isStandAlone() ? namedCount : layout.nameNodes().size();
    }

    @Override
    public String serverMainClass() {
        return "io.trefoil.journal.hdfs.PoolNodeMain";
    }

    @Override
    public Map<String, String> serverProperties(ClusterLayout layout, String server) {
        Map<String, String> properties = new LinkedHashMap<>(poolNode(layout, server));
        if (namingItself.filter(server::equals).isPresent()) {
            List<String> poolNodes = new ArrayList<>(serverNames().subList(0, namedCount));
            poolNodes.add(server);
            properties.put(SHARED_EDITS, uri(layout, poolNodes));
        }
        return properties;
    }

    @Override
    public String serverAddress(ClusterLayout layout, String server) {
        return layout.address(server, "pool");
    }

    @Override
    public Map<String, String> sharedProperties(ClusterLayout layout) {
        List<String> poolNodes = isStandAlone() ? serverNames().subList(0, namedCount) : layout.nameNodes();
        String uri = uri(layout, poolNodes);
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("dfs.namenode.edits.journal-plugin.ssp", "io.trefoil.journal.hdfs.SspJournalManager");
        properties.put(SHARED_EDITS, uri);
        if (journalOnly) {
            properties.put("dfs.namenode.edits.dir", uri);
        }
        return properties;
    }

    private String uri(ClusterLayout layout, List<String> poolNodes) {
        return poolNodes.stream()
                .map(server -> serverAddress(layout, server))
                .collect(joining(";", "ssp://", "/" + layout.nameservice()));
    }

    @Override
    public Map<String, String> nameNodeProperties(ClusterLayout layout, String nameNode) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("dfs.namenode.plugins", "io.trefoil.journal.hdfs.SspTailingPlugin");
        if (isStandAlone()) {
            properties.put("trefoil.journal.embedded", "false");
            properties.putAll(traces(layout));
        } else {
            properties.putAll(poolNode(layout, nameNode));
        }
        return properties;
    }

    private Map<String, String> poolNode(ClusterLayout layout, String server) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("trefoil.journal.address", serverAddress(layout, server));
        properties.put("trefoil.journal.dir", layout.journalDirectory(server).toString());
        properties.putAll(traces(layout));
        return properties;
    }

    private Map<String, String> traces(ClusterLayout layout) {
        return traced && Boolean.getBoolean("trefoil.it.traces")
                ? Collections.singletonMap(
                        "trefoil.journal.trace.dir", layout.traceDirectory().toString())
                : Collections.emptyMap();
    }

    @Override
    public String toString() {
        return name();
    }
}
