/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SealedDirectoriesTest {
    private final SealedDirectories sealed = new SealedDirectories(Set.of("/a/b", "/a/b.c/d", "/a/b/e"));

    @Test
    void findsDirectoriesInPathAmongSiblings() {
        assertThat(sealed.atOrBelow("/a/b")).containsExactly("/a/b", "/a/b/e");
        assertThat(sealed.atOrBelow("/a")).containsExactlyInAnyOrder("/a/b", "/a/b.c/d", "/a/b/e");
        assertThat(sealed.atOrBelow("/a/b.c")).containsExactly("/a/b.c/d");
        assertThat(sealed.atOrBelow("/a/b/c")).isEmpty();
        assertThat(sealed.atOrBelow("/")).isEmpty();
    }

    @Test
    void findsNestedDirectoriesAbovePath() {
        assertThat(sealed.atOrAbove("/a/b/e/f")).containsExactly("/a/b/e", "/a/b");
        assertThat(sealed.atOrAbove("/a/b")).containsExactly("/a/b");
        assertThat(sealed.atOrAbove("/a/b.c")).isEmpty();
        assertThat(sealed.atOrAbove("/")).isEmpty();
        assertThat(SealedDirectories.NONE.isEmpty()).isTrue();
    }
}
