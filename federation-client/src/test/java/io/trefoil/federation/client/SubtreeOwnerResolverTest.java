/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SubtreeOwnerResolverTest {

    @Test
    void longestMatchingEntryOwnsPath() {
        SubtreeOwnerResolver owners = new SubtreeOwnerResolver("ns1", Map.of("/a", "ns2", "/a/b", "ns3"));

        assertThat(owners.ownerOf("/")).isEqualTo("ns1");
        assertThat(owners.ownerOf("/ab")).isEqualTo("ns1");
        assertThat(owners.ownerOf("/a")).isEqualTo("ns2");
        assertThat(owners.ownerOf("/a/bc/b")).isEqualTo("ns2");
        assertThat(owners.ownerOf("/a/b")).isEqualTo("ns3");
        assertThat(owners.ownerOf("/a/b/c/d")).isEqualTo("ns3");
    }

    @Test
    void recognizesDirectoriesAboveEntriesByWholeNames() {
        SubtreeOwnerResolver owners =
                new SubtreeOwnerResolver("ns1", Map.of("/a/b", "ns2", "/a/b/c/d", "ns3", "/a-b", "ns2"));

        assertThat(owners.isAboveEntry("/")).isTrue();
        assertThat(owners.isAboveEntry("/a")).isTrue();
        assertThat(owners.isAboveEntry("/a/b")).isFalse();
        // In an entry, whose owner Hadoop's client finds.
        assertThat(owners.isAboveEntry("/a/b/c")).isFalse();
        assertThat(owners.isAboveEntry("/a-")).isFalse();
        assertThat(owners.isAboveEntry("/a-b")).isFalse();
        assertThat(owners.isAboveEntry("/b")).isFalse();
        assertThat(owners.isEntry("/a/b")).isTrue();
        assertThat(owners.isEntry("/a")).isFalse();
        assertThat(new SubtreeOwnerResolver("ns1", Map.of()).isAboveEntry("/")).isFalse();
    }

    @Test
    void listsEntriesNestedBelowPath() {
        SubtreeOwnerResolver owners = new SubtreeOwnerResolver(
                "ns1", Map.of("/a/b", "ns2", "/a/b/c/d", "ns3", "/a/b/c/d/e", "ns2", "/a/b-c", "ns3"));

        assertThat(owners.nestedBelow("/")).containsExactly("/a/b/c/d", "/a/b/c/d/e");
        assertThat(owners.nestedBelow("/a/b")).containsExactly("/a/b/c/d", "/a/b/c/d/e");
        assertThat(owners.nestedBelow("/a/b/c")).containsExactly("/a/b/c/d", "/a/b/c/d/e");
        assertThat(owners.nestedBelow("/a/b/c/d")).containsExactly("/a/b/c/d/e");
        assertThat(owners.nestedBelow("/a/b/c/d/e")).isEmpty();
        assertThat(owners.nestedBelow("/a/b-c")).isEmpty();
    }
}
