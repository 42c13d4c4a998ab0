/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where each release looks for a name in a hashed directory: one that looked elsewhere would find nothing, or make a second one. */
class GoldenHashedTest {
    private static final List<String> NAMES = List.of(
            "a",
            "part-00000",
            "part-00001",
            "part-00002",
            "é",
            "file.tmp",
            "file._COPYING_",
            "file",
            "long".repeat(50));

    @Test
    void nameHomesAreUnchanged() throws IOException {
        GoldenFiles.forCurrentModule()
                .assertMatchesNewestRelease(
                        "hashed/homes",
                        NAMES.stream()
                                .map(name -> name + " "
                                        + IntStream.rangeClosed(1, 8)
                                                .mapToObj(groups -> Integer.toString(
                                                        new HashedLayout("/b", groups).homeOf("/" + name)))
                                                .collect(Collectors.joining(" "))
                                        + "\n")
                                .collect(Collectors.joining()));
    }

    @Test
    void pathsAreUnchanged() throws IOException {
        HashedLayout layout = new HashedLayout("/b", 2);
        GoldenFiles.forCurrentModule()
                .assertMatchesNewestRelease(
                        "hashed/paths",
                        String.join(
                                "\n",
                                HashedLayout.rootOf("/b"),
                                HashedLayout.renamesOf("/b"),
                                layout.stationPath("1"),
                                layout.placePath(0, "/d/f"),
                                layout.placePath(1, "/d/f"),
                                layout.contentsPath(0, "/d"),
                                layout.contentsPath(1, "/d"),
                                HashedLayout.stagedName("1"),
                                HashedLayout.stagedCopyName(17, "d"),
                                HashedLayout.deletionName("1"),
                                HashedLayout.renameName("1"),
                                HashedLayout.undoneRenameName("1"),
                                ""));
    }
}
