/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A call for a path, through whichever client has the path.
 *
 * @param <T> the type of its result
 */
public interface PathCall<T> {

    /**
     * Performs the call on the caller's thread.
     *
     * @param path the path as this client names it
     * @throws IOException that of the client
     */
    T call(DistributedFileSystem client, Path path) throws IOException;
}
