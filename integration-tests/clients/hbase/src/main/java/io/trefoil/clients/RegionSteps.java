/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;

/**
 * A region as a region server has it, with the log that HBase writes by its own HDFS client. Each step puts a row, which is synced
 * to the log; some steps also write the rows to an HFile and begin another log.
 */
public final class RegionSteps {
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] QUALIFIER = Bytes.toBytes("q");
    private static final int ROWS_OF_A_FILE = 10;

    private final Configuration configuration = HBaseConfiguration.create();
    private final Path root;
    private final TableDescriptor table = TableDescriptorBuilder.newBuilder(TableName.valueOf("steps"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    private final RegionInfo info =
            RegionInfoBuilder.newBuilder(table.getTableName()).build();
    private final WAL wal;
    private final HRegion region;

    public RegionSteps() throws IOException {
        root = new Path(FileSystem.getDefaultUri(configuration).toString(), "/hbase");
        CommonFSUtils.setRootDir(configuration, root);
        CommonFSUtils.setWALRootDir(configuration, root);
        configuration.set("hbase.wal.provider", "asyncfs");
        // Its chunks belong to a whole region server.
        configuration.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
        wal = new WALFactory(configuration, "before,1,1").getWAL(info);
        region = HRegion.createHRegion(info, root, configuration, table, wal);
    }

    public void step(int number) throws IOException {
        region.put(new Put(Bytes.toBytes(number)).addColumn(FAMILY, QUALIFIER, value(number)));
        if (number % ROWS_OF_A_FILE == 0) {
            region.flush(true);
            wal.rollWriter(true);
        }
    }

    public void check(int steps) throws IOException {
        expectRows(region, steps);
        region.close();
        WAL after = new WALFactory(configuration, "after,1,1").getWAL(info);
        expectRows(
                HRegion.openHRegion(configuration, root.getFileSystem(configuration), root, info, table, after), steps);
    }

    private static void expectRows(HRegion in, int steps) throws IOException {
        for (int number = 1; number <= steps; number++) {
            byte[] found = in.get(new Get(Bytes.toBytes(number))).getValue(FAMILY, QUALIFIER);
            if (!Bytes.equals(found, value(number))) {
                throw new IllegalStateException("row " + number + " holds " + Bytes.toStringBinary(found));
            }
        }
    }

    private static byte[] value(int number) {
        return Bytes.toBytes("step " + number);
    }
}
