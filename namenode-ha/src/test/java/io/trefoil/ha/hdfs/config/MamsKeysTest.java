/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.config;

import io.trefoil.foundation.hdfs.DeclaredKeys;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MamsKeysTest {
    private static final String HEAD =
            """
            # Settings of automatic failover

            They are set in `hdfs-site.xml`, and read once, when a NameNode starts. Each may have the suffix
            `.<nameservice>.<namenode>` or `.<nameservice>`; the most specific one wins. This page is generated from
            `MamsKeys`. What else to set: [automatic-failover.md](../operating/automatic-failover.md).

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    @Test
    void keyNamesFollowRules() {
        DeclaredKeys.assertNames("ha", MamsKeys.all());
    }

    @Test
    void removedKeysAreNotDeclared() throws IOException {
        DeclaredKeys.assertRemoved(new MamsKeys());
    }

    @Test
    void defaultsFileMatchesDeclaredKeys() throws IOException {
        DeclaredKeys.assertDefaultsFile("namenode-ha", "ha", MamsKeys.all());
    }

    @Test
    void everyDefaultIsReadableAndWithinBounds() {
        DeclaredKeys.assertDefaultsCanBeRead(MamsKeys.all());
    }

    @Test
    void referencePageMatchesDeclaredKeys() throws IOException {
        DeclaredKeys.assertReferencePage("namenode-ha", "failover-settings.md", HEAD, MamsKeys.all());
    }
}
