/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.config;

import io.trefoil.foundation.hdfs.DeclaredKeys;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FederationKeysTest {
    private static final String HEAD =
            """
            # Settings of federation

            They are set in `hdfs-site.xml`, and read once, when a NameNode starts. Each may have the suffix
            `.<nameservice>.<namenode>` or `.<nameservice>`; the most specific one wins. This page is generated from
            `FederationKeys`. What else to set: [subtrees.md](../operating/subtrees.md).

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    @Test
    void namesFollowRules() {
        DeclaredKeys.assertNames("federation", FederationKeys.all());
    }

    @Test
    void removedNamesDifferFromKeys() throws IOException {
        DeclaredKeys.assertRemoved(new FederationKeys());
    }

    @Test
    void defaultsFileMatchesKeys() throws IOException {
        DeclaredKeys.assertDefaultsFile("federation", "federation", FederationKeys.all());
    }

    @Test
    void defaultsStayWithinBounds() {
        DeclaredKeys.assertDefaultsCanBeRead(FederationKeys.all());
    }

    @Test
    void referencePageMatchesKeys() throws IOException {
        DeclaredKeys.assertReferencePage("federation", "federation-settings.md", HEAD, FederationKeys.all());
    }
}
