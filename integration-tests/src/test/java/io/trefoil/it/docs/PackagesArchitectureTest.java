/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A package has 3 to 12 classes and says what happens in it, so that a reader looks through a dozen names, not sixty.
 * Tests are in the package of what they test and are not counted; their helpers are.
 */
class PackagesArchitectureTest {
    private static final int FEWEST = 3;
    private static final int MOST = 12;
    private static final String FRONT_DOOR = "the front door: what is behind it has rooms of its own";
    private static final String HADOOPS = "a package of Hadoop's: no more than what only its members may touch";

    private static final Map<String, String> EXCEPTIONS = Map.ofEntries(
            Map.entry("global-checkpoint/src/main/java/io/trefoil/checkpoint", FRONT_DOOR),
            Map.entry("tools/src/main/java/io/trefoil/tools", FRONT_DOOR),
            Map.entry(
                    "journal-ssp/src/main/java/io/trefoil/journal/model",
                    "one value per class, few of them alone of use"),
            Map.entry("journal-ssp/src/main/java/io/trefoil/foundation", "what all modules share, each of use alone"),
            Map.entry(
                    "journal-ssp/src/main/java/io/trefoil/journal/protocol", "one message per class, read as one list"),
            Map.entry(
                    "namenode-ha/src/main/java/io/trefoil/ha/agent",
                    "one machine: nobody else may build its AgentState"),
            Map.entry(
                    "journal-ssp/src/main/java/io/trefoil/journal/writer",
                    "one machine: nobody else may build its WriterState"),
            Map.entry("journal-ssp/src/main/java/io/trefoil/journal/pool/warmup", "one job that nothing else shares"),
            Map.entry(
                    "journal-ssp/src/main/java/io/trefoil/journal/pool/replica/reading",
                    "by any thread, unlike what is around it"),
            Map.entry(
                    "smart-client/src/main/java/io/trefoil/client/hashed",
                    "one tree, whose operations wait for each other"),
            Map.entry("tools/src/main/java/io/trefoil/tools/table", "one command per class, of one table"),
            Map.entry("tools/src/main/java/io/trefoil/tools/subtree/model", "the rules of one move, with its values"),
            Map.entry("integration-tests/src/main/java/io/trefoil/it/hadooptests", "a program of its own"),
            Map.entry("benchmarks/src/main/java/org/apache/hadoop/hdfs/server/namenode", HADOOPS),
            Map.entry("global-checkpoint/src/main/java/org/apache/hadoop/hdfs/server/namenode", HADOOPS),
            Map.entry("namenode-ha/src/main/java/org/apache/hadoop/security/token/delegation", HADOOPS));

    @TempDir
    private Path planted;

    @Test
    void aPackageHasThreeToTwelveClassesOrAReason() throws IOException {
        Map<String, String> odd = odd(tree());
        odd.keySet().removeAll(EXCEPTIONS.keySet());
        assertThat(odd).isEmpty();
    }

    @Test
    void noReasonIsLeftOfAPackageThatNeedsNone() throws IOException {
        Set<String> unneeded = new HashSet<>(EXCEPTIONS.keySet());
        unneeded.removeAll(odd(tree()).keySet());
        assertThat(unneeded).isEmpty();
    }

    @Test
    void aPackageSaysWhatHappensInIt() throws IOException {
        assertThat(packages(tree())
                        .filter(folder -> folder.toString().contains("/src/main/"))
                        .filter(folder -> !Files.exists(folder.resolve("package-info.java"))))
                .isEmpty();
    }

    @Test
    void seesWhatIsPlanted() throws IOException {
        plant("module/src/main/java/small", 2);
        plant("module/src/main/java/fitting", FEWEST);
        plant("module/src/main/java/large", MOST + 1);
        plant("module/src/test/java/small", 1);
        plant("module/src/test/java/large", MOST + 1);
        Files.createFile(planted.resolve("module/src/test/java/small/OneTest.java"));

        assertThat(odd(planted))
                .containsExactly(
                        Map.entry("module/src/main/java/large", "13 classes"),
                        Map.entry("module/src/main/java/small", "2 classes"),
                        Map.entry("module/src/test/java/large", "13 classes"));
    }

    private void plant(String folder, int classes) throws IOException {
        Files.createDirectories(planted.resolve(folder));
        for (int i = 0; i < classes; i++) {
            Files.createFile(planted.resolve(folder).resolve("Class" + i + ".java"));
        }
    }

    private static Path tree() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(folder.resolve("docs/README.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static Map<String, String> odd(Path tree) throws IOException {
        Map<String, String> odd = new TreeMap<>();
        for (Path folder : packages(tree).toList()) {
            long count = count(folder);
            boolean small = count < FEWEST && folder.toString().contains("/src/main/");
            if (small || count > MOST) {
                odd.put(tree.relativize(folder).toString(), count + " classes");
            }
        }
        return odd;
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name ->
                            name.matches("[A-Z]\\w*\\.java") && !name.matches("\\w+(Test|IT|Properties)\\.java"))
                    .count();
        }
    }

    /** The folders with classes of each module; the client test programs are one class each. */
    private static Stream<Path> packages(Path tree) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(tree)) {
            for (Path sources : modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.endsWith("package-info.java"))
                            .map(Path::getParent)
                            .distinct()
                            .forEach(found::add);
                }
            }
        }
        return found.stream();
    }
}
