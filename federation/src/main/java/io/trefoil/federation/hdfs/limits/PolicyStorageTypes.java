/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.limits;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** The storage types on which a NameNode allocates blocks of new files in a directory, and which DataNodes have any of them. Immutable. */
public final class PolicyStorageTypes {

    private final BlockStoragePolicy policy;
    private final Set<StorageType> storageTypes;
    private final long dataNodes;

    private PolicyStorageTypes(BlockStoragePolicy policy, Set<StorageType> storageTypes, long dataNodes) {
        this.policy = policy;
        this.storageTypes = storageTypes;
        this.dataNodes = dataNodes;
    }

    /** Returns the storage types for files created in a directory. */
    public static PolicyStorageTypes of(ClientProtocol nameNode, String directory) throws IOException {
        BlockStoragePolicy policy = nameNode.getStoragePolicy(directory);
        Set<StorageType> storageTypes = EnumSet.noneOf(StorageType.class);
        storageTypes.addAll(Arrays.asList(policy.getStorageTypes()));
        storageTypes.addAll(Arrays.asList(policy.getCreationFallbacks()));
        long dataNodes = Arrays.stream(nameNode.getDatanodeStorageReport(DatanodeReportType.LIVE))
                .filter(report -> isInService(report.getDatanodeInfo()) && hasAny(report, storageTypes))
                .count();
        return new PolicyStorageTypes(policy, storageTypes, dataNodes);
    }

    private static boolean isInService(DatanodeInfo dataNode) {
        return dataNode.getAdminState() == DatanodeInfo.AdminStates.NORMAL;
    }

    private static boolean hasAny(DatanodeStorageReport report, Set<StorageType> storageTypes) {
        return Arrays.stream(report.getStorageReports())
                .map(StorageReport::getStorage)
                .anyMatch(storage -> storageTypes.contains(storage.getStorageType()));
    }

    /**
     * Returns why no block can be allocated, as a sentence; empty if some can.
     *
     * @param path what the directory is called
     */
    public Optional<String> missingStorageReason(String path) {
        return dataNodes > 0
                ? Optional.empty()
                : Optional.of(path + " has storage policy " + policy.getName() + ", under which blocks are made on "
                        + storageTypes
                        + ", which 0 DataNodes have: set a policy there, and at the source, whose storage they"
                        + " have");
    }
}
