/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.DriverFactory;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.session.SessionState;

/**
 * Queries of Hive: each step inserts a row into a partition of its own, by a job, and reads it. Metastore and jobs are in this process; all
 * files, of tables and of queries, are where clients have theirs by default.
 */
public final class HiveQuerySteps {
    private final HiveConf configuration = new HiveConf(HiveQuerySteps.class);

    public HiveQuerySteps() throws Exception {
        configuration.set("javax.jdo.option.ConnectionURL", "jdbc:derby:memory:metastore;create=true");
        configuration.set("datanucleus.schema.autoCreateAll", "true");
        configuration.set("hive.metastore.schema.verification", "false");
        configuration.set("hive.metastore.warehouse.dir", "/warehouse/managed");
        configuration.set("hive.metastore.warehouse.external.dir", "/warehouse/external");
        configuration.set("hive.exec.scratchdir", "/warehouse/scratch");
        configuration.set("hive.execution.engine", "mr");
        configuration.set("mapreduce.framework.name", "local");
        configuration.set("hive.support.concurrency", "false");
        configuration.set("hive.stats.autogather", "false");
        SessionState.start(configuration);
        run("CREATE DATABASE IF NOT EXISTS steps");
        run("CREATE TABLE steps.t (n INT, text STRING) PARTITIONED BY (day INT) STORED AS ORC");
    }

    public void step(int number) throws Exception {
        run("INSERT INTO steps.t PARTITION (day = " + number + ") VALUES (" + number + ", 'step " + number + "')");
        expectRows("WHERE day = " + number, List.of(number + "\tstep " + number));
    }

    public void check(int steps) throws Exception {
        List<String> rows = new ArrayList<>();
        for (int number = 1; number <= steps; number++) {
            rows.add(number + "\tstep " + number);
        }
        expectRows("", rows);
        run("DROP TABLE steps.t");
    }

    private void expectRows(String where, List<String> wanted) throws Exception {
        List<String> found = run("SELECT n, text FROM steps.t " + where);
        found.sort((one, other) -> Integer.compare(number(one), number(other)));
        if (!found.equals(wanted)) {
            throw new IllegalStateException("wanted " + wanted + ", found " + found);
        }
    }

    private static int number(String row) {
        return Integer.parseInt(row.split("\t")[0]);
    }

    private List<String> run(String statement) throws Exception {
        try (IDriver driver = DriverFactory.newDriver(configuration)) {
            driver.run(statement);
            List<String> rows = new ArrayList<>();
            driver.getResults(rows);
            return rows;
        }
    }
}
