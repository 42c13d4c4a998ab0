/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.TreeNodeAttributes;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffReportEntry;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffType;
import org.junit.jupiter.api.Test;

/** Which nodes of the first look need not be asked for again. */
class HdfsMoveSourceTest {

    private static final TreeNodeAttributes TRAITS = TreeNodeAttributes.builder()
            .owner("o")
            .group("g")
            .permission(0755)
            .modificationTime(1)
            .build();

    private final SortedMap<String, TreeNode> first = new TreeMap<>();

    HdfsMoveSourceTest() {
        for (String directory : List.of("/a", "/a/b", "/c")) {
            first.put(directory, TreeNode.newDirectory(first.size(), TRAITS));
        }
        for (String file : List.of("/a/1", "/a/b/2", "/a-3", "/c/4", "/é")) {
            first.put(file, TreeNode.newFile(first.size(), "content", TRAITS));
        }
    }

    private SortedMap<String, TreeNode> unchangedNodes(DiffReportEntry... differences) {
        return HdfsMoveSource.unchangedNodes(first, List.of(differences));
    }

    private static DiffReportEntry difference(DiffType type, String path) {
        return new DiffReportEntry(type, path.getBytes(UTF_8));
    }

    private static DiffReportEntry rename(String from, String to) {
        return new DiffReportEntry(DiffType.RENAME, from.getBytes(UTF_8), to.getBytes(UTF_8));
    }

    @Test
    void treatsUnlistedNodesAsUnchanged() {
        assertThat(unchangedNodes()).isEqualTo(first);
        assertThat(unchangedNodes(
                        difference(DiffType.MODIFY, ""),
                        difference(DiffType.MODIFY, "a"),
                        difference(DiffType.MODIFY, "é")))
                .containsOnlyKeys("/a/b", "/c", "/a/1", "/a/b/2", "/a-3", "/c/4");
    }

    /** It may have been made again under its name, or have gone away and come back. */
    @Test
    void contentsOfCreatedOrDeletedDirectoryMayHaveChanged() {
        assertThat(unchangedNodes(difference(DiffType.DELETE, "a"))).containsOnlyKeys("/a-3", "/c", "/c/4", "/é");
        assertThat(unchangedNodes(difference(DiffType.CREATE, "a/b"))).doesNotContainKeys("/a/b", "/a/b/2");
    }

    @Test
    void renamedDirectoryMakesContentsUncertain() {
        assertThat(unchangedNodes(rename("a/1", "c/1")))
                .doesNotContainKey("/a/1")
                .hasSize(7);
        assertThat(unchangedNodes(rename("a/b", "c/b"))).isEmpty();
        assertThat(unchangedNodes(rename("c/b/2", "c/b/3"))).isEmpty();
    }
}
