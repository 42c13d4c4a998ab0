/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;

/**
 * Reads an image's counters of ids and stamps: one small section of it, and the beginning of another.
 *
 * <p>Uses {@code FSImageUtil.checkFileFormat}, {@code loadSummary}, {@code wrapInputStreamForCompression}, {@code
 * FsImageProto}.
 */
public final class ImageCounters {

    private ImageCounters() {}

    /** @throws IOException if it is not an image, or those sections are damaged */
    public static NamespaceCounters read(Path image) throws IOException {
        FileSummary summary;
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "r")) {
            if (!FSImageUtil.checkFileFormat(file)) {
                throw new IOException(image + " is not an image");
            }
            summary = FSImageUtil.loadSummary(file);
        }
        NameSystemSection found;
        try (InputStream section = openSection(image, summary, "NS_INFO")) {
            found = NameSystemSection.parseDelimitedFrom(section);
        }
        INodeSection inodes;
        try (InputStream section = openSection(image, summary, "INODE")) {
            inodes = INodeSection.parseDelimitedFrom(section);
        }
        NamespaceCounters.Builder counters = NamespaceCounters.builder()
                .contiguousId(found.getLastAllocatedBlockId())
                .generationStamp(found.getGenstampV2())
                .legacyStamp(found.getGenstampV1())
                .legacyStampLimit(found.getGenstampV1Limit())
                .inodeId(inodes.getLastInodeId());
        return found.hasLastAllocatedStripedBlockId()
                ? counters.stripedId(found.getLastAllocatedStripedBlockId()).build()
                : counters.build();
    }

    /** A stream from the beginning of a section; its reader knows where it ends. */
    private static InputStream openSection(Path image, FileSummary summary, String name) throws IOException {
        for (FileSummary.Section section : summary.getSectionsList()) {
            if (section.getName().equals(name)) {
                FileInputStream file = new FileInputStream(image.toFile());
                try {
                    file.getChannel().position(section.getOffset());
                    return FSImageUtil.wrapInputStreamForCompression(
                            new Configuration(), summary.getCodec(), new BufferedInputStream(file));
                } catch (IOException | RuntimeException e) {
                    file.close();
                    throw e;
                }
            }
        }
        throw new IOException(image + " has no section " + name);
    }
}
