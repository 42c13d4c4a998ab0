/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import io.trefoil.foundation.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of this host's configuration, such as {@code hdfs-site.xml}. It is replaced as a whole, so readers see the old one or the new one.
 */
final class SiteFile {
    private static final Pattern ENCODING = Pattern.compile("^\\uFEFF?<\\?xml[^>]*\\bencoding=[\"']([^\"']+)");

    private final Path file;
    private final String text;

    private SiteFile(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    /**
     * Reads the file, following links.
     *
     * @throws IllegalArgumentException if it is not text in UTF-8
     */
    static SiteFile read(Path path) throws IOException {
        Path file = path.toRealPath();
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            Matcher encoding = ENCODING.matcher(text);
            if (encoding.find() && !encoding.group(1).toUpperCase(Locale.ROOT).matches("UTF-?8|US-ASCII")) {
                throw new IllegalArgumentException("Wanted UTF-8 in " + file + ", found encoding " + encoding.group(1));
            }
            return new SiteFile(file, text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("Wanted UTF-8 in " + file + ", found other bytes", e);
        }
    }

    /** Creates a file that all users may read, whatever the umask. Durable when it returns; no process sees a part of it. */
    static void create(Path file, String text) throws IOException {
        write(file, text, draft -> Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--")));
    }

    Path file() {
        return file;
    }

    SiteText text() {
        return new SiteText(text);
    }

    /**
     * Replaces the file, keeping its owner and mode. Durable when it returns; after an exception the old file is still there, untouched.
     *
     * @return where a copy of the old file is
     */
    Path replaceWith(String next) throws IOException {
        Path backup = backUp();
        write(file, next, this::copyOwnerTo);
        return backup;
    }

    private static void write(Path file, String text, Finish finish) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        try {
            Files.createFile(draft, ownerOnlyMode());
            DurableFiles.write(draft, text);
            finish.finish(draft);
            DurableFiles.rename(draft, file);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(
                    draft + " exists: another change is being made; or one was interrupted, then delete it", e);
        } catch (IOException e) {
            Files.deleteIfExists(draft);
            throw e;
        }
    }

    /** The mode of the draft, which no other user may read before it has the mode of the old file, as the file may hold secrets. */
    private static FileAttribute<Set<PosixFilePermission>> ownerOnlyMode() {
        return PosixFilePermissions.asFileAttribute(
                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    }

    private Path backUp() throws IOException {
        for (int number = 1; ; number++) {
            Path backup = file.resolveSibling(file.getFileName() + ".before-" + number);
            if (!Files.exists(backup)) {
                return Files.copy(file, backup, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private void copyOwnerTo(Path draft) throws IOException {
        PosixFileAttributes old = Files.readAttributes(file, PosixFileAttributes.class);
        PosixFileAttributeView view = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        view.setOwner(old.owner());
        view.setGroup(old.group());
        view.setPermissions(old.permissions());
    }

    /** Gives a written draft the owner and mode of the final file. */
    private interface Finish {
        void finish(Path draft) throws IOException;
    }
}
