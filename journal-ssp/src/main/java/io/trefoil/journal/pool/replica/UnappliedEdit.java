/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edit that the NameNode beside a replica could not apply, if there is one. It is in a file beside the replica's folder, because
 * the NameNode ends of it, and somebody else answers operators then. Only a note: a file that cannot be read or written is logged.
 * Thread-safe.
 */
public final class UnappliedEdit {
    /** Keeps nothing on a disk. */
    public static UnappliedEdit inMemory() {
        return new UnappliedEdit(Optional.<Path>empty());
    }

    private static final Logger LOG = LoggerFactory.getLogger(UnappliedEdit.class);

    /** An edit can be as long as a path; operators need its beginning. */
    private static final int MAX_LENGTH = 1_000;

    private final Optional<Path> file;
    /** Read without the lock, under which files are written: a question about this node must not wait for its disk. */
    private volatile Optional<Note> note = Optional.empty();

    private UnappliedEdit(Optional<Path> file) {
        this.file = file;
    }

    /** The note that a process before this one left in a file, or none. */
    public static UnappliedEdit in(Path file) {
        UnappliedEdit edit = new UnappliedEdit(Optional.of(file));
        if (Files.exists(file)) {
            edit.read(file);
        }
        return edit;
    }

    private synchronized void read(Path from) {
        try {
            List<String> lines = Files.readAllLines(from, StandardCharsets.UTF_8);
            note = Optional.of(new Note(Long.parseLong(lines.get(0)), lines.get(1), lines.get(2)));
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "{} cannot be read as the note of an edit that was not applied, and is ignored" + "; nothing to do",
                    from,
                    e);
        }
    }

    /**
     * Notes an edit.
     *
     * @param why empty if that is not known; does not replace what is known of the same edit
     */
    public synchronized void show(long txId, String edit, String why) {
        if (note.filter(known -> known.txId == txId && (why.isEmpty() || known.why.equals(why)))
                .isPresent()) {
            return;
        }
        note = Optional.of(new Note(txId, oneLine(edit), oneLine(why)));
        Note now = note.get();
        file.ifPresent(to -> write(to, now));
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\s+", " ").trim();
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
    }

    private static void write(Path to, Note now) {
        try {
            Files.write(to, Arrays.asList(Long.toString(now.txId), now.edit, now.why), StandardCharsets.UTF_8);
        } catch (IOException e) {
            LOG.warn(
                    "{} cannot be written: after a restart, nobody will name transaction {}" + "; do: check that disk",
                    to,
                    now.txId,
                    e);
        }
    }

    /** The NameNode has applied everything up to this transaction: a note of one of these is outdated. */
    public synchronized void applied(long txId) {
        if (!note.filter(known -> known.txId <= txId).isPresent()) {
            return;
        }
        note = Optional.empty();
        file.ifPresent(UnappliedEdit::delete);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} is outdated and cannot be deleted; do: delete it", file, e);
        }
    }

    /** For operators, as in {@code transaction 7, MkdirOp […]: FileNotFoundException: …}; empty if there is none. */
    public String text() {
        return note.map(Note::toString).orElse("");
    }

    /** What is known. */
    private static final class Note {
        private final long txId;
        private final String edit;
        private final String why;

        private Note(long txId, String edit, String why) {
            this.txId = txId;
            this.edit = edit;
            this.why = why;
        }

        @Override
        public String toString() {
            return "transaction " + txId + ", " + edit + (why.isEmpty() ? "" : ": " + why);
        }
    }
}
