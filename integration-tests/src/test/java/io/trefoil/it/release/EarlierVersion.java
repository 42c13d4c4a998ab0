/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Our jars of an earlier version, which {@code bin/earlier-version} builds. The system property {@code trefoil.it.earlier} names its tag or
 * commit; without it, it is the last release.
 */
final class EarlierVersion {
    private static final Path SCRIPT =
            Path.of("../bin/earlier-version").toAbsolutePath().normalize();

    private final List<Path> jars;

    private EarlierVersion(List<Path> jars) {
        this.jars = List.copyOf(jars);
    }

    static EarlierVersion ofThisRun() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        Stream.of(System.getProperty("trefoil.it.earlier", ""))
                .filter(ref -> !ref.isEmpty())
                .forEach(command::add);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        String directory = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + " failed: " + directory);
        }
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return new EarlierVersion(files.sorted().toList());
        }
    }

    /** What a server of that version has on its class path beside Hadoop. */
    List<Path> serverJars() {
        return jars;
    }

    /** What a client of that version has. */
    Path clientJar() {
        return jars.stream()
                .filter(jar -> jar.getFileName().toString().startsWith("trefoil-smart-client"))
                .findFirst()
                .orElseThrow();
    }
}
