/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableCodecTest {

    private TableRecord record;
    private Map<String, String> properties;

    @BeforeEach
    void encode() {
        SubtreeTable table = SubtreeTable.first("cluster", "ns1")
                .with(SubtreePath.parse("/a/c"), "ns2")
                .with(SubtreePath.parse("/a/c/d"), "ns1")
                .withHashed(SubtreePath.parse("/b"), List.of("ns1", "ns2"));
        record = TableRecord.of(table, "add /a/c/d ns1", "alice", Instant.parse("2026-11-24T08:00:00Z"));
        properties = new HashMap<>(TableCodec.encode(record));
    }

    @Test
    void survivesRoundTrip() throws IOException {
        assertThat(TableCodec.decode(properties)).isEqualTo(record);
    }

    @Test
    void propertyFormatIsUnchanged() throws IOException {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("table/version", lines(TableCodec.encode(record)));

        for (String text : golden.readAllReleasesAsText("table/version").values()) {
            Map<String, String> read = new HashMap<>();
            for (String line : text.split("\n")) {
                read.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            }
            assertThat(TableCodec.decode(read)).isEqualTo(record);
            read.put("io.trefoil.subtrees.later", "1");
            assertThat(TableCodec.decode(read)).isEqualTo(record);
        }
    }

    private static String lines(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** Hadoop's clients read them, and those of other versions of ours. */
    @Test
    void writesViewFsMountTable() {
        assertThat(properties)
                .containsEntry("fs.viewfs.mounttable.cluster.linkFallback", "hdfs://ns1/")
                .containsEntry("fs.viewfs.mounttable.cluster.link./a/c", "hdfs://ns2/a/c")
                .containsEntry("fs.viewfs.mounttable.cluster.link./a/c/d", "hdfs://ns1/a/c/d")
                .containsEntry("fs.viewfs.rename.strategy", "SAME_FILESYSTEM_ACROSS_MOUNTPOINT")
                .containsEntry("io.trefoil.subtrees.hashed./b", "ns1,ns2")
                .doesNotContainKey("fs.viewfs.mounttable.cluster.link./b")
                .containsEntry("io.trefoil.subtrees.version", "4")
                .containsEntry("io.trefoil.subtrees.name", "cluster");
    }

    private void assertRefused(String reason) {
        assertThatThrownBy(() -> TableCodec.decode(properties))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void readsEntryWithDisallowedPath() throws IOException {
        properties.put("fs.viewfs.mounttable.cluster.link./e#f", "hdfs://ns2/e#f");

        assertThat(TableCodec.decode(properties).table().owners()).containsEntry(SubtreePath.parse("/e#f"), "ns2");
    }

    @Test
    void refusesLinkToDifferentPath() {
        properties.put("fs.viewfs.mounttable.cluster.link./a/c", "hdfs://ns2/b");
        assertRefused("/a/c leads to 'hdfs://ns2/b'");
    }

    @Test
    void refusesUnsupportedLinkKind() {
        properties.put("fs.viewfs.mounttable.cluster.linkMergeSlash", "hdfs://ns2/");
        assertRefused("linkMergeSlash");
    }

    @Test
    void refusesTableWithoutRoot() {
        properties.remove("fs.viewfs.mounttable.cluster.linkFallback");
        assertRefused("No nameservice owns the root");
    }

    @Test
    void refusesTableWithoutVersion() {
        properties.remove("io.trefoil.subtrees.version");
        assertRefused("io.trefoil.subtrees.version");
        properties.put("io.trefoil.subtrees.version", "x");
        assertRefused("not a version of a table");
    }
}
