/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountedCallTest {
    private static final int DEPTH = 3;

    private static List<String> subtrees(String source, String target) {
        return CountedCall.of("rename", source, target, DEPTH).orElseThrow().subtrees();
    }

    private static List<String> subtrees(String path) {
        return subtrees(path, null);
    }

    @Test
    void callCountsForSubtreesDownToConfiguredDepth() {
        assertThat(subtrees("/a/b/c/d/e")).containsExactly("/a", "/a/b", "/a/b/c");
        assertThat(subtrees("/a/b")).containsExactly("/a", "/a/b");
        assertThat(subtrees("/")).isEmpty();
    }

    @Test
    void callWithTwoPathsCountsOncePerSubtree() {
        assertThat(subtrees("/a/b/x", "/a/c")).containsExactly("/a", "/a/b", "/a/b/x", "/a/c");
    }

    @Test
    void malformedPathsDoNotCreateSubtrees() {
        assertThat(subtrees("//a///b/")).containsExactly("/a", "/a/b");
        assertThat(subtrees("/a/.snapshot/monday/b")).containsExactly("/a");
        assertThat(subtrees("/a/.snapshots/b")).containsExactly("/a", "/a/.snapshots", "/a/.snapshots/b");
        assertThat(subtrees("/.reserved/.inodes/16386/b")).isEmpty();
        assertThat(subtrees("/.reserved/raw/a/b")).containsExactly("/a", "/a/b");
    }

    @Test
    void boundsLengthOfCountedPath() {
        assertThat(subtrees("/a/" + "b".repeat(8000) + "/c")).containsExactly("/a");
    }

    @Test
    void unknownOperationCountsAsChange() {
        assertThat(CountedCall.of("getfileinfo", "/a", null, DEPTH)
                        .orElseThrow()
                        .isRead())
                .isTrue();
        assertThat(CountedCall.of("somethingNew", "/a", null, DEPTH)
                        .orElseThrow()
                        .isRead())
                .isFalse();
    }

    @Test
    void callsWithoutPathAreNotCounted() {
        assertThat(CountedCall.of("getDelegationToken", "HDFS_DELEGATION_TOKEN", null, DEPTH))
                .isEqualTo(Optional.empty());
        assertThat(CountedCall.of("rollEditLog", null, null, DEPTH)).isEqualTo(Optional.empty());
        assertThat(subtrees("[/a/1, /a/2]", "/b")).containsExactly("/b");
    }
}
