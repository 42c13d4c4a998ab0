/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Each step is a job that adds rows to a table of Parquet files. */
public final class SparkSteps {
    private static final String TABLE = "/spark/numbers";
    private static final int ROWS = 1_000;

    private final SparkSession spark = SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            // A task that is tried again is a failover that the job noticed.
            .config("spark.task.maxFailures", "1")
            .config("spark.sql.shuffle.partitions", "1")
            .getOrCreate();

    public void step(int number) {
        long first = (long) (number - 1) * ROWS;
        spark.range(first, first + ROWS, 1, 2).write().mode("append").parquet(TABLE);
    }

    public void check(int steps) {
        Row found = spark.read()
                .parquet(TABLE)
                .selectExpr("count(*)", "count(distinct id)", "max(id)")
                .first();
        long expected = (long) steps * ROWS;
        if (found.getLong(0) != expected || found.getLong(1) != expected || found.getLong(2) != expected - 1) {
            throw new IllegalStateException("expected each number below " + expected + " once, found " + found);
        }
    }
}
