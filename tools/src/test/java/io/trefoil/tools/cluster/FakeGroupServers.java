/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** NameNodes and two DataNodes, each with a file that a test writes, and with what it has read of it. */
public final class FakeGroupServers implements GroupServers {

    /** The NameNodes of this host's file. */
    public final Set<String> configured = new TreeSet<>();
    /** Those of each server's file, for servers that have another than this host. */
    public final Map<String, Set<String>> files = new TreeMap<>();
    /** What each server has read. */
    public final Map<String, Set<String>> known = Collections.synchronizedMap(new TreeMap<>());

    public final Set<String> down = new TreeSet<>();
    /** DataNodes that cannot reach nn3. */
    public final Set<String> cutOff = new TreeSet<>();
    /** How often nn3 is asked before it has the blocks of these DataNodes. */
    public final Map<String, Integer> looksUntilBlocks = new TreeMap<>();

    public final List<String> told = Collections.synchronizedList(new ArrayList<>());

    FakeGroupServers() {
        configured.addAll(List.of("nn1", "nn2", "nn3"));
        for (String server : List.of("nn1", "nn2", "nn3", "dn1", "dn2")) {
            known.put(server, new TreeSet<>(configured));
        }
    }

    /** All servers but one NameNode have never heard of it. */
    public void forgetOnAllOthers(String nameNode) {
        known.forEach((server, names) -> {
            if (!server.equals(nameNode)) {
                names.remove(nameNode);
            }
        });
    }

    private static Map<String, String> addresses(Set<String> nameNodes) {
        Map<String, String> addresses = new TreeMap<>();
        nameNodes.forEach(id -> addresses.put(id, address(id)));
        return addresses;
    }

    private static String address(String id) {
        return id.replace("nn", "host") + ":8020";
    }

    private void requireRunning(String server) throws IOException {
        if (down.contains(server)) {
            throw new ConnectException("Connection refused");
        }
    }

    private void reloadFile(String server) throws IOException {
        requireRunning(server);
        told.add(server);
        known.put(server, new TreeSet<>(files.getOrDefault(server, configured)));
    }

    @Override
    public Map<String, String> configuredNameNodes() {
        return addresses(configured);
    }

    @Override
    public Map<String, String> knownNameNodes(String nameNode) throws IOException {
        requireRunning(nameNode);
        return addresses(known.get(nameNode));
    }

    @Override
    public Map<String, String> refreshNameNode(String nameNode) throws IOException {
        reloadFile(nameNode);
        return knownNameNodes(nameNode);
    }

    @Override
    public List<ReportedDataNode> dataNodes(String nameNode) throws IOException {
        requireRunning(nameNode);
        List<ReportedDataNode> seen = new ArrayList<>();
        for (String name : List.of("dn1", "dn2")) {
            if (known.getOrDefault(name, Set.of()).contains(nameNode)
                    && !(cutOff.contains(name) && nameNode.equals("nn3"))) {
                ReportedDataNode dataNode = ReportedDataNode.of("id-" + name, name, name, name);
                seen.add(nameNode.equals("nn3") && isWaitingForBlocksOf(name) ? dataNode : dataNode.withBlocks());
            }
        }
        return seen;
    }

    private boolean isWaitingForBlocksOf(String dataNode) {
        return looksUntilBlocks.merge(dataNode, -1, Integer::sum) >= 0;
    }

    @Override
    public void refreshDataNode(ReportedDataNode dataNode) throws IOException {
        reloadFile(dataNode.name());
    }

    @Override
    public Set<String> nameNodesOf(ReportedDataNode dataNode) throws IOException {
        requireRunning(dataNode.name() + "-page");
        Set<String> reportsTo = new TreeSet<>();
        known.get(dataNode.name()).forEach(id -> reportsTo.add(configured.contains(id) ? id : address(id)));
        return reportsTo;
    }
}
