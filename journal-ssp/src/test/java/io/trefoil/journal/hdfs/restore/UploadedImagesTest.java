/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockIdManager;
import org.apache.hadoop.hdfs.server.namenode.ImageServlet;
import org.apache.hadoop.hdfs.server.namenode.NNStorage.NameNodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.TransferFsImage;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A standby uploads the image that it saved to the active, both stock. */
class UploadedImagesTest {
    private static final long LEAP = 1L << 40;

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private NameNode active;
    private NameNode standby;
    private long txId;

    @BeforeEach
    void saveImageOnStandby(TestInfo test) throws Exception {
        nameNodes = new TestNameNodes(
                directory, "images-" + test.getTestMethod().get().getName());
        // Only this test saves images.
        nameNodes.set("dfs.ha.standby.checkpoints", "false");
        nameNodes.format("nn1");
        active = nameNodes.start("nn1");
        UploadedImageGuard.guard(active);
        UploadedImageGuard.guard(active);
        active.getHttpServer().setAttribute(ImageServlet.RECENT_IMAGE_CHECK_ENABLED, false);
        TestNameNodes.makeActive(active);
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        standby = nameNodes.start("nn2");
        active.getRpcServer().mkdirs("/made", FsPermission.getDirDefault(), true);
        txId = active.getFSImage().getLastAppliedOrWrittenTxId();
        await().atMost(Duration.ofSeconds(30)).until(() -> standby.getFSImage().getLastAppliedOrWrittenTxId() == txId);
        standby.getFSImage().saveNamespace(standby.getNamesystem(), NameNodeFile.IMAGE, null);
    }

    @AfterEach
    void close() {
        nameNodes.close();
    }

    private TransferFsImage.TransferResult uploadImage() throws IOException {
        return TransferFsImage.uploadImageFromStorage(
                new URL("http://" + NetUtils.getHostPortString(active.getHttpAddress())),
                nameNodes.conf("nn2"),
                standby.getFSImage().getStorage(),
                NameNodeFile.IMAGE,
                txId,
                null);
    }

    private List<String> filesOfSavedTransaction() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("nn1/current"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.contains(String.format("%019d", txId)) && name.startsWith("fsimage"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    @Test
    void acceptsImageOfCurrentTimeline() throws Exception {
        assertThat(uploadImage()).isEqualTo(TransferFsImage.TransferResult.SUCCESS);

        String image = String.format("fsimage_%019d", txId);
        assertThat(filesOfSavedTransaction()).containsExactly(image, image + ".md5");
    }

    @Test
    void rejectsImageOfVoidedTimelineAndRemovesItsFiles() throws Exception {
        BlockIdManager ids = active.getNamesystem().getBlockManager().getBlockIdManager();
        ids.setLastAllocatedContiguousBlockId(ids.getLastAllocatedContiguousBlockId() + LEAP);

        assertThatThrownBy(this::uploadImage).hasMessageContaining("from before the journal was restored");

        assertThat(filesOfSavedTransaction()).isEmpty();
    }
}
