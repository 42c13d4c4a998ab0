/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubtreePathTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a/b",
                "/a/",
                "//",
                "//a",
                "/a//b",
                "/a/./b",
                "/a/..",
                "/a b",
                " /a",
                "/a\n",
                "/${user.name}",
                "/a%20b",
                "/a:b",
                "hdfs://ns1/a",
                "/.reserved",
                "/.reserved/raw/a"
            })
    void refusesUnnormalizedPath(String text) {
        assertThatThrownBy(() -> SubtreePath.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/b.c", "/.hidden", "/a=1/b,2", "/日本"})
    void acceptsNormalizedPath(String text) {
        assertThat(SubtreePath.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a[b",
                "/a]b",
                "/a{b",
                "/a}b",
                "/a|b",
                "/a^b",
                "/a\"b",
                "/a<b",
                "/a>b",
                "/a`b",
                "/a#b",
                "/a?b",
                "/a#",
                "/a/b#c/d"
            })
    void refusesPathThatUriWouldChange(String text) {
        assertThat(SubtreePath.parse(text).isUnchangedInUri()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/b.c", "/.hidden", "/a=1/b,2", "/日本", "/a'b(c)!~*;@&+-_d"})
    void pathIsSameInUri(String text) {
        assertThat(SubtreePath.parse(text).isUnchangedInUri()).isTrue();
    }

    /** The table could not be read any more, by no process. */
    @Test
    void refusesPathNotRepresentableInXml() {
        for (int character : new int[] {0xD800, 0xDFFF, 0xFFFE, 0xFFFF}) {
            assertThatThrownBy(() -> SubtreePath.parse("/a" + (char) character))
                    .as(Integer.toHexString(character))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("XML");
        }
        for (int character : new int[] {0xD7FF, 0xE000, 0xFFFD, 0x1F600}) {
            String path = "/a" + new String(Character.toChars(character));
            assertThat(SubtreePath.parse(path).text()).isEqualTo(path);
        }
    }

    @Test
    void countsPathDepth() {
        assertThat(SubtreePath.root().depth()).isZero();
        assertThat(SubtreePath.parse("/a").depth()).isEqualTo(1);
        assertThat(SubtreePath.parse("/a/b/c").depth()).isEqualTo(3);
    }

    @Test
    void comparesWholeNamesForContainment() {
        SubtreePath logs = SubtreePath.parse("/logs");

        assertThat(SubtreePath.parse("/logs/a").isWithin(logs)).isTrue();
        assertThat(logs.isWithin(logs)).isTrue();
        assertThat(logs.isWithin(SubtreePath.root())).isTrue();
        assertThat(SubtreePath.parse("/logs2").isWithin(logs)).isFalse();
        assertThat(SubtreePath.root().isWithin(logs)).isFalse();
    }
}
