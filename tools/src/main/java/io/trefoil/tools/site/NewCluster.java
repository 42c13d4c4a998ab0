/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A nameservice to be created: its names and paths, and its properties in the two configuration files. Immutable. */
final class NewCluster {
    /**
     * The include element, placed first so that whatever follows takes precedence; it declares its XML namespace, as the root element may
     * not.
     */
    static final String INCLUDE =
            "  <xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"trefoil-failover.xml\"><xi:fallback>\n"
                    + "    <property>\n"
                    + "      <name>dfs.client.failover.proxy.provider</name>\n"
                    + "      <value>org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider</value>\n"
                    + "    </property>\n"
                    + "  </xi:fallback></xi:include>\n";

    private static final int MAX_PORT = 65_535;

    private final String nameservice;
    private final List<String> rpcAddresses = new ArrayList<>();
    private final List<String> nameDirectories = new ArrayList<>();
    private final String journalDirectory;
    private final List<String> zooKeepers = new ArrayList<>();

    /**
     * Checks the values that an operator typed.
     *
     * @param nameNodes hosts, each with the port of clients or without
     * @param zooKeepers hosts, each with its port or without
     * @throws IllegalArgumentException if something makes no sense; the text names the option
     */
    NewCluster(
            String nameservice,
            List<String> nameNodes,
            List<String> nameDirectories,
            String journalDirectory,
            List<String> zooKeepers) {
        if (!nameservice.matches("[A-Za-z0-9][A-Za-z0-9-]*")) {
            throw new IllegalArgumentException(
                    "--nameservice is a name of letters, digits and hyphens, as ns1, got '" + nameservice + "'");
        }
        this.nameservice = nameservice;
        Set<String> hosts = new LinkedHashSet<>();
        for (String nameNode : nameNodes) {
            String address = address("--namenodes", nameNode, "8020");
            rpcAddresses.add(address);
            String host = hostOf(address);
            if (host.equals("localhost") || host.startsWith("127.") || host.equals("0.0.0.0")) {
                throw new IllegalArgumentException(
                        "--namenodes has names by which all hosts find each other, got '" + nameNode + "'");
            }
            if (!hosts.add(host)) {
                throw new IllegalArgumentException(
                        "--namenodes has each host once, got '" + host + "' twice: one loss would cost two votes");
            }
        }
        if (hosts.size() < 2) {
            throw new IllegalArgumentException("--namenodes has two hosts or more, better three, got " + nameNodes
                    + ": the journal is kept by several NameNodes");
        }
        this.journalDirectory = directory("--journal-dir", journalDirectory);
        for (String directory : nameDirectories) {
            String nameDirectory = directory("--name-dirs", directory);
            Path path = Paths.get(nameDirectory);
            Path journal = Paths.get(this.journalDirectory);
            if (path.startsWith(journal) || journal.startsWith(path)) {
                throw new IllegalArgumentException("--journal-dir " + journal + " and --name-dirs " + path
                        + " are directories beside each other, not one in the other");
            }
            this.nameDirectories.add(nameDirectory);
        }
        for (String server : zooKeepers) {
            this.zooKeepers.add(address("--zookeeper", server, "2181"));
        }
    }

    private static String address(String option, String text, String defaultPort) {
        String address = text.trim().contains(":") ? text.trim() : text.trim() + ":" + defaultPort;
        if (!address.matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?:[0-9]{1,5}")) {
            throw new IllegalArgumentException(option + " has hosts, as host1.example.com or host1.example.com:"
                    + defaultPort + ", with commas between, got '" + text + "'");
        }
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException(option + " has ports between 1 and 65535, got '" + text + "'");
        }
        return address;
    }

    private static String directory(String option, String text) {
        if (!text.matches("/[A-Za-z0-9/._-]*[A-Za-z0-9._-]")) {
            throw new IllegalArgumentException(option
                    + " has paths of letters, digits and '._-' that begin with a slash and do not end with one, got '"
                    + text + "'");
        }
        return text;
    }

    private static String hostOf(String address) {
        return address.substring(0, address.indexOf(':'));
    }

    /** The hosts of the NameNodes, in order. */
    List<String> hosts() {
        List<String> hosts = new ArrayList<>();
        rpcAddresses.forEach(address -> hosts.add(hostOf(address)));
        return hosts;
    }

    /** The directories that the host of a NameNode needs. */
    List<String> directories() {
        List<String> directories = new ArrayList<>(nameDirectories);
        directories.add(journalDirectory);
        return directories;
    }

    /** Returns its properties for {@code core-site.xml}. */
    Map<String, String> coreSiteProperties() {
        Map<String, String> core = new LinkedHashMap<>();
        core.put("fs.defaultFS", "hdfs://" + nameservice);
        core.put("ha.zookeeper.quorum", String.join(",", zooKeepers));
        return core;
    }

    /** Returns its properties for {@code hdfs-site.xml}, to be placed after the include. */
    Map<String, String> hdfsSiteProperties() {
        Map<String, String> site = new LinkedHashMap<>();
        List<String> nameNodes = new ArrayList<>();
        site.put("dfs.nameservices", nameservice);
        site.put("dfs.ha.namenodes." + nameservice, "");
        for (String address : rpcAddresses) {
            String nameNode = "nn" + (nameNodes.size() + 1);
            nameNodes.add(nameNode);
            site.put("dfs.namenode.rpc-address." + nameservice + "." + nameNode, address);
            // HDFS's default for all but clients of webhdfs:// that name the nameservice.
            site.put("dfs.namenode.http-address." + nameservice + "." + nameNode, hostOf(address) + ":9870");
        }
        site.put("dfs.ha.namenodes." + nameservice, String.join(",", nameNodes));
        site.put("dfs.client.failover.proxy.provider." + nameservice, "${dfs.client.failover.proxy.provider}");
        site.put("dfs.namenode.name.dir", String.join(",", nameDirectories));
        site.put("dfs.namenode.shared.edits.dir", "ssp:///" + nameservice);
        site.put("trefoil.journal.dir", journalDirectory);
        return site;
    }

    /** Returns notes for the operator; empty if there are none. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (rpcAddresses.size() == 2) {
            notes.add(
                    "While one of two NameNodes is down, nothing can be written: a third one, or a stand-alone pool node, mends that.");
        }
        return notes;
    }
}
