/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.foundation.Progress;

/** What an operation last said of itself. */
public final class CountedProgress implements Progress.Task {
    public volatile long total;
    public volatile long done;
    public volatile boolean ended;

    @Override
    public void reportTotal(long count) {
        total = count;
    }

    @Override
    public void reportDone(long count) {
        done = count;
    }

    @Override
    public void close() {
        ended = true;
    }
}
