/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.hashed;

import io.trefoil.federation.client.hashed.Entry;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** An entry with its status from HDFS, which contains a name only in listings. Immutable. */
final class HdfsEntry implements Entry {
    private final HdfsFileStatus status;
    private final Optional<String> name;

    HdfsEntry(HdfsFileStatus status) {
        this(status, Optional.empty());
    }

    private HdfsEntry(HdfsFileStatus status, Optional<String> name) {
        this.status = status;
        this.name = name;
    }

    /** A copy with the name of a file whose status was read by its path. */
    HdfsEntry withName(String name) {
        return new HdfsEntry(status, Optional.of(name));
    }

    @Override
    public String name() {
        return name.orElseGet(status::getLocalName);
    }

    /** The status as clients see it in a directory. */
    FileStatus statusIn(URI uri, Path directory) {
        return status.makeQualified(
                uri, name.map(one -> new Path(directory, one)).orElse(directory));
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
    public boolean isSticky() {
        return status.isDirectory() && status.getPermission().getStickyBit();
    }

    @Override
    public int childCount() {
        return status.getChildrenNum();
    }

    HdfsFileStatus status() {
        return status;
    }
}
