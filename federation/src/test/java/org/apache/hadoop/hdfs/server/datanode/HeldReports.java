/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode;

/** A DataNode that tells no NameNode of new replicas until this is closed; in HDFS's package, as its switch for tests is. */
public final class HeldReports implements AutoCloseable {
    private final DataNode dataNode;

    public HeldReports(DataNode dataNode) {
        this.dataNode = dataNode;
        dataNode.setIBRDisabledForTest(true);
    }

    @Override
    public void close() {
        dataNode.setIBRDisabledForTest(false);
    }
}
