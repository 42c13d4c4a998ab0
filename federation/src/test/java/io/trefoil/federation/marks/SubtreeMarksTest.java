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
    void marksAreThoseOfEveryRelease() throws IOException {
        MovedMark moved = MovedMark.of("ns2", 7);
        Set<String> folders = new TreeSet<>(Set.of("/a", "/b/c"));
        GoldenFiles golden = GoldenFiles.ofModule();
        golden.requireSame("marks/frozen", FROZEN.value());
        golden.requireSame("marks/frozen-reads", FROZEN.withReads().value());
        golden.requireSame("marks/moved", moved.value());
        golden.requireSame("marks/folders", MovedMark.folders(folders));
        golden.requireSame(
                "marks/names",
                String.join(
                        "\n",
                        FROZEN.name(),
                        MovedMark.NAME,
                        MovedMark.foldersName("1"),
                        SealMark.NAME,
                        SealMark.foldersName("1"),
                        EntryMark.foldersName("1"),
                        SealMark.replacement("/a/b"),
                        ""));

        for (byte[] value : golden.everyRelease("marks/frozen").values()) {
            assertThat(FrozenMark.parse(FROZEN.name(), value)).isEqualTo(FROZEN);
        }
        for (byte[] value : golden.everyRelease("marks/frozen-reads").values()) {
            assertThat(FrozenMark.parse(FROZEN.name(), value)).isEqualTo(FROZEN.withReads());
        }
        for (byte[] value : golden.everyRelease("marks/moved").values()) {
            assertThat(MovedMark.parse(value)).isEqualTo(moved);
        }
        for (byte[] value : golden.everyRelease("marks/folders").values()) {
            assertThat(MovedMark.folders(value)).isEqualTo(folders);
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
        assertThat(new String[] {"/a/b", "/a/b/c", "/a/b/c/d", "/a", "/"}).allMatch(FROZEN::concerns);
        assertThat(new String[] {"/a/bc", "/a/c", "/b", "/a/c/b", "/x/a/b"}).noneMatch(FROZEN::concerns);
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
        Set<String> folders = new TreeSet<>(Arrays.asList("/a/b", "/é"));
        assertThat(MovedMark.folders(MovedMark.folders(folders))).isEqualTo(folders);
        assertThat(MovedMark.folders(MovedMark.folders(new TreeSet<>()))).isEmpty();
    }

    @Test
    void eachDirectoryListHasOwnAttributeName() {
        assertThat(MovedMark.foldersName("1")).isEqualTo("trusted.trefoil.moved-folders.1");
        assertThat(new String[] {MovedMark.FOLDERS, MovedMark.foldersName("1"), MovedMark.foldersName("2")})
                .allMatch(MovedMark::hasFolders);
        assertThat(new String[] {MovedMark.NAME, FROZEN.name(), MovedMark.FOLDERS + "1", "user.moved-folders"})
                .noneMatch(MovedMark::hasFolders);
    }

    @Test
    void directoriesOfEntriesAreInAttributesOfTheirOwn() {
        assertThat(EntryMark.foldersName("1")).isEqualTo("trusted.trefoil.entry-folders.1");
        assertThat(EntryMark.hasFolders(EntryMark.foldersName("1"))).isTrue();
        assertThat(new String[] {MovedMark.foldersName("1"), EntryMark.FOLDERS, EntryMark.FOLDERS + "1", FROZEN.name()})
                .noneMatch(EntryMark::hasFolders);
        assertThat(MovedMark.hasFolders(EntryMark.foldersName("1"))).isFalse();
    }

    @Test
    void callerContextNamesMove() {
        assertThat(SubtreeCaller.moveOf(SubtreeCaller.ofMove("m1"))).contains("m1");
        assertThat(SubtreeCaller.moveOf("somebody")).isEmpty();
        assertThat(SubtreeCaller.moveOf("")).isEmpty();
    }
}
