/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.limits;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The number of sound replicas of a block that HDFS should have: as many as its file should have, or one per DataNode if there are fewer
 * DataNodes. DataNodes that are down or in maintenance count as such, since they come back with their replicas, but these do not count. A
 * DataNode that is being decommissioned does not count, nor do its replicas. Immutable.
 */
public final class ExpectedReplicas {

    private final int dataNodes;

    private ExpectedReplicas(int dataNodes) {
        this.dataNodes = dataNodes;
    }

    /** Returns the number of replicas to expect in a cluster without DataNodes. */
    public static ExpectedReplicas none() {
        return new ExpectedReplicas(0);
    }

    /** @param ends nameservices with the same DataNodes; one that has started lately does not know those that are down */
    public static ExpectedReplicas of(DistributedFileSystem... ends) throws IOException {
        Set<String> known = new HashSet<>();
        for (DistributedFileSystem fileSystem : ends) {
            for (DatanodeInfo dataNode : fileSystem.getDataNodeStats(DatanodeReportType.ALL)) {
                if (!dataNode.isDecommissioned() && !dataNode.isDecommissionInProgress()) {
                    known.add(dataNode.getDatanodeUuid());
                }
            }
        }
        return new ExpectedReplicas(known.size());
    }

    /** DataNodes whose replicas do not count, each with the reason. */
    public static Set<String> unavailableDataNodes(DistributedFileSystem end) throws IOException {
        Set<String> away = new TreeSet<>();
        for (DatanodeInfo dataNode : end.getDataNodeStats(DatanodeReportType.ALL)) {
            if (!isInService(dataNode)) {
                away.add(dataNode.getXferAddr() + " (" + dataNode.getAdminState() + ")");
            }
        }
        for (DatanodeInfo dataNode : end.getDataNodeStats(DatanodeReportType.DEAD)) {
            if (isInService(dataNode)) {
                away.add(dataNode.getXferAddr() + " (down)");
            }
        }
        return away;
    }

    private static boolean isInService(DatanodeInfo dataNode) {
        return dataNode.getAdminState() == DatanodeInfo.AdminStates.NORMAL;
    }

    /** The first block of a closed file with too few replicas, as a sentence; empty if there is none. */
    public Optional<String> findMissingReplica(HdfsLocatedFileStatus file, String path) {
        return findMissingReplica(file, path, block -> true);
    }

    /** The first block with too few replicas among those with the given ids, as a sentence; empty if there is none. */
    public Optional<String> findMissingReplica(HdfsLocatedFileStatus file, String path, LongPredicate isWanted) {
        int expected = Math.min(file.getReplication(), dataNodes);
        for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
            List<String> addresses = new ArrayList<>();
            for (DatanodeInfo dataNode : block.getLocations()) {
                if (isInService(dataNode) && !block.isCorrupt()) {
                    addresses.add(dataNode.getXferAddr());
                }
            }
            if (addresses.size() < expected && isWanted.test(block.getBlock().getBlockId())) {
                return Optional.of(path + " has " + addresses.size() + " of " + expected + " replicas of "
                        + block.getBlock().getLocalBlock() + " in service, on " + addresses);
            }
        }
        return Optional.empty();
    }
}
