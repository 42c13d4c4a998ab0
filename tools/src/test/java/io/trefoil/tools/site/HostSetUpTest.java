/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostSetUpTest {
    @TempDir
    private Path opt;

    @Test
    void unitKeepsLinkThatLeadsToVersion() throws IOException {
        Path version = Files.createDirectory(opt.resolve("hadoop-3.4.3"));
        Path link = Files.createSymbolicLink(opt.resolve("hadoop"), version);

        assertThat(HostSetUp.lastingPath(link, version)).isEqualTo(link.toString());
    }

    @Test
    void unitNamesFolderWhenLinkLeadsElsewhere() throws IOException {
        Path version = Files.createDirectory(opt.resolve("hadoop-3.4.3"));
        Path other = Files.createDirectory(opt.resolve("hadoop-3.3.6"));
        Path link = opt.resolve("hadoop");

        assertThat(HostSetUp.lastingPath(link, version)).isEqualTo(version.toString());
        Files.createSymbolicLink(link, other);
        assertThat(HostSetUp.lastingPath(link, version)).isEqualTo(version.toString());
    }
}
