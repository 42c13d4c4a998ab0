/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.it.cluster.host.WorkDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The facts of a cluster that rarely change: its servers, where each listens and where it keeps its data. A
 * {@link JournalKind} derives its settings from it.
 */
public final class ClusterLayout {
    private final String nameservice;
    private volatile List<String> nameNodes;
    private final List<String> dataNodes;
    private final Network network;
    private final WorkDirectory directory;
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();

    public ClusterLayout(
            String nameservice, int nameNodeCount, int dataNodeCount, Network network, WorkDirectory directory) {
        this.nameservice = nameservice;
        this.nameNodes = numberedNames("nn", nameNodeCount);
        this.dataNodes = numberedNames("dn", dataNodeCount);
        this.network = network;
        this.directory = directory;
    }

    /** Returns names: the prefix followed by each number from 1 to the count. */
    static List<String> numberedNames(String prefix, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> prefix + i).toList();
    }

    /** The logical name of the file system, as in {@code hdfs://<nameservice>}. */
    public String nameservice() {
        return nameservice;
    }

    /** The NameNodes' ids: {@code nn1}, {@code nn2}, … */
    public List<String> nameNodes() {
        return nameNodes;
    }

    /** Changes the NameNodes that are named in files written from now on. */
    public void setNameNodes(List<String> ids) {
        nameNodes = List.copyOf(ids);
    }

    /** The DataNodes' names: {@code dn1}, {@code dn2}, … */
    public List<String> dataNodes() {
        return dataNodes;
    }

    /**
     * Returns the address on which one service of a server listens, as {@code host:port}. The port is chosen at the first call, and
     * the same ever after.
     *
     * @param service a word that tells the services of one server apart, such as {@code rpc} or {@code http}
     */
    public String address(String server, String service) {
        return network.hostOf(server) + ":"
                + ports.computeIfAbsent(server + "/" + service, unused -> PortAllocator.free());
    }

    /** The address of a server's host. */
    public String host(String server) {
        return network.hostOf(server);
    }

    /** The directory of a server's data, which exists. */
    public Path dataDirectory(String server) {
        return directory.data(server);
    }

    /** The directory of a server's replica of the journal; a small disk is mounted there. */
    public Path journalDirectory(String server) {
        return directory.data(server).resolve("journal");
    }

    /** Returns where all servers write their traces: not on a disk that a test fills, breaks or empties. */
    public Path traceDirectory() {
        return directory.root().resolve("traces");
    }

    /** Returns where a NameNode keeps its images. */
    Path nameDirectory(String nameNode) {
        return directory.data(nameNode).resolve("name");
    }

    /** Puts that directory on the journal's disk. */
    public void putImagesOnJournalDisk(String nameNode) {
        Path beside = journalDirectory(nameNode).resolve("name");
        try {
            Files.createDirectories(beside);
            Files.createSymbolicLink(nameDirectory(nameNode), beside);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
