/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The last view that a client of this user saw, in a file, for the next process.
 *
 * <p>A hint only: what it names is asked like a NameNode out of the configuration, and nothing is believed that it says of
 * roles. Whoever may write the directory may send the user's clients to other hosts, as with a configuration file.
 */
public final class ViewCache {
    private static final int LARGEST = 1 << 20;

    private final Path file;

    /** @param directory is made if it is missing, when there is something to keep */
    public ViewCache(String directory, String nameservice, String user) {
        this.file = Paths.get(directory, plain(nameservice) + "." + plain(user) + ".view.json");
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    /**
     * The view, or empty if none was kept.
     *
     * @throws IOException if there is a file that cannot be read or holds no view
     */
    public Optional<GroupView> load() throws IOException {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        if (Files.size(file) > LARGEST) {
            throw new IOException(file + " is too large to be a view");
        }
        try {
            return Optional.of(GroupView.read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " holds no view: " + e.getMessage(), e);
        }
    }

    /** Keeps a view in place of the last one, in one step, as other processes may be reading. */
    public void save(String document) throws IOException {
        Files.createDirectories(file.getParent());
        Path draft = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".draft");
        try {
            Files.write(draft, document.getBytes(StandardCharsets.UTF_8));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
