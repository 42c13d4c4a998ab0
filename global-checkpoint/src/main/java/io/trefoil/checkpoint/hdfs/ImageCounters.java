/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.journal.hdfs.BlockCounters;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;

/**
 * How far an image has counted what it gives to blocks; reads one small section of it.
 *
 * <p>Uses {@code FSImageUtil.checkFileFormat}, {@code loadSummary}, {@code wrapInputStreamForCompression}, {@code FsImageProto}.
 */
final class ImageCounters {

    private static final String SECTION = "NS_INFO";

    private ImageCounters() {}

    /** @throws IOException if it is no image, or damaged there */
    static BlockCounters read(Path image) throws IOException {
        FileSummary summary;
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "r")) {
            if (!FSImageUtil.checkFileFormat(file)) {
                throw new IOException(image + " is no image");
            }
            summary = FSImageUtil.loadSummary(file);
        }
        for (FileSummary.Section section : summary.getSectionsList()) {
            if (section.getName().equals(SECTION)) {
                return read(image, summary.getCodec(), section.getOffset());
            }
        }
        throw new IOException(image + " has no section " + SECTION);
    }

    private static BlockCounters read(Path image, String codec, long offset) throws IOException {
        try (FileInputStream file = new FileInputStream(image.toFile())) {
            file.getChannel().position(offset);
            InputStream section = FSImageUtil.wrapInputStreamForCompression(
                    new Configuration(), codec, new BufferedInputStream(file));
            NameSystemSection found = NameSystemSection.parseDelimitedFrom(section);
            BlockCounters.Builder counters = BlockCounters.builder()
                    .contiguousId(found.getLastAllocatedBlockId())
                    .generationStamp(found.getGenstampV2())
                    .legacyStamp(found.getGenstampV1())
                    .legacyStampLimit(found.getGenstampV1Limit());
            return found.hasLastAllocatedStripedBlockId()
                    ? counters.stripedId(found.getLastAllocatedStripedBlockId()).build()
                    : counters.build();
        }
    }
}
