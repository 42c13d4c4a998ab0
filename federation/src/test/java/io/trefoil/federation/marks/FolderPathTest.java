/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FolderPathTest {

    @Test
    void normalizedPathHasNoEmptyNames() {
        assertThat(FolderPath.normalized("/a/b")).isEqualTo("/a/b");
        for (String path : new String[] {"//a/b", "/a//b", "/a///b", "/a/b/", "/a/b//", "//a//b//"}) {
            assertThat(FolderPath.normalized(path)).as(path).isEqualTo("/a/b");
        }
    }

    @Test
    void rootIsNormalizedToSlash() {
        for (String path : new String[] {"", "/", "//", "///"}) {
            assertThat(FolderPath.normalized(path)).as(path).isEqualTo("/");
        }
    }

    @Test
    void namesAreLeftAsTheyAre() {
        for (String path : new String[] {"/a b", "/.reserved/raw/a", "/a/.snapshot/s", "/a\\b", "/é"}) {
            assertThat(FolderPath.normalized(path)).isEqualTo(path);
        }
    }

    @Test
    void folderContainsItselfAndDescendants() {
        assertThat(FolderPath.contains("/a", "/a")).isTrue();
        assertThat(FolderPath.contains("/a", "/a/b")).isTrue();
        assertThat(FolderPath.contains("/", "/a")).isTrue();
        assertThat(FolderPath.contains("/a", "/ab")).isFalse();
        assertThat(FolderPath.contains("/a/b", "/a")).isFalse();
    }
}
