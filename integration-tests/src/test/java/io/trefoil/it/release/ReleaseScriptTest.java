/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bin/release} in a repository that has the project's own POMs, chart and changelog and nothing else, with a script in place of the
 * build and a key that no other user trusts.
 */
final class ReleaseScriptTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final String KEY = "release@trefoil.invalid";
    /** Leaves what a build leaves, as far as the script looks at it. */
    private static final String BUILD =
            """
            #!/usr/bin/env bash
            set -e
            version=$(sed -n 's:^  <version>\\(.*\\)</version>$:\\1:p' pom.xml | head -1)
            mkdir -p dist/target/trefoil-$version
            cp -r containers CHANGELOG.md dist/target/trefoil-$version
            cd dist/target
            (cd trefoil-$version && mkdir docs && touch README.md CONTRIBUTING.md LICENSE NOTICE SECURITY.md sbom.json)
            tar -czf trefoil-$version.tar.gz trefoil-$version
            touch trefoil-$version.deb
            [ -e "$WITHOUT_RPM" ] || touch trefoil-$version.rpm
            """;

    /** Short, as the agent of gpg listens at a socket in it. */
    private static Path keys;

    @TempDir
    private Path directory;

    private Path checkout;

    @BeforeAll
    static void makeKey() throws Exception {
        keys = Files.createTempDirectory("gpg");
        // What gpg wants of the directory of its keys.
        run(keys, "chmod", "700", ".");
        run(keys, "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", KEY, "default", "default");
    }

    @AfterAll
    static void endAgent() throws Exception {
        run(keys, "gpgconf", "--kill", "all");
        run(keys, "rm", "-r", keys.toString());
    }

    @BeforeEach
    void makeRepository() throws Exception {
        checkout = Files.createDirectory(directory.resolve("checkout"));
        copy("bin/release", "CHANGELOG.md", "containers/chart/Chart.yaml", ".gitignore");
        try (Stream<Path> tree = Files.find(PROJECT, 4, (file, ignored) -> file.endsWith("pom.xml"))) {
            for (Path pom : (Iterable<Path>) tree::iterator) {
                if (!pom.toString().contains("/target/")) {
                    copy(PROJECT.relativize(pom).toString());
                }
            }
        }
        Path build = Files.writeString(directory.resolve("build"), BUILD);
        assertThat(build.toFile().setExecutable(true)).isTrue();
        runGit("init", "--quiet", "--initial-branch=main");
        runGit("config", "user.name", "A Developer");
        runGit("config", "user.email", "developer@trefoil.invalid");
        commit("all");
    }

    @Test
    void releaseHasSignedFilesAndTagAndNextVersionFollows() throws Exception {
        ToolResult result = runRelease("90.1.0", "--date", "2090-02-03");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("main is at 90.2.0-SNAPSHOT", "git push <remote> main v90.1.0");
        assertThat(names(checkout.resolve("target/release/90.1.0")).filter(name -> !name.endsWith(".asc")))
                .containsExactlyInAnyOrder(
                        "SHA512SUMS",
                        "trefoil-90.1.0.tar.gz",
                        "trefoil-90.1.0.deb",
                        "trefoil-90.1.0.rpm",
                        "trefoil-90.1.0-image-context.tar.gz",
                        "trefoil-90.1.0-docs.tar.gz",
                        "trefoil-90.1.0-sbom.json",
                        "trefoil-bom-90.1.0.pom",
                        "trefoil-chart-90.1.0.tgz");
        Path files = checkout.resolve("target/release/90.1.0");
        for (Path file : files(files)) {
            if (!file.toString().endsWith(".asc")) {
                run(files, "gpg", "--batch", "--quiet", "--verify", file + ".asc", file.toString());
            }
        }
        run(files, "sha512sum", "--check", "--quiet", "SHA512SUMS");
        runGit("tag", "--verify", "v90.1.0");
        assertThat(runGit("rev-parse", "v90.1.0^{commit}")).isEqualTo(runGit("rev-parse", "HEAD~1"));
        assertThat(runGit("show", "v90.1.0:CHANGELOG.md")).contains("## [Unreleased]\n\n## [90.1.0] - 2090-02-03\n");
        assertThat(runGit("show", "v90.1.0:containers/chart/Chart.yaml"))
                .contains("\nversion: 90.1.0\nappVersion: 90.1.0\n");
        assertThat(runGit("show", "v90.1.0:pom.xml")).contains("<version>90.1.0</version>", "2090-02-03T00:00:00Z");
        for (String pom : runGit("ls-files", "*pom.xml").split("\n")) {
            assertThat(Files.readString(checkout.resolve(pom))).as(pom).contains("<version>90.2.0-SNAPSHOT</version>");
        }
        assertThat(runGit("status", "--porcelain")).isEmpty();
        assertThat(runGit("worktree", "list").lines()).hasSize(1);
    }

    @Test
    void keepsEqualVersionOfAnotherArtifact() throws Exception {
        Path pom = checkout.resolve("integration-tests/clients/jmx-exporter/pom.xml");
        Files.writeString(pom, Files.readString(pom).replace("<version>1.0.1</version>", "<version>90.1.0</version>"));
        commit("other");

        ToolResult result = runRelease("90.1.0");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(Files.readString(pom))
                .containsOnlyOnce("<version>90.2.0-SNAPSHOT</version>")
                .contains("<version>90.1.0</version>");
    }

    @Test
    void releaseCommitsFollowConventions() throws Exception {
        runRelease("90.1.0");

        assertThat(run(checkout, PROJECT.resolve("bin/check-commits").toString(), "HEAD~2..HEAD"))
                .isEmpty();
    }

    @Test
    void dryRunChangesNothing() throws Exception {
        String before = repositoryState();

        ToolResult result = runRelease("90.1.0", "--dry-run");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output())
                .contains("Would release 90.1.0", "begin 90.2.0-SNAPSHOT on main", "Nothing was changed");
        assertThat(repositoryState()).isEqualTo(before);
    }

    @Test
    void releaseIsRefusedWhenTreeIsDirty() throws Exception {
        Files.writeString(checkout.resolve("new"), "not committed");

        assertRefused(
                runRelease("90.1.0"),
                "The tree is dirty: 1 files differ from the last commit, or are not in it",
                "commit them");
    }

    @Test
    void releaseIsRefusedWhenVersionIsWrong() throws Exception {
        assertRefused(runRelease("v90.1"), "Wanted a version as 1.2.3, got 'v90.1'", "without v and -SNAPSHOT");
        assertRefused(
                runRelease("0.0.1"), "or higher, as pom.xml has", "release 0.0.1 from the branch of its minor version");
        assertRefused(
                runRelease("90.1.0", "--next", "90.0.9"),
                "Wanted a version behind --next that is higher than 90.1.0",
                "leave --next out");
    }

    @Test
    void releaseIsRefusedWhenTagExists() throws Exception {
        runGit("tag", "v90.1.0");

        assertRefused(runRelease("90.1.0"), "There is a tag v90.1.0 already", "choose the next version");
    }

    @Test
    void releaseIsRefusedWhenNothingIsUnreleased() throws Exception {
        Files.writeString(
                checkout.resolve("CHANGELOG.md"),
                "# Changelog\n\n## [Unreleased]\n\n## [0.0.1] - 2026-01-01\n\n- old\n");
        commit("no entries");

        assertRefused(
                runRelease("90.1.0"),
                "The section Unreleased of CHANGELOG.md has no entries",
                "write what a user notices");
    }

    @Test
    void releaseIsRefusedWhenOnePomHasAnotherVersion() throws Exception {
        Path pom = checkout.resolve("dist/bom/pom.xml");
        Files.writeString(pom, Files.readString(pom).replace("-SNAPSHOT", "-OTHER"));
        commit("other");

        assertRefused(runRelease("90.1.0"), "dist/bom/pom.xml has another version than pom.xml", "and commit that");
    }

    @Test
    void releaseIsRefusedWhenKeyOrMaintainerIsMissing() throws Exception {
        assertRefused(
                runScript("90.1.0", "--no-repository", "--maintainer", "Nobody <nobody@trefoil.invalid>"),
                "No key signs the release",
                "Wanted the maintainer of the packages");
        assertRefused(
                runScript("90.1.0", "--key", "stranger@trefoil.invalid"),
                "gpg has no secret key 'stranger@trefoil.invalid'",
                "import it");
    }

    @Test
    void releaseIsRefusedWhenPomsLackRequiredMetadata() throws Exception {
        Path pom = checkout.resolve("pom.xml");
        Files.writeString(pom, Files.readString(pom).replaceAll("(?m)^  <(url|scm|developers)", "  <no-$1"));
        commit("nothing");

        assertRefused(
                runScript("90.1.0", "--key", KEY, "--maintainer", "A Developer <developer@example.com>"),
                "pom.xml has no <scm>, which a public Maven repository wants",
                "leave the repository out with --no-repository");
    }

    @Test
    void failedBuildRemovesArtifacts() throws Exception {
        String before = repositoryState();
        Files.writeString(directory.resolve("without-rpm"), "");

        ToolResult result = runRelease("90.1.0");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .contains("The build has left no dist/target/trefoil-90.1.0.rpm; nothing was changed");
        assertThat(repositoryState()).isEqualTo(before);
    }

    @Test
    void failedTagRemovesArtifacts() throws Exception {
        String before = repositoryState();
        // As a card that is asked for the tag and taken out.
        runGit("config", "gpg.program", "/bin/false");

        ToolResult result = runRelease("90.1.0");

        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(repositoryState()).isEqualTo(before);
    }

    @Test
    void explainsInvalidUsage() throws Exception {
        assertThat(runScript().output()).contains("VERSION is missing", "bin/release VERSION --key KEY");
        assertThat(runScript("1.0.0", "--fast").exitCode()).isEqualTo(2);
    }

    private static void assertRefused(ToolResult result, String... texts) {
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains(texts).contains("Nothing was changed");
    }

    private ToolResult runRelease(String version, String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                version, "--no-repository", "--key", KEY, "--maintainer", "A Developer <developer@example.com>"));
        arguments.addAll(Arrays.asList(more));
        return runScript(arguments.toArray(String[]::new));
    }

    private ToolResult runScript(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bin/release"));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = builder(checkout, command);
        builder.environment()
                .put("TREFOIL_RELEASE_BUILD", directory.resolve("build").toString());
        builder.environment()
                .put("WITHOUT_RPM", directory.resolve("without-rpm").toString());
        return runToEnd(builder);
    }

    /** What a release changes: commits, tags, trees and files. */
    private String repositoryState() throws Exception {
        return runGit("rev-parse", "HEAD")
                + runGit("tag")
                + runGit("worktree", "list")
                + runGit("status", "--porcelain", "--ignored");
    }

    private void commit(String subject) throws Exception {
        runGit("add", "--all");
        runGit("commit", "--quiet", "--allow-empty", "--message", subject);
    }

    private String runGit(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(Arrays.asList(arguments));
        return run(checkout, command.toArray(String[]::new));
    }

    private void copy(String... files) throws IOException {
        for (String file : files) {
            Path target = checkout.resolve(file);
            Files.createDirectories(target.getParent());
            Files.copy(PROJECT.resolve(file), target);
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static Stream<String> names(Path directory) throws IOException {
        return files(directory).stream().map(file -> file.getFileName().toString());
    }

    private static String run(Path directory, String... command) throws IOException, InterruptedException {
        ToolResult result = runToEnd(builder(directory, List.of(command)));
        assertThat(result.exitCode())
                .as(List.of(command) + ": " + result.output())
                .isZero();
        return result.output();
    }

    private static ProcessBuilder builder(Path directory, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("GNUPGHOME", keys.toString());
        // Neither the developer's own settings nor a repository around this one.
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().keySet().removeAll(List.of("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"));
        return builder;
    }

    private static ToolResult runToEnd(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ToolResult(builder.command().get(0), process.waitFor(), output);
    }
}
