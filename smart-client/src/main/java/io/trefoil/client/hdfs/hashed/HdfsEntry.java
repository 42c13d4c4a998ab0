/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.hashed;

import io.trefoil.client.hashed.Entry;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** An entry with its status as HDFS gave it; it has a name only in listings. Immutable. */
final class HdfsEntry implements Entry {
    private final HdfsFileStatus status;

    HdfsEntry(HdfsFileStatus status) {
        this.status = status;
    }

    @Override
    public String name() {
        return status.getLocalName();
    }

    @Override
    public long id() {
        return status.getFileId();
    }

    @Override
    public boolean isDirectory() {
        return status.isDirectory();
    }

    @Override
    public int children() {
        return status.getChildrenNum();
    }

    HdfsFileStatus status() {
        return status;
    }
}
