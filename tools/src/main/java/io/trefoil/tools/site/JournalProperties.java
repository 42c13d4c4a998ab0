/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The properties that an {@code hdfs-site.xml} with highly available nameservices lacks, to make their NameNodes keep the journal. */
final class JournalProperties {
    static final String PLUGINS = "dfs.namenode.plugins";
    static final String TAILING_PLUGIN = "io.trefoil.journal.hdfs.SspTailingPlugin";
    static final String AGENT_PLUGIN = "io.trefoil.ha.hdfs.MamsPlugin";

    private static final String SHARED_EDITS = "dfs.namenode.shared.edits.dir.";
    private static final String EDITS = "dfs.namenode.edits.dir.";
    private static final String RPC_ADDRESS = "dfs.namenode.rpc-address.";
    private static final String NAME_DIRECTORIES = "dfs.namenode.name.dir";
    private static final String CHECKED_VOLUMES = "dfs.namenode.resource.checked.volumes";
    private static final String FENCING = "dfs.ha.fencing.methods";

    private static final String AUTOMATIC_FAILOVER = "dfs.ha.automatic-failover.enabled";

    private final SiteProperties site;
    private boolean hasEditsElsewhere;
    private final Map<String, String> added = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    private JournalProperties(SiteProperties site) {
        this.site = site;
    }

    /**
     * Describes the journal of all nameservices of this cluster, with a pool node in each of their NameNodes.
     *
     * @param port of the pool nodes
     * @throws IllegalArgumentException if the nameservices are not described well enough, or a property conflicts
     */
    static JournalProperties of(SiteProperties site, Path directory, int port) {
        JournalProperties properties = new JournalProperties(site);
        List<String> nameservices = site.list("dfs.internal.nameservices");
        if (nameservices.isEmpty()) {
            nameservices = site.list("dfs.nameservices");
        }
        if (nameservices.isEmpty()) {
            throw new IllegalArgumentException(
                    "Wanted the names of nameservices in dfs.nameservices, found none; included files are not "
                            + "read");
        }
        properties.add("dfs.namenode.edits.journal-plugin.ssp", "io.trefoil.journal.hdfs.SspJournalManager");
        for (String nameservice : nameservices) {
            properties.addJournal(nameservice, port);
        }
        properties.add("trefoil.journal.dir", directory.toString());
        properties.notes.add(
                "Each host of a NameNode needs the directory, as root: install -d -o hdfs -g hadoop -m 700 " + directory
                        + "; then 'hdfs trefoil preflight' there says what else it lacks.");
        properties.addPlugin(TAILING_PLUGIN);
        properties.add("dfs.ha.tail-edits.in-progress", "true");
        if (!site.get(FENCING).isPresent()) {
            properties.add(FENCING, "shell(/bin/true)");
        }
        // Includes all volumes that were checked before, because the block overrides the property that lists them.
        Set<String> volumes = new LinkedHashSet<>(site.list(CHECKED_VOLUMES));
        volumes.addAll(site.list(NAME_DIRECTORIES));
        if (!volumes.isEmpty()) {
            volumes.add(directory.toString());
            properties.add(CHECKED_VOLUMES, String.join(",", volumes));
        }
        if (site.hasIncludes()) {
            properties.notes.add("The file includes others, which are not read: if they set " + PLUGINS + " or "
                    + CHECKED_VOLUMES + ", add their values to those of the block.");
        }
        return properties;
    }

    private void addJournal(String nameservice, int port) {
        List<String> nameNodes = site.list("dfs.ha.namenodes." + nameservice);
        if (nameNodes.size() < 2) {
            throw new IllegalArgumentException("Wanted two NameNodes or more in dfs.ha.namenodes." + nameservice
                    + ", found " + nameNodes + ": the journal is kept by several NameNodes");
        }
        if (nameNodes.size() == 2) {
            notes.add(nameservice + " has two NameNodes: while one of them is down, nothing can be written. Add a third"
                    + " one, or a stand-alone pool node.");
        }
        Set<String> nodes = new LinkedHashSet<>();
        for (String nameNode : nameNodes) {
            String key = RPC_ADDRESS + nameservice + "." + nameNode;
            String address = site.get(key)
                    .orElseThrow(() -> new IllegalArgumentException("Wanted the address of " + nameNode + " in " + key
                            + ", found none; included files are not read"));
            String host = address.replaceFirst(":[0-9]+$", "");
            if (!host.matches("[A-Za-z0-9.-]+")) {
                throw new IllegalArgumentException(
                        "Wanted the name of a host and a port in " + key + ", found '" + address + "'");
            }
            if (!nodes.add(host + ":" + port)) {
                throw new IllegalArgumentException("Wanted every NameNode of " + nameservice
                        + " on a host of its own, found two on " + host + ": one loss would cost two votes");
            }
            refuse(SHARED_EDITS + nameservice + "." + nameNode);
            refuse(EDITS + nameservice + "." + nameNode);
        }
        String ofAll = SHARED_EDITS.substring(0, SHARED_EDITS.length() - 1);
        site.get(site.get(SHARED_EDITS + nameservice).isPresent() ? SHARED_EDITS + nameservice : ofAll)
                .filter(old -> !old.startsWith("ssp:"))
                .ifPresent(old -> noteMigration(nameservice, old));
        String uri = "ssp://" + String.join(";", nodes) + "/" + nameservice;
        add(SHARED_EDITS + nameservice, uri);
        // No second copy in the NameNode's own directory: the pool has copies.
        add(EDITS + nameservice, uri);
    }

    private void noteMigration(String nameservice, String old) {
        hasEditsElsewhere = true;
        notes.add("The edits of " + nameservice + " are in " + old
                + ": docs/operating/migrate.md brings them in, and this file alone would start without them.");
        if (site.get(AUTOMATIC_FAILOVER).filter("true"::equals).isPresent()) {
            notes.add("For the way in, set " + AUTOMATIC_FAILOVER + " to false in this file.");
        }
    }

    private void refuse(String ofOneNameNode) {
        if (site.get(ofOneNameNode).isPresent()) {
            throw new IllegalArgumentException(
                    "Wanted edits that are the same for all NameNodes, found " + ofOneNameNode + "; remove it");
        }
    }

    /** Adds the properties for automatic failover. */
    JournalProperties withAutomaticFailover() {
        addPlugin(AGENT_PLUGIN);
        add(AUTOMATIC_FAILOVER, "true");
        if (hasEditsElsewhere) {
            notes.add("For the way in, leave --automatic-failover out: NameNodes would refuse -transitionToActive.");
        }
        if (!site.get("ha.zookeeper.quorum").isPresent()) {
            notes.add("Automatic failover needs ha.zookeeper.quorum, in core-site.xml.");
        }
        notes.add("Stop all ZKFCs before the NameNodes start with this file.");
        return this;
    }

    /** Adds the properties that make clients use the smart client. */
    JournalProperties withSmartClient() {
        List<String> nameservices = site.list("dfs.nameservices");
        for (String nameservice : nameservices) {
            add(
                    "dfs.client.failover.proxy.provider." + nameservice,
                    "io.trefoil.client.hdfs.SmartFailoverProxyProvider");
        }
        notes.add("Clients with this file need the jar of lib/client.");
        return this;
    }

    private void addPlugin(String plugin) {
        List<String> plugins = new ArrayList<>(site.list(PLUGINS));
        for (String one : added.getOrDefault(PLUGINS, "").split(",")) {
            if (!one.isEmpty() && !plugins.contains(one)) {
                plugins.add(one);
            }
        }
        if (!plugins.contains(plugin)) {
            plugins.add(plugin);
        }
        add(PLUGINS, String.join(",", plugins));
    }

    private void add(String name, String value) {
        if (site.finalNames().contains(name)) {
            throw new IllegalArgumentException("Wanted to set " + name + ", found it final; remove <final> from it");
        }
        added.put(name, value);
    }

    /** The properties, in the order in which to write them. */
    Map<String, String> all() {
        return added;
    }

    /** The notes for the operator, one sentence each. */
    List<String> notes() {
        return notes;
    }
}
