/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.process.Steps;
import io.trefoil.it.process.faults.SlowLink;
import io.trefoil.it.process.jvm.DriftingClock;
import io.trefoil.it.process.jvm.ExitWithParent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Everything that one cluster keeps on disk: {@code conf/<server>}, {@code data/<server>}, {@code tmp/<server>}, {@code logs}.
 *
 * <p>The name ends in the id of this process, so that what a killed run left behind can be told from what is in use.
 */
public final class WorkDirectory {
    private static final AtomicInteger CREATED = new AtomicInteger();

    private final Path root;

    private WorkDirectory(Path root) {
        this.root = root;
    }

    /** Creates a directory below {@code trefoil.it.directory}, or below {@code target/clusters} of the current directory. */
    public static WorkDirectory create(String clusterName) {
        Path parent = parent();
        String unique = clusterName + "-" + ProcessHandle.current().pid() + "-" + CREATED.incrementAndGet();
        try {
            WorkDirectory directory = new WorkDirectory(parent.resolve(unique));
            Files.createDirectories(directory.logs());
            directory.unpackLeash();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path parent() {
        return Path.of(System.getProperty("trefoil.it.directory", "target/clusters"))
                .toAbsolutePath()
                .normalize();
    }

    public Path root() {
        return root;
    }

    public Path logs() {
        return root.resolve("logs");
    }

    public Path configuration(String server) {
        return createDirectory(root.resolve("conf").resolve(server));
    }

    public Path data(String server) {
        return createDirectory(root.resolve("data").resolve(server));
    }

    /** The directory that a server uses as the machine's temporary directory. */
    public Path temporary(String server) {
        return createDirectory(root.resolve("tmp").resolve(server));
    }

    /** The directory of our classes under which other main classes run. */
    public Path leash() {
        return root.resolve("leash");
    }

    /** Returns where the JVMs with one class path record the classes that they load. */
    public Path classLists(String classPath) {
        return createDirectory(root.resolve("classes").resolve(classPath));
    }

    public Path scratch() {
        return createDirectory(root.resolve("scratch"));
    }

    /** Deletes everything; symbolic links are not followed. A second call does nothing. */
    public synchronized void delete() {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(root)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unpackLeash() throws IOException {
        List<Class<?>> types = new ArrayList<>(List.of(ExitWithParent.class, Steps.class, DriftingClock.class));
        types.addAll(SlowLink.classes());
        for (Class<?> type : types) {
            String resource = type.getName().replace('.', '/') + ".class";
            Path target = leash().resolve(resource);
            Files.createDirectories(target.getParent());
            try (InputStream bytes = type.getClassLoader().getResourceAsStream(resource)) {
                Files.copy(bytes, target);
            }
        }
    }

    private static Path createDirectory(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
