/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.NameNodeAddresses;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.writer.events.AckPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;

/**
 * The settings that a stand-alone pool node reads from {@code hdfs-site.xml}, the file that the NameNodes read.
 *
 * <p>On the host of a NameNode, it acts as the node that this NameNode would contain, for example during an upgrade.
 *
 * <p>Uses {@code DFSUtil.getNamenodeNameServiceId} and {@code HAUtil.getNameNodeId}.
 */
public final class NodeConfiguration {

    private NodeConfiguration() {}

    /** @throws IllegalArgumentException if something is missing or wrong; the text names the property */
    public static NodeSettings read(Configuration conf) {
        SuffixedConfiguration suffixed = suffixedForThisHost(conf);
        List<NodeAddress> addresses = new ArrayList<>(ConfiguredJournals.localClusterNodes(conf));
        if (addresses.isEmpty()) {
            String property = suffixed.property(SspKeys.ADDRESS.name());
            String own = SspKeys.ADDRESS
                    .find(suffixed)
                    .orElseThrow(() -> new IllegalArgumentException(property + " is not set, and no "
                            + DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY + " names pool nodes, as "
                            + "ssp:///nameservice or ssp://host1:port;host2:port;host3:port/journal"));
            addresses.add(PoolUri.address(own));
        }
        // A URI names the addresses to ask first: a node that no URI names yet waits until an operator adds it.
        SspKeys.ADDRESS
                .find(suffixed)
                .map(PoolUri::address)
                .filter(own -> !addresses.contains(own))
                .ifPresent(addresses::add);
        return SspSettings.newNodeSettings(
                conf,
                suffixed,
                addresses,
                ConfiguredJournals.of(conf),
                AccessSettingsReader.read(conf, suffixed, addresses),
                PoolAuthentication.of(conf, suffixed));
    }

    /**
     * The directory in which this host's pool node keeps its journals, each in a subdirectory named after it.
     *
     * @throws IllegalArgumentException if it is not set or makes no sense; the text names the property
     */
    public static Path directory(Configuration conf) {
        return SspSettings.directory(suffixedForThisHost(conf));
    }

    /** The guarantees of a journal that this host's settings give up, one sentence each. */
    public static List<String> waivedGuarantees(Configuration conf) {
        SuffixedConfiguration suffixed = suffixedForThisHost(conf);
        List<String> givenUp = new ArrayList<>();
        if (SspKeys.ACK.get(suffixed) == AckPolicy.ONE) {
            givenUp.add(SspKeys.ACK.name()
                    + " is one on this host: as the writer, it tells clients that a change is done when only its "
                    + "own pool node has it; if that node is lost, up to 256 batches are lost with it");
        }
        if (!SspKeys.FSYNC.get(suffixed)) {
            givenUp.add(SspKeys.FSYNC.name()
                    + " is false on this host: a power loss loses what its pool node acknowledged, and its vote; "
                    + "if several nodes lose power together, changes that clients were told are done may be lost");
        }
        return givenUp;
    }

    static SuffixedConfiguration suffixedForThisHost(Configuration conf) {
        Optional<String> nameservice = Optional.empty();
        Optional<String> nameNode = Optional.empty();
        try {
            nameservice = Optional.ofNullable(DFSUtil.getNamenodeNameServiceId(conf));
            if (nameservice.isPresent() && NameNodeAddresses.isHighlyAvailable(conf, nameservice.get())) {
                nameNode = Optional.ofNullable(HAUtil.getNameNodeId(conf, nameservice.get()));
            }
        } catch (HadoopIllegalArgumentException e) {
            // No NameNode is configured for this host, or several are: the keys without suffix count.
            return new SuffixedConfiguration(conf, nameservice, nameNode);
        }
        return new SuffixedConfiguration(conf, nameservice, nameNode);
    }
}
