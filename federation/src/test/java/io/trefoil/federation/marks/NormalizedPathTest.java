/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NormalizedPathTest {

    @Test
    void normalizedPathHasNoEmptyNames() {
        assertThat(NormalizedPath.normalize("/a/b")).isEqualTo("/a/b");
        for (String path : new String[] {"//a/b", "/a//b", "/a///b", "/a/b/", "/a/b//", "//a//b//"}) {
            assertThat(NormalizedPath.normalize(path)).as(path).isEqualTo("/a/b");
        }
    }

    @Test
    void rootIsNormalizedToSlash() {
        for (String path : new String[] {"", "/", "//", "///"}) {
            assertThat(NormalizedPath.normalize(path)).as(path).isEqualTo("/");
        }
    }

    @Test
    void keepsNamesUnchanged() {
        for (String path : new String[] {"/a b", "/.reserved/raw/a", "/a/.snapshot/s", "/a\\b", "/é"}) {
            assertThat(NormalizedPath.normalize(path)).isEqualTo(path);
        }
    }

    @Test
    void directoryContainsItselfAndDescendants() {
        assertThat(NormalizedPath.contains("/a", "/a")).isTrue();
        assertThat(NormalizedPath.contains("/a", "/a/b")).isTrue();
        assertThat(NormalizedPath.contains("/", "/a")).isTrue();
        assertThat(NormalizedPath.contains("/a", "/ab")).isFalse();
        assertThat(NormalizedPath.contains("/a/b", "/a")).isFalse();
    }
}
