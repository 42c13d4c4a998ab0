/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.cli.CheckpointCommand;
import io.trefoil.journal.cli.ExitCode;
import io.trefoil.journal.hdfs.TrefoilSubcommand;
import io.trefoil.journal.pool.PoolProcess;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;

/** {@code hdfs trefoil checkpoint}, for {@code ServiceLoader}. */
public final class CheckpointSubcommand implements TrefoilSubcommand {

    @Override
    public String name() {
        return "checkpoint";
    }

    @Override
    public String description() {
        return "points in time of a whole federation";
    }

    @Override
    public int run(Configuration conf, PrintWriter out, PrintWriter err, String... arguments) {
        try {
            return CheckpointCommand.run(new HdfsCheckpoints(conf), out, err, arguments);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return ExitCode.USAGE;
        } finally {
            try {
                PoolProcess.closeAll();
            } catch (IOException e) {
                err.println("The connections to the pool were not closed: " + e.getMessage());
            }
        }
    }
}
