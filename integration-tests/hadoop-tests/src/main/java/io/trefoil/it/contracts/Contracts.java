/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.contracts;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractGetEnclosingRoot;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.contract.hdfs.HDFSContract;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.Before;

/** Hadoop's suites of which it has no class for HDFS that can be started, or one that starts its own cluster. */
public final class Contracts {

    private Contracts() {}

    private static FileContext fileContext() throws IOException {
        return FileContext.getFileContext(
                ContractCluster.get().uri(), ContractCluster.get().client());
    }

    private static String home() {
        try {
            return "/user/" + UserGroupInformation.getCurrentUser().getShortUserName();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static class TestContentSummary extends AbstractContractContentSummaryTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return contract(conf);
        }
    }

    public static class TestCopyFromLocal extends AbstractContractCopyFromLocalTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return contract(conf);
        }
    }

    public static class TestEnclosingRoot extends AbstractContractGetEnclosingRoot {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return contract(conf);
        }
    }

    private static AbstractFSContract contract(Configuration conf) {
        try {
            return new HDFSContract(conf);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static class TestFileSystemContract extends FileSystemContractBaseTest {
        @Before
        public void setUp() throws IOException {
            Configuration conf = new Configuration(ContractCluster.get().client());
            conf.set("fs.permissions.umask-mode", TEST_UMASK);
            fs = FileSystem.newInstance(ContractCluster.get().uri(), conf);
        }

        @Override
        protected String getDefaultWorkingDirectory() {
            return home();
        }
    }

    public static class TestMainOperations extends FSMainOperationsBaseTest {
        public TestMainOperations() {
            super("/test/main");
        }

        @Override
        protected FileSystem createFileSystem() throws IOException {
            return FileSystem.newInstance(
                    ContractCluster.get().uri(), ContractCluster.get().client());
        }

        @Override
        protected Path getDefaultWorkingDirectory() {
            return fSys.makeQualified(new Path(home()));
        }
    }

    public static class TestContextMainOperations extends FileContextMainOperationsBaseTest {
        @Override
        @Before
        public void setUp() throws Exception {
            fc = fileContext();
            fc.mkdir(new Path(home()), FileContext.DEFAULT_PERM, true);
            super.setUp();
        }

        @Override
        protected FileContextTestHelper createFileContextHelper() {
            return new FileContextTestHelper("/test/context");
        }

        @Override
        protected Path getDefaultWorkingDirectory() {
            return fc.makeQualified(new Path(home()));
        }

        @Override
        protected boolean listCorruptedBlocksSupported() {
            return true;
        }
    }

    public static class TestContextPermission extends FileContextPermissionBase {
        @Override
        protected FileContext getFileContext() throws Exception {
            return fileContext();
        }

        @Override
        protected FileContextTestHelper getFileContextHelper() {
            return new FileContextTestHelper("/test/permission");
        }
    }

    public static class TestContextCreateMkdir extends FileContextCreateMkdirBaseTest {
        @Override
        @Before
        public void setUp() throws Exception {
            fc = fileContext();
            super.setUp();
        }

        @Override
        protected FileContextTestHelper createFileContextHelper() {
            return new FileContextTestHelper("/test/mkdir");
        }
    }

    public static class TestContextUri extends FileContextURIBase {
        @Override
        @Before
        public void setUp() throws Exception {
            fc1 = fileContext();
            fc2 = fc1;
            super.setUp();
        }
    }

    public static class TestContextUtil extends FileContextUtilBase {
        @Override
        @Before
        public void setUp() throws Exception {
            fc = fileContext();
            super.setUp();
        }
    }
}
