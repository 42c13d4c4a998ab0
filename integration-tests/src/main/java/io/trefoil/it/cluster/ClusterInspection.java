/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import java.nio.file.Path;

/** Inspects the files that a cluster left behind after its test succeeded; found by {@link java.util.ServiceLoader}. */
public interface ClusterInspection {

    /**
     * Inspects the files of a cluster whose servers have exited.
     *
     * @throws AssertionError if something went wrong that the test did not notice; the files are kept then
     */
    void inspect(Path root);
}
