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
        assertThat(sealed.in("/a/b")).containsExactly("/a/b", "/a/b/e");
        assertThat(sealed.in("/a")).containsExactlyInAnyOrder("/a/b", "/a/b.c/d", "/a/b/e");
        assertThat(sealed.in("/a/b.c")).containsExactly("/a/b.c/d");
        assertThat(sealed.in("/a/b/c")).isEmpty();
        assertThat(sealed.in("/")).isEmpty();
    }

    @Test
    void directoriesAroundPathAreFoundWhenNested() {
        assertThat(sealed.enclosing("/a/b/e/f")).containsExactly("/a/b/e", "/a/b");
        assertThat(sealed.enclosing("/a/b")).containsExactly("/a/b");
        assertThat(sealed.enclosing("/a/b.c")).isEmpty();
        assertThat(sealed.enclosing("/")).isEmpty();
        assertThat(SealedDirectories.NONE.isEmpty()).isTrue();
    }
}
