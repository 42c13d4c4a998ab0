/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A {@link PathCall} without a result. */
public interface PathAction {

    /**
     * Performs the action on the caller's thread.
     *
     * @param path the path as this client names it
     * @throws IOException that of the client
     */
    void run(DistributedFileSystem client, Path path) throws IOException;
}
