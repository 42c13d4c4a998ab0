/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The files that benchmarks leave in a directory of the build: their samples as JSON, and pictures. */
public final class BenchmarkFiles {
    /** The directory, which clusters also use. */
    public static final Path DIRECTORY = Path.of("benchmarks", "target").toAbsolutePath();

    private BenchmarkFiles() {}

    /** Writes all samples, after the conditions that they depend on. */
    public static void writeSamples(
            Path file, Map<String, String> machine, Map<String, ?> options, BenchmarkResults results)
            throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("machine", machine);
        all.putAll(options);
        all.put("samples", results.toMaps());
        writeJson(file, all);
    }

    /** Writes data as indented JSON. */
    public static void writeJson(Path file, Object data) throws IOException {
        Files.createDirectories(file.getParent());
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), data);
    }
}
