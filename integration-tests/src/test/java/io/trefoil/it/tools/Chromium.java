/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A headless browser, if one is installed: it shows that the page's script works, which HTTP cannot. */
final class Chromium {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long LIMIT_SECONDS = 120;

    private final Path binary;
    private final Path profile;

    private Chromium(Path binary, Path profile) {
        this.binary = binary;
        this.profile = profile;
    }

    /** @param profile a directory that it may write to */
    static Optional<Chromium> find(Path profile) {
        for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
            for (String name : NAMES) {
                Path binary = Path.of(directory, name);
                if (Files.isExecutable(binary)) {
                    return Optional.of(new Chromium(binary, profile));
                }
            }
        }
        return Optional.empty();
    }

    /** The content of the page after its script has run for some seconds. */
    String dom(String url) throws IOException, InterruptedException {
        return run("--dump-dom", url);
    }

    /** @param options further ones, such as {@code --window-size=400,900} */
    void screenshot(String url, Path file, String... options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add("--screenshot=" + file);
        arguments.add("--hide-scrollbars");
        arguments.add(url);
        run(arguments.toArray(new String[0]));
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                binary.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + profile,
                "--virtual-time-budget=5000"));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(profile, "output", ".html");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command + " did not end in " + LIMIT_SECONDS + " s");
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }
}
