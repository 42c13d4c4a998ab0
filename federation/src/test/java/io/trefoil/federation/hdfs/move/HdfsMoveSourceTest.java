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
            .modified(1)
            .build();

    private final SortedMap<String, TreeNode> first = new TreeMap<>();

    HdfsMoveSourceTest() {
        for (String folder : List.of("/a", "/a/b", "/c")) {
            first.put(folder, TreeNode.folder(first.size(), TRAITS));
        }
        for (String file : List.of("/a/1", "/a/b/2", "/a-3", "/c/4", "/é")) {
            first.put(file, TreeNode.file(first.size(), "content", TRAITS));
        }
    }

    private SortedMap<String, TreeNode> unchanged(DiffReportEntry... differences) {
        return HdfsMoveSource.unchanged(first, List.of(differences));
    }

    private static DiffReportEntry difference(DiffType type, String path) {
        return new DiffReportEntry(type, path.getBytes(UTF_8));
    }

    private static DiffReportEntry rename(String from, String to) {
        return new DiffReportEntry(DiffType.RENAME, from.getBytes(UTF_8), to.getBytes(UTF_8));
    }

    @Test
    void unnamedNodesAreUnchanged() {
        assertThat(unchanged()).isEqualTo(first);
        assertThat(unchanged(
                        difference(DiffType.MODIFY, ""),
                        difference(DiffType.MODIFY, "a"),
                        difference(DiffType.MODIFY, "é")))
                .containsOnlyKeys("/a/b", "/c", "/a/1", "/a/b/2", "/a-3", "/c/4");
    }

    /** It may have been made again under its name, or have gone away and come back. */
    @Test
    void contentsOfCreatedOrDeletedDirectoryMayHaveChanged() {
        assertThat(unchanged(difference(DiffType.DELETE, "a"))).containsOnlyKeys("/a-3", "/c", "/c/4", "/é");
        assertThat(unchanged(difference(DiffType.CREATE, "a/b"))).doesNotContainKeys("/a/b", "/a/b/2");
    }

    @Test
    void renamedDirectoryMakesContentsUncertain() {
        assertThat(unchanged(rename("a/1", "c/1"))).doesNotContainKey("/a/1").hasSize(7);
        assertThat(unchanged(rename("a/b", "c/b"))).isEmpty();
        assertThat(unchanged(rename("c/b/2", "c/b/3"))).isEmpty();
    }
}
