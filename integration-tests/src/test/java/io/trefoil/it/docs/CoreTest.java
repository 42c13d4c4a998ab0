/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The core does not need federation: but for what profile {@code core} of a module leaves out, no class names one of it. {@code
 * bin/check-core} builds and tests all of that; this notices in each build that it would not compile. Modules that are not named
 * here have no federation on their class path.
 */
class CoreTest {

    private static final Pattern LEFT_OUT = Pattern.compile("<(?:testExclude|exclude)>(io/trefoil/[^<]+)</");
    private static final Pattern FEDERATION = Pattern.compile("io/trefoil/(?:tools/|it/)?federation/[\\w/$]+");

    @ParameterizedTest
    @ValueSource(strings = {"tools", "integration-tests"})
    void coreDoesNotReferToFederation(String module) throws IOException {
        List<PathMatcher> leftOut = excludedPaths(module);

        assertThat(leftOut).isNotEmpty();
        assertThat(classesUsingFederation(module, leftOut)).isEmpty();
    }

    @Test
    void findsClassNotExcludedByProfile() throws IOException {
        assertThat(classesUsingFederation("tools", List.of()))
                .anyMatch(found -> found.startsWith("io/trefoil/tools/federation/"));
    }

    private static List<PathMatcher> excludedPaths(String module) throws IOException {
        String project = Files.readString(MainCode.tree().resolve(module).resolve("pom.xml"));
        String profile = project.substring(project.indexOf("<id>core</id>"));
        return LEFT_OUT.matcher(profile.substring(0, profile.indexOf("</profile>")))
                .results()
                .map(found -> FileSystems.getDefault().getPathMatcher("glob:" + found.group(1)))
                .toList();
    }

    /** The classes of a module that name one of federation. */
    private static List<String> classesUsingFederation(String module, List<PathMatcher> leftOut) throws IOException {
        List<String> users = new ArrayList<>();
        for (String kind : List.of("classes", "test-classes")) {
            Path root = MainCode.tree().resolve(module).resolve("target").resolve(kind);
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(".class")).forEach(file -> {
                    Path name = root.relativize(file);
                    Path source = Path.of(name.toString().replaceAll("(\\$.*)?\\.class$", ".java"));
                    if (leftOut.stream().noneMatch(one -> one.matches(source))) {
                        FEDERATION
                                .matcher(text(file))
                                .results()
                                .map(MatchResult::group)
                                .forEach(found -> users.add(name + " names " + found));
                    }
                });
            }
        }
        return users;
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
