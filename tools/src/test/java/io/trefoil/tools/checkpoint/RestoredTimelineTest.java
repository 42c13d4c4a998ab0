/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.hdfs.CheckpointHost;
import io.trefoil.checkpoint.model.CheckpointId;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a nameservice is after a restore, and what of it is looked at before. */
class RestoredTimelineTest {
    @RegisterExtension
    private final RestoreHosts hosts = new RestoreHosts("one");

    /** A client that lives on still writes to files of the void timeline under their ids. */
    @Test
    void newFilesNeverReuseInodeIdsOfVoidTimeline() throws Exception {
        String id = hosts.checkpointAndWrite();
        hosts.startActive("nn1");
        long highest = hosts.one.inodeId("/first");
        HdfsFileStatus root = hosts.one.active().getRpcServer().getFileInfo("/");
        hosts.one.close();
        hosts.run(0, "nn1", "restore", id, "--execute");
        hosts.startActive("nn1");
        assertThat(hosts.one.listNames("/")).isEmpty();
        assertThat(hosts.one.active().getRpcServer().getFileInfo("/").getModificationTime())
                .isLessThan(root.getModificationTime());
        hosts.one.makeDirectory("/new");
        assertThat(hosts.one.inodeId("/new")).isGreaterThan(highest + (1L << 39));
        hosts.one.saveNamespace("nn1");
        hosts.one.close();
        hosts.run(0, "nn1", "restore", id, "--undo", "--again", "--execute");
        hosts.startActive("nn1");
        assertThat(hosts.one.listNames("/")).containsExactly("first");
        assertThat(hosts.one.inodeId("/first")).isEqualTo(highest);
        hosts.one.makeDirectory("/after");
        assertThat(hosts.one.inodeId("/after")).isGreaterThan(highest + (1L << 40));
    }

    @Test
    void verifyReportsDamageRefusedByRestore() throws Exception {
        String id = hosts.create("c");
        hosts.awaitComplete("c");
        Path kept =
                hosts.one.nameDirectory("nn1").resolve("trefoil/checkpoints").resolve(id);
        Path version = kept.resolve("VERSION");
        String good = Files.readString(version);
        Files.writeString(version, good.replaceAll("cTime=\\d+", "cTime=7"));
        assertThat(hosts.run(1, "nn1", "verify", "c"))
                .contains("is of another namespace or layout than this NameNode", "cTime=7 ");
        Files.writeString(version, good);
        hosts.run(0, "nn1", "verify", "c");

        Path image =
                CheckpointHost.retainedImage(hosts.one.nameDirectory("nn1").resolve("current"), CheckpointId.parse(id));
        Path later = kept.resolve("fsimage_0000000000000012345");
        Files.move(image, later);
        Files.writeString(
                CheckpointHost.checksum(later),
                Files.readString(CheckpointHost.checksum(image))
                        .replace(
                                image.getFileName().toString(),
                                later.getFileName().toString()));
        assertThat(hosts.run(1, "nn1", "verify", "c")).contains("is of transaction 12345, wanted one of ");
    }
}
