/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.config;

import io.trefoil.foundation.hdfs.DeclaredKeys;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CheckpointKeysTest {
    private static final String HEAD =
            """
            # Settings of global checkpoints

            They are set in `hdfs-site.xml`, and read once, when a NameNode starts. Each may have the suffix
            `.<nameservice>.<namenode>` or `.<nameservice>`; the most specific one wins. This page is generated from
            `CheckpointKeys`. What else to set: [checkpoints.md](../operating/checkpoints.md).

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    @Test
    void keyNamesFollowRules() {
        DeclaredKeys.assertNames("checkpoint", CheckpointKeys.all());
    }

    @Test
    void removedKeysAreNotDeclared() throws IOException {
        DeclaredKeys.assertRemoved(new CheckpointKeys());
    }

    @Test
    void defaultsFileMatchesDeclaredKeys() throws IOException {
        DeclaredKeys.assertDefaultsFile("global-checkpoint", "checkpoint", CheckpointKeys.all());
    }

    @Test
    void everyDefaultIsReadableAndWithinBounds() {
        DeclaredKeys.assertDefaultsCanBeRead(CheckpointKeys.all());
    }

    @Test
    void referencePageMatchesDeclaredKeys() throws IOException {
        DeclaredKeys.assertReferencePage("global-checkpoint", "checkpoint-settings.md", HEAD, CheckpointKeys.all());
    }
}
