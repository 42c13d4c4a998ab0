/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.undelete;

import io.trefoil.checkpoint.undelete.UndeleteOptions;
import io.trefoil.checkpoint.undelete.UndeleteStep;
import io.trefoil.foundation.Progress;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Brings a subtree of the past back while everything runs. */
public interface Undelete extends Closeable {

    /**
     * Plans the steps for a path, the directories above it and everything below; changes nothing.
     *
     * @return parents before what they have
     * @throws java.io.FileNotFoundException if there was no such path
     */
    List<UndeleteStep> plan(String path, UndeleteOptions options) throws IOException;

    /**
     * Executes the steps. One that fails does not prevent the others; planned again, the undelete goes on.
     *
     * @param task counts paths
     * @return the steps, of which those failed that did
     */
    List<UndeleteStep> execute(List<UndeleteStep> steps, Progress.Task task);
}
