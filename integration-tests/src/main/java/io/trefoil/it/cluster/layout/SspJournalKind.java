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

/** Our journal: a pool of nodes inside the NameNodes, or in processes of their own. */
public final class SspJournalKind implements JournalKind {
    private static final String SHARED_EDITS = "dfs.namenode.shared.edits.dir";

    private final boolean journalOnly;
    /** How many pool nodes run in processes of their own; 0 if they are in the NameNodes. */
    private final int servers;

    /** How many of them the URI in the configuration names. */
    private final int named;

    /** A node beyond those whose own URI names it, too. */
    private final Optional<String> namingItself;

    public SspJournalKind(boolean journalOnly, int servers, int named) {
        this(journalOnly, servers, named, Optional.empty());
    }

    private SspJournalKind(boolean journalOnly, int servers, int named, Optional<String> namingItself) {
        this.journalOnly = journalOnly;
        this.servers = servers;
        this.named = named;
        this.namingItself = namingItself;
    }

    /** The same without a second copy of the edits in each NameNode's own folder. */
    public SspJournalKind journalOnly() {
        return localEdits(false);
    }

    /** The same with or without a second copy of the edits in each NameNode's own folder. */
    public SspJournalKind localEdits(boolean wanted) {
        return new SspJournalKind(!wanted, servers, named, namingItself);
    }

    /** The same with three pool nodes in processes of their own and none in the NameNodes. */
    public SspJournalKind standAlone() {
        return standAlone(3, 3);
    }

    /** The same with this many pool nodes in processes of their own; the URI in the configuration names only the first ones. */
    public SspJournalKind standAlone(int count, int namedByUri) {
        return new SspJournalKind(journalOnly, count, namedByUri);
    }

    /** The same, but the configuration of one further node names that node beside the first ones; no other configuration does. */
    public SspJournalKind namingItself(String server) {
        return new SspJournalKind(journalOnly, servers, named, Optional.of(server));
    }

    private boolean standsAlone() {
        return servers > 0;
    }

    @Override
    public String name() {
        return "ssp" + (journalOnly ? ", journal-only" : "") + (standsAlone() ? ", stand-alone" : "");
    }

    @Override
    public boolean needsOwnJars() {
        return true;
    }

    @Override
    public List<String> serverNames() {
        return ClusterLayout.numbered("pool", servers);
    }

    @Override
    public int poolNodeCount(ClusterLayout layout) {
        return standsAlone() ? named : layout.nameNodes().size();
    }

    @Override
    public String serverMainClass() {
        return "io.trefoil.journal.hdfs.PoolNodeMain";
    }

    @Override
    public Map<String, String> serverProperties(ClusterLayout layout, String server) {
        Map<String, String> properties = new LinkedHashMap<>(poolNode(layout, server));
        if (namingItself.filter(server::equals).isPresent()) {
            List<String> poolNodes = new ArrayList<>(serverNames().subList(0, named));
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
        List<String> poolNodes = standsAlone() ? serverNames().subList(0, named) : layout.nameNodes();
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
        if (standsAlone()) {
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

    private static Map<String, String> traces(ClusterLayout layout) {
        return Boolean.getBoolean("trefoil.it.traces")
                ? Collections.singletonMap(
                        "trefoil.journal.trace.dir", layout.traceDirectory().toString())
                : Collections.emptyMap();
    }

    @Override
    public String toString() {
        return name();
    }
}
