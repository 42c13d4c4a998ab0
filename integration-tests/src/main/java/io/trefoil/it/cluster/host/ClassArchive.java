/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import static java.util.stream.Collectors.joining;

import io.trefoil.it.process.ToolResult;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Hadoop's classes and ours, parsed and verified once for all later JVMs (class data sharing): a server starts in half
 * the time, and with ten JVMs on two cores that is most of the cost of starting a cluster.
 *
 * <p>The JVMs of a checkout's first clusters record what they load, and the first cluster that serves makes the
 * archive. A JVM ignores an archive that does not fit its class path. One archive serves all kinds of JVMs: most kinds
 * run too rarely to be worth one of their own.
 */
public final class ClassArchive {
    private static final int DUMP_SECONDS = 120;

    private final List<Path> classPath;
    private final Path archive;
    private final Path lists;

    /**
     * Whether the archive is valid, checked once rather than at each start of a JVM, as the check reads the modification times of hundreds
     * of jars.
     */
    private volatile boolean missing;

    private ClassArchive(List<Path> classPath, Path archive, Path lists) {
        this.classPath = classPath;
        this.archive = archive;
        this.lists = lists;
        this.missing = !isFresh();
    }

    /**
     * Returns the archive for a class path.
     *
     * @param classPath jars; classes from later on a JVM's class path are not archived
     * @param lists where JVMs record what they load, as long as there is no archive
     */
    public static ClassArchive of(List<Path> classPath, Path lists) {
        CRC32 key = new CRC32();
        key.update((System.getProperty("java.vm.version") + classPath).getBytes(StandardCharsets.UTF_8));
        Path file = WorkDirectory.parent().resolve("classes-%08x.jsa".formatted(key.getValue()));
        return new ClassArchive(List.copyOf(classPath), file, lists);
    }

    /**
     * The JVM options that use the archive, or record the classes to put into it.
     *
     * @param jvm a name for the JVM, unique among those that run at the same time
     */
    public List<String> options(String jvm) {
        if (!missing) {
            return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:class+path=off");
        }
        return List.of("-XX:DumpLoadedClassList=" + lists.resolve(jvm + "-" + System.nanoTime() + ".list"));
    }

    /** Whether the archive was missing when it was last needed. */
    public boolean isMissing() {
        return missing;
    }

    /** Whether the archive is newer than all jars, as it must be. */
    private boolean isFresh() {
        long made = archive.toFile().lastModified();
        return made != 0 && classPath.stream().allMatch(jar -> jar.toFile().lastModified() < made);
    }

    /** Creates the archive from the classes that JVMs recorded, unless it exists or another process is creating it. */
    public void makeIfMissing() {
        if (!missing) {
            return;
        }
        Path turn = archive.resolveSibling(archive.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(turn, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            // Checked again, since another process may have made it.
            if (lock != null && !isFresh()) {
                make();
            }
            missing = !isFresh();
        } catch (OverlappingFileLockException e) {
            // Another cluster of this JVM is making it.
        } catch (IOException e) {
            throw new UncheckedIOException("no class archive", e);
        }
    }

    private void make() throws IOException {
        Set<String> loaded = loadedClasses();
        if (loaded.isEmpty()) {
            // The archive existed when this cluster began.
            return;
        }
        Path classes = lists.resolve("all.classes");
        Files.write(classes, loaded);
        Path draft = Files.createTempFile(archive.getParent(), "classes", ".draft");
        // The JVM insists on creating the file itself.
        Files.delete(draft);
        ToolResult dump = dump(classes, draft);
        if (dump.exitCode() == 0) {
            Files.move(draft, archive, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private Set<String> loadedClasses() throws IOException {
        Set<String> classes = new LinkedHashSet<>();
        try (Stream<Path> files = Files.list(lists)) {
            for (Path list :
                    files.filter(file -> file.toString().endsWith(".list")).toList()) {
                String text = Files.readString(list);
                // The last line of a killed JVM may be incomplete.
                text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(classes::add);
            }
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
        // It would outlive this JVM by the minute that it takes on a busy machine.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endDump(process, target), "dump-end"));
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

    private static void endDump(Process dump, Path target) {
        dump.destroyForcibly().onExit().join();
        try {
            Files.deleteIfExists(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
