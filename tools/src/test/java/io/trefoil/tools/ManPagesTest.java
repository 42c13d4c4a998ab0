/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakePool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The manual pages that the archive and the packages bring are those of the commands. */
class ManPagesTest {
    private static final Path DIRECTORY = Path.of("src/main/man/man1");
    private static final Path GENERATED = Path.of("target/man1");

    private static final List<ManPage> PAGES = ManPage.of(TrefoilCommand.newCommandLine(new FakePool(3)));

    @Test
    void manPagesMatchCommands() throws IOException {
        Files.createDirectories(GENERATED);
        for (ManPage page : PAGES) {
            Files.writeString(GENERATED.resolve(page.fileName()), page.text());
        }

        String how = "rm -r tools/" + DIRECTORY + " && cp -r tools/" + GENERATED + " tools/" + DIRECTORY;
        assertThat(namesIn(DIRECTORY)).as(how).isEqualTo(namesIn(GENERATED));
        for (String name : namesIn(GENERATED)) {
            assertThat(DIRECTORY.resolve(name)).as(how).hasSameTextualContentAs(GENERATED.resolve(name));
        }
    }

    private static List<String> namesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void manPagesRenderCompletely() {
        String page = page("trefoil-journal-add").text();

        assertThat(page)
                .contains(
                        ".TH TREFOIL\\-JOURNAL\\-ADD 1",
                        "trefoil\\-journal\\-add \\- Makes a pool node a voting member",
                        "\\fBhdfs trefoil journal add\\fR",
                        "\\fIHOST:PORT\\fR\nWhere the pool node listens.",
                        "\\fB\\-\\-timeout\\fR=\\fISECONDS\\fR\nHow long a node may take to answer; 5 if not given.",
                        "\\fB3\\fR\nno node answers",
                        "hdfs trefoil journal add host4.example.com:8487",
                        "\\fBtrefoil\\-journal\\fR(1)");
        assertThat(page("trefoil").text())
                .contains("Hadoop's own options go before the command", "\\fBtrefoil\\-status\\fR(1)");
    }

    private static ManPage page(String name) {
        return PAGES.stream()
                .filter(page -> page.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static boolean hasGroff() throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v groff").start().waitFor() == 0;
    }

    @Test
    @EnabledIf("hasGroff")
    void groffAcceptsManPages() throws Exception {
        for (ManPage page : PAGES) {
            Process groff = new ProcessBuilder("groff", "-man", "-Tascii", "-ww", "-z")
                    .redirectErrorStream(true)
                    .start();
            groff.getOutputStream().write(page.text().getBytes(StandardCharsets.US_ASCII));
            groff.getOutputStream().close();
            String warnings = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(groff.waitFor()).as(page.name()).isZero();
            assertThat(warnings).as(page.name()).isEmpty();
        }
    }
}
