/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.trefoil.it.process.ToolResult;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Hadoop's classes and ours, parsed and verified once for all JVMs to come (class data sharing), in an archive for each kind of
 * server or command: it is up in half the time, and with ten JVMs on two cores that is most of what starting a cluster costs.
 *
 * <p>The first cluster of a checkout that runs some of a kind lets them write down what they load, and leaves their archive when
 * it is closed. A JVM that finds the archive not fitting its class path ignores it.
 */
final class ClassArchive {
    private static final int DUMP_SECONDS = 120;

    /** An archive costs as much as three JVMs save. */
    private static final int WORTH_IT = 3;

    private static final String BETWEEN_KIND_AND_JVM = "@";

    private final List<Path> classPath;
    private final String key;
    private final Path lists;

    private ClassArchive(List<Path> classPath, String key, Path lists) {
        this.classPath = classPath;
        this.key = key;
        this.lists = lists;
    }

    /**
     * The archives for a class path.
     *
     * @param classPath jars; what a JVM searches after them is not archived
     * @param lists where JVMs write down what they load, as long as there is no archive for their kind
     */
    static ClassArchive of(List<Path> classPath, Path lists) {
        CRC32 key = new CRC32();
        key.update((System.getProperty("java.vm.version") + classPath).getBytes(StandardCharsets.UTF_8));
        return new ClassArchive(List.copyOf(classPath), "%08x".formatted(key.getValue()), lists);
    }

    /**
     * What a JVM needs to be told.
     *
     * @param jvm a name for the JVM, unique among those that run at one time
     * @param mainClass which says its kind
     */
    List<String> options(String jvm, String mainClass) {
        String kind = mainClass.substring(mainClass.lastIndexOf('.') + 1);
        if (isThere(archive(kind))) {
            return List.of("-XX:SharedArchiveFile=" + archive(kind), "-Xlog:cds=off", "-Xlog:class+path=off");
        }
        String list = kind + BETWEEN_KIND_AND_JVM + jvm + "-" + System.nanoTime() + ".list";
        return List.of("-XX:DumpLoadedClassList=" + lists.resolve(list));
    }

    /** Makes the archives of what was written down, of kinds that are worth it and have none yet. */
    void makeMissing() {
        for (Map.Entry<String, List<Path>> kind : listsByKind().entrySet()) {
            if (kind.getValue().size() >= WORTH_IT && !isThere(archive(kind.getKey()))) {
                make(kind.getKey(), kind.getValue());
            }
        }
    }

    private Path archive(String kind) {
        return WorkDirectory.parent().resolve("classes-%s-%s.jsa".formatted(key, kind));
    }

    /** One that is older than a jar does not fit. */
    private boolean isThere(Path archive) {
        long made = archive.toFile().lastModified();
        return made != 0 && classPath.stream().allMatch(jar -> jar.toFile().lastModified() < made);
    }

    private void make(String kind, List<Path> ofJvms) {
        try {
            Path classes = lists.resolve(kind + ".classes");
            Files.write(classes, loadedClasses(ofJvms));
            Path draft = Files.createTempFile(WorkDirectory.parent(), "classes", ".draft");
            // The JVM insists on making the file itself.
            Files.delete(draft);
            ToolResult dump = dump(classes, draft);
            if (dump.exitCode() == 0) {
                Files.move(draft, archive(kind), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no class archive", e);
        }
    }

    private Map<String, List<Path>> listsByKind() {
        try (Stream<Path> files = Files.list(lists)) {
            return files.filter(file -> file.toString().endsWith(".list")).collect(groupingBy(ClassArchive::kindOf));
        } catch (IOException e) {
            throw new UncheckedIOException("no lists of classes", e);
        }
    }

    private static String kindOf(Path list) {
        String name = list.getFileName().toString();
        return name.substring(0, name.indexOf(BETWEEN_KIND_AND_JVM));
    }

    private static Set<String> loadedClasses(List<Path> ofJvms) throws IOException {
        Set<String> classes = new LinkedHashSet<>();
        for (Path list : ofJvms) {
            String text = Files.readString(list);
            // The last line of a JVM that was killed may be half a line.
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(classes::add);
        }
        return classes;
    }

    private ToolResult dump(Path classes, Path target) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:dump",
                "-XX:SharedClassListFile=" + classes,
                "-XX:SharedArchiveFile=" + target,
                "-cp",
                classPath.stream().map(Path::toString).collect(joining(File.pathSeparator)));
        Path output = lists.resolve("dump.out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new ToolResult("-Xshare:dump", 1, "took too long");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while archiving classes", e);
        }
        return new ToolResult("-Xshare:dump", process.exitValue(), Files.readString(output));
    }
}
