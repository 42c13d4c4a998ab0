/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EntryDirectoriesTest {
    private final EntryDirectories entries =
            new EntryDirectories(new TreeSet<>(Arrays.asList("/a/b", "/a/b.c/d", "/é")));

    @Test
    void entriesAndDirectoriesAboveThemAreNotRemoved() {
        for (String path : new String[] {"/a/b", "/a", "/a/b.c", "/a/b.c/d", "/é"}) {
            assertThat(entries.removalRefusal(path).orElse("removed"))
                    .as(path)
                    .startsWith(path + " is neither deleted nor renamed, as /")
                    .contains("'hdfs trefoil table remove'", "'hdfs trefoil subtree move'", "-skipTrash");
        }
        assertThat(entries.removalRefusal("/a/b.c").orElse("removed")).contains("as /a/b.c/d is an entry");
    }

    @Test
    void allowsRemovalInsideAndNextToEntries() {
        assertThat(new String[] {"/", "/a/b/c", "/a/bc", "/a/b.", "/a/b.c/de", "/b", "/a/b.c/d/e"})
                .allMatch(path -> !entries.removalRefusal(path).isPresent());
        assertThat(EntryDirectories.NONE.isEmpty()).isTrue();
        assertThat(EntryDirectories.NONE.removalRefusal("/a")).isEmpty();
    }
}
