/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;

/** Images of HDFS with nothing but counters. */
public final class TestImages {

    private TestImages() {}

    /** One that has counted plain blocks to an id. */
    public static Path write(Path file, long blockId) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(FSImageUtil.MAGIC_HEADER);
        FileSummary.Builder summary =
                FileSummary.newBuilder().setOndiskVersion(1).setLayoutVersion(-66);
        summary.addSections(section("NS_INFO", out));
        NameSystemSection.newBuilder().setLastAllocatedBlockId(blockId).build().writeDelimitedTo(out);
        summary.addSections(section("INODE", out));
        INodeSection.newBuilder().setLastInodeId(16_385).setNumInodes(1).build().writeDelimitedTo(out);
        int start = out.size();
        summary.build().writeDelimitedTo(out);
        out.write(ByteBuffer.allocate(4).putInt(out.size() - start).array());
        Files.createDirectories(file.getParent());
        return Files.write(file, out.toByteArray());
    }

    private static FileSummary.Section section(String name, ByteArrayOutputStream out) {
        return FileSummary.Section.newBuilder()
                .setName(name)
                .setOffset(out.size())
                .build();
    }
}
