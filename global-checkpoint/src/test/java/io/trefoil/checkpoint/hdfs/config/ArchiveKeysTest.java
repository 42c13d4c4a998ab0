/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.config;

import io.trefoil.foundation.hdfs.DeclaredKeys;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ArchiveKeysTest {
    private static final String HEAD =
            """
            # Settings of the archive

            They are set in `hdfs-site.xml`, and read once, when a NameNode with `CheckpointPlugin` starts. Each may have the suffix
            `.<nameservice>.<namenode>` or `.<nameservice>`; the most specific one wins. This page is generated from
            `ArchiveKeys`. How to use it: [archive.md](../operating/archive.md).

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    @Test
    void keyNamesFollowRules() {
        DeclaredKeys.assertNames("archive", ArchiveKeys.all());
    }

    @Test
    void defaultsFileMatchesDeclaredKeys() throws IOException {
        DeclaredKeys.assertDefaultsFile("global-checkpoint", "archive", ArchiveKeys.all());
    }

    @Test
    void everyDefaultIsReadableAndWithinBounds() {
        DeclaredKeys.assertDefaultsCanBeRead(ArchiveKeys.all());
    }

    @Test
    void referencePageMatchesDeclaredKeys() throws IOException {
        DeclaredKeys.assertReferencePage("global-checkpoint", "archive-settings.md", HEAD, ArchiveKeys.all());
    }
}
