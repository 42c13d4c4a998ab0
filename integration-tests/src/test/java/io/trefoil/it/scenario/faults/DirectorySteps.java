/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Makes a directory in each step, one in a tenth of a second, with nothing but Hadoop on its class path and our client. */
public final class DirectorySteps {
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FileSystem files;

    public DirectorySteps() throws IOException {
        files = FileSystem.get(new Configuration());
    }

    public void step(int number) throws IOException {
        if (!files.mkdirs(new Path("/steps/" + number))) {
            throw new IllegalStateException("not made: " + number);
        }
        LockSupport.parkNanos(PACE_NANOS);
    }

    public void check(int steps) throws IOException {
        int found = files.listStatus(new Path("/steps")).length;
        if (found != steps) {
            throw new IllegalStateException(steps + " steps were made, and " + found + " are there");
        }
    }
}
