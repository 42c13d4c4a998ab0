/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MovedDirectoriesTest {

    @Test
    void findsMovedDirectoryAtOrAbovePath() {
        MovedDirectories moved = new MovedDirectories(new TreeSet<>(Arrays.asList("/a/b", "/c")));
        for (String inside : new String[] {"/a/b", "/a/b/x", "/a/b/x/y"}) {
            assertThat(moved.ancestorsOf(inside)).as(inside).containsExactly("/a/b");
        }
        assertThat(moved.ancestorsOf("/c/a/b")).containsExactly("/c");
        for (String outside : new String[] {"/", "/a", "/a/bc", "/a/x/b", "/d"}) {
            assertThat(moved.ancestorsOf(outside)).as(outside).isEmpty();
        }
        assertThat(MovedDirectories.NONE.isEmpty()).isTrue();
    }

    /** The outer one may be a leftover, and then it says nothing of the inner one. */
    @Test
    void findsNestedDirectories() {
        MovedDirectories moved = new MovedDirectories(new TreeSet<>(Arrays.asList("/a", "/a/b", "/a/b/c")));
        assertThat(moved.ancestorsOf("/a/b/x")).containsExactly("/a/b", "/a");
        assertThat(moved.ancestorsOf("/a/b/c")).containsExactly("/a/b/c", "/a/b", "/a");
        assertThat(moved.ancestorsOf("/a/bc")).containsExactly("/a");
    }
}
