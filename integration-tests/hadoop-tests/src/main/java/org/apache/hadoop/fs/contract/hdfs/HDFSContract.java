/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.fs.contract.hdfs;

import io.trefoil.it.contracts.ContractCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.contract.AbstractFSContractTestBase;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** Replaces Hadoop's class of this name, so that the classes that Hadoop tests HDFS with meet one of our file systems. */
public class HDFSContract extends AbstractFSContract {

    /** Hadoop's tests read them here. */
    public static final String CONTRACT_HDFS_XML = "contract/hdfs.xml";

    public static final int BLOCK_SIZE = AbstractFSContractTestBase.TEST_FILE_LEN;

    /** Called by Hadoop's tests. */
    public HDFSContract(Configuration conf) throws IOException {
        super(conf);
        addConfResource(CONTRACT_HDFS_XML);
        ContractCluster.get().client().forEach(one -> conf.set(one.getKey(), one.getValue()));
    }

    public static void createCluster() throws IOException {
        ContractCluster.get();
    }

    /** It is that of the next class. */
    public static void destroyCluster() {}

    public static MiniDFSCluster getCluster() {
        return ContractCluster.get().cluster();
    }

    @Override
    public FileSystem getTestFileSystem() throws IOException {
        return ContractCluster.get().fileSystem();
    }

    @Override
    public String getScheme() {
        return "hdfs";
    }

    @Override
    public Path getTestPath() {
        return new Path("/test/contract");
    }
}
