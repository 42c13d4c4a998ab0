/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SubtreeMarksTest {
    private static final FrozenMark FROZEN = FrozenMark.of("move-1", "/a/b", 1_000);

    @Test
    void markFormatIsUnchanged() throws IOException {
        MovedMark moved = MovedMark.of("ns2", 7);
        Set<String> directories = new TreeSet<>(Set.of("/a", "/b/c"));
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("marks/frozen", FROZEN.value());
        golden.assertMatchesNewestRelease(
                "marks/frozen-reads", FROZEN.withReads().value());
        golden.assertMatchesNewestRelease("marks/moved", moved.value());
        golden.assertMatchesNewestRelease("marks/folders", MovedMark.encodeDirectories(directories));
        golden.assertMatchesNewestRelease(
                "marks/names",
                String.join(
                        "\n",
                        FROZEN.name(),
                        MovedMark.NAME,
                        MovedMark.directoriesAttributeName("1"),
                        SealMark.NAME,
                        SealMark.directoriesAttributeName("1"),
                        EntryMark.directoriesAttributeName("1"),
                        SealMark.replacementPath("/a/b"),
                        ""));

        for (byte[] value : golden.readAllReleases("marks/frozen").values()) {
            assertThat(FrozenMark.parse(FROZEN.name(), value)).isEqualTo(FROZEN);
        }
        for (byte[] value : golden.readAllReleases("marks/frozen-reads").values()) {
            assertThat(FrozenMark.parse(FROZEN.name(), value)).isEqualTo(FROZEN.withReads());
        }
        for (byte[] value : golden.readAllReleases("marks/moved").values()) {
            assertThat(MovedMark.parse(value)).isEqualTo(moved);
        }
        for (byte[] value : golden.readAllReleases("marks/folders").values()) {
            assertThat(MovedMark.decodeDirectories(value)).isEqualTo(directories);
        }
    }

    @Test
    void frozenMarkRoundTrips() {
        assertThat(FROZEN.name()).isEqualTo("trusted.trefoil.frozen.move-1");
        assertThat(FROZEN.value()).asString(UTF_8).isEqualTo("1000 /a/b");
        assertThat(FrozenMark.parse(FROZEN.name(), FROZEN.value())).isEqualTo(FROZEN);
        FrozenMark closed = FROZEN.withReads();
        assertThat(closed.value()).asString(UTF_8).isEqualTo("1000 reads /a/b");
        assertThat(FrozenMark.parse(closed.name(), closed.value())).isEqualTo(closed);
        assertThat(closed).isNotEqualTo(FROZEN);
        FrozenMark blank = FrozenMark.of("2", "/a b/é", 1);
        assertThat(FrozenMark.parse(blank.name(), blank.value())).isEqualTo(blank);
    }

    @Test
    void refusesMalformedFrozenMark() {
        for (String value : new String[] {
            "", "1000", "/a/b", "x /a", "1000 a/b", "1000 /", "1000 /a/", "1000 /a//b", "1000 writes /a", "-1 /a"
        }) {
            assertThatThrownBy(() -> FrozenMark.parse(FrozenMark.PREFIX + "1", value.getBytes(UTF_8)))
                    .as(value)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> FrozenMark.parse(FrozenMark.PREFIX, FROZEN.value()))
                .hasMessageContaining("id of a move");
        assertThatThrownBy(() -> FrozenMark.parse("user.frozen", FROZEN.value()))
                .hasMessageContaining("user.frozen");
    }

    @Test
    void frozenMarkConcernsDescendantsAndAncestors() {
        assertThat(new String[] {"/a/b", "/a/b/c", "/a/b/c/d", "/a", "/"}).allMatch(FROZEN::overlaps);
        assertThat(new String[] {"/a/bc", "/a/c", "/b", "/a/c/b", "/x/a/b"}).noneMatch(FROZEN::overlaps);
    }

    @Test
    void movedMarkRoundTrips() {
        MovedMark moved = MovedMark.of("ns2", 7);
        assertThat(moved.value()).asString(UTF_8).isEqualTo("ns2 7");
        assertThat(MovedMark.parse(moved.value())).isEqualTo(moved);
        for (String value : new String[] {"", "ns2", "ns2 x", " 7", "ns2 7 8"}) {
            assertThatThrownBy(() -> MovedMark.parse(value.getBytes(UTF_8)))
                    .as(value)
                    .hasMessageContaining(MovedMark.NAME);
        }
    }

    @Test
    void movedDirectoryListRoundTrips() {
        Set<String> directories = new TreeSet<>(Arrays.asList("/a/b", "/é"));
        assertThat(MovedMark.decodeDirectories(MovedMark.encodeDirectories(directories)))
                .isEqualTo(directories);
        assertThat(MovedMark.decodeDirectories(MovedMark.encodeDirectories(new TreeSet<>())))
                .isEmpty();
    }

    @Test
    void eachDirectoryListHasOwnAttributeName() {
        assertThat(MovedMark.directoriesAttributeName("1")).isEqualTo("trusted.trefoil.moved-folders.1");
        assertThat(new String[] {
                    MovedMark.DIRECTORIES,
                    MovedMark.directoriesAttributeName("1"),
                    MovedMark.directoriesAttributeName("2")
                })
                .allMatch(MovedMark::isDirectoriesAttribute);
        assertThat(new String[] {MovedMark.NAME, FROZEN.name(), MovedMark.DIRECTORIES + "1", "user.moved-folders"})
                .noneMatch(MovedMark::isDirectoriesAttribute);
    }

    @Test
    void entryDirectoriesHaveSeparateAttributes() {
        assertThat(EntryMark.directoriesAttributeName("1")).isEqualTo("trusted.trefoil.entry-folders.1");
        assertThat(EntryMark.isDirectoriesAttribute(EntryMark.directoriesAttributeName("1")))
                .isTrue();
        assertThat(new String[] {
                    MovedMark.directoriesAttributeName("1"),
                    EntryMark.DIRECTORIES,
                    EntryMark.DIRECTORIES + "1",
                    FROZEN.name()
                })
                .noneMatch(EntryMark::isDirectoriesAttribute);
        assertThat(MovedMark.isDirectoriesAttribute(EntryMark.directoriesAttributeName("1")))
                .isFalse();
    }

    @Test
    void callerContextNamesMove() {
        assertThat(SubtreeCaller.moveOf(SubtreeCaller.contextOfMove("m1"))).contains("m1");
        assertThat(SubtreeCaller.moveOf("somebody")).isEmpty();
        assertThat(SubtreeCaller.moveOf("")).isEmpty();
    }
}
