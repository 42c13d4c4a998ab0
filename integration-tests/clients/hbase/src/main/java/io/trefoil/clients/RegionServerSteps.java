/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A small HBase: a master, two region servers and their ZooKeeper in this process, with all files where clients have theirs by default.
 * Each step puts a row, and some have it flushed and begin another log. In the end the region server with the rows is aborted, and the
 * other one has them from what is in the first one's log, whose lease the master recovers.
 */
public final class RegionServerSteps {
    private static final TableName NAME = TableName.valueOf("steps");
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] QUALIFIER = Bytes.toBytes("q");
    private static final int STEPS_OF_A_LOG = 10;

    private final LocalHBaseCluster cluster;
    private final Admin admin;
    private final Table table;

    public RegionServerSteps() throws Exception {
        // Two servers of a kind have metrics of the same names.
        DefaultMetricsSystem.setMiniClusterMode(true);
        Configuration configuration = HBaseConfiguration.create();
        String local = Files.createTempDirectory("hbase").toString();
        configuration.set("hbase.tmp.dir", local);
        configuration.set("hbase.rootdir", FileSystem.getDefaultUri(configuration) + "/hbase/servers");
        configuration.set("hbase.wal.provider", "asyncfs");
        configuration.set("hbase.regionserver.handler.count", "5");
        configuration.set("hbase.hregion.memstore.mslab.enabled", "false");
        configuration.set("hbase.master.wait.on.regionservers.mintostart", "2");
        for (String server : new String[] {"master", "regionserver"}) {
            configuration.set("hbase." + server + ".port", "0");
            configuration.set("hbase." + server + ".info.port", "-1");
            configuration.set("hbase." + server + ".hostname", "localhost");
        }
        MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(configuration);
        configuration.set("hbase.zookeeper.quorum", "localhost");
        configuration.setInt(
                "hbase.zookeeper.property.clientPort",
                zooKeeper.startup(Files.createTempDirectory("zookeeper").toFile()));
        cluster = new LocalHBaseCluster(configuration, 1, 2);
        cluster.startup();
        Connection connection = ConnectionFactory.createConnection(configuration);
        admin = connection.getAdmin();
        admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
        table = connection.getTable(NAME);
    }

    public void step(int number) throws IOException {
        table.put(new Put(Bytes.toBytes(number)).addColumn(FAMILY, QUALIFIER, value(number)));
        if (number % STEPS_OF_A_LOG == 0) {
            admin.flush(NAME);
            admin.rollWALWriter(holder().getServerName());
        }
    }

    private HRegionServer holder() {
        for (RegionServerThread one : cluster.getLiveRegionServers()) {
            if (!one.getRegionServer().getRegions(NAME).isEmpty()) {
                return one.getRegionServer();
            }
        }
        throw new IllegalStateException("no region server has " + NAME);
    }

    public void check(int steps) throws IOException {
        expectRows(steps);
        holder().abort("the other one is to go on");
        expectRows(steps);
    }

    private void expectRows(int steps) throws IOException {
        for (int number = 1; number <= steps; number++) {
            byte[] found = table.get(new Get(Bytes.toBytes(number))).getValue(FAMILY, QUALIFIER);
            if (!Bytes.equals(found, value(number))) {
                throw new IllegalStateException("row " + number + " holds " + Bytes.toStringBinary(found));
            }
        }
    }

    private static byte[] value(int number) {
        return Bytes.toBytes("step " + number);
    }
}
