/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edit that the NameNode in a replica's process could not apply, if there is one. It is in a file next to the replica's
 * directory, because the NameNode ends of it, and another process answers operators then. Only a note: a file that cannot
 * be read or written is logged. Thread-safe.
 */
public final class UnappliedEdit {
    private static final Logger LOG = LoggerFactory.getLogger(UnappliedEdit.class);

    /** The longest recorded text of an edit, which can be as long as a path; operators need only its beginning. */
    private static final int MAX_LENGTH = 1_000;

    private final NoteStore noteStore;
    /** Read without the lock, under which files are written: a query about this node must not wait for its disk. */
    private volatile Note note = Note.NONE;

    private UnappliedEdit(NoteStore noteStore) {
        this.noteStore = noteStore;
    }

    /** Creates an instance that keeps its note in memory alone. */
    public static UnappliedEdit inMemory() {
        return new UnappliedEdit(new NoteStore());
    }

    /** Creates an instance that keeps its note in a file; {@link #loadNote} loads the note that an earlier process left there. */
    public static UnappliedEdit inFile(Path file) {
        return new UnappliedEdit(new FileNoteStore(file));
    }

    /** Reads the note that an earlier process left, unless there is a newer one. Waits for the disk. */
    synchronized void loadNote() {
        if (note == Note.NONE) {
            note = noteStore.read();
        }
    }

    /**
     * Notes an edit.
     *
     * @param reason empty if that is not known; does not replace what is known of the same edit
     */
    public synchronized void record(long txId, String edit, String reason) {
        if (note.txId == txId && (reason.isEmpty() || note.reason.equals(reason))) {
            return;
        }
        note = new Note(txId, toSingleLine(edit), toSingleLine(reason));
        noteStore.write(note);
    }

    private static String toSingleLine(String text) {
        String line = text.replaceAll("\\s+", " ").trim();
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
    }

    /** The NameNode has applied everything up to this transaction: a note about one of these transactions is outdated. */
    public synchronized void clearIfApplied(long txId) {
        if (note != Note.NONE && note.txId <= txId) {
            note = Note.NONE;
            noteStore.clear();
        }
    }

    /** Text for operators, as in {@code transaction 7, MkdirOp […]: FileNotFoundException: …}; empty if there is none. */
    public String describe() {
        return note.toString();
    }

    /** The details of the edit that could not be applied. */
    private static final class Note {
        static final Note NONE = new Note(0, "", "");

        private final long txId;
        private final String edit;
        private final String reason;

        private Note(long txId, String edit, String reason) {
            this.txId = txId;
            this.edit = edit;
            this.reason = reason;
        }

        @Override
        public String toString() {
            return this == NONE ? "" : "transaction " + txId + ", " + edit + (reason.isEmpty() ? "" : ": " + reason);
        }
    }

    /** The place where notes outlive the process; this one keeps none. */
    private static class NoteStore {
        Note read() {
            return Note.NONE;
        }

        void write(Note currentNote) {}

        void clear() {}
    }

    /** A file with a line for each part of the note. */
    private static final class FileNoteStore extends NoteStore {
        private final Path file;

        FileNoteStore(Path file) {
            this.file = file;
        }

        @Override
        Note read() {
            if (!Files.exists(file)) {
                return Note.NONE;
            }
            try {
                List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
                return new Note(Long.parseLong(lines.get(0)), lines.get(1), lines.get(2));
            } catch (IOException | RuntimeException e) {
                LOG.warn(
                        "Ignoring unreadable file={}, which records an edit that was not applied; no action "
                                + "needed",
                        file,
                        e);
                return Note.NONE;
            }
        }

        @Override
        void write(Note currentNote) {
            try {
                Files.write(
                        file,
                        Arrays.asList(Long.toString(currentNote.txId), currentNote.edit, currentNote.reason),
                        StandardCharsets.UTF_8);
            } catch (IOException e) {
                LOG.warn(
                        "Cannot write file={}: after a restart, the failed txid={} is no longer reported; do: "
                                + "check that disk",
                        file,
                        currentNote.txId,
                        e);
            }
        }

        @Override
        void clear() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.warn("Cannot delete outdated file={}; do: delete it", file, e);
            }
        }
    }
}
