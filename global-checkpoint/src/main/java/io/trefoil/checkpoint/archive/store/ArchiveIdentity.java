/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/** The object that says whose archive a directory is. Stateless. */
public final class ArchiveIdentity {

    /** The name of the object. */
    public static final String NAME = "archive";

    private static final String TITLE = "trefoil-archive";

    private ArchiveIdentity() {}

    /**
     * Makes a directory the archive of a journal, or checks that it is that.
     *
     * @throws OtherArchiveException if it belongs to another one; nothing was changed
     */
    public static void claim(ArchiveStore store, JournalId journal, NamespaceId namespace) throws IOException {
        Document wanted = new Document(TITLE)
                .with("journal", journal)
                .with("clusterId", namespace.clusterId())
                .with("namespaceId", namespace.namespaceId());
        try (InputStream in = store.open(NAME)) {
            Document found = Document.read(TITLE, in);
            for (String name : new String[] {"journal", "clusterId", "namespaceId"}) {
                if (!found.one(name).equals(wanted.one(name))) {
                    throw new OtherArchiveException("wanted the archive of " + name + " " + wanted.one(name)
                            + ", found that of " + found.one(name) + "; give another directory. Nothing was changed");
                }
            }
        } catch (FileNotFoundException e) {
            // Whoever else claims it for this journal writes the same bytes.
            store.put(NAME, out -> out.write(wanted.bytes()));
        }
    }

    /**
     * Checks that there is an archive of a journal.
     *
     * @throws IOException if there is none, it is of another journal, or has a newer format
     */
    public static void require(ArchiveStore store, JournalId journal) throws IOException {
        try (InputStream in = store.open(NAME)) {
            String found = Document.read(TITLE, in).one("journal");
            if (!found.equals(journal.toString())) {
                throw new OtherArchiveException("wanted the archive of journal " + journal + ", found that of " + found
                        + "; give --journal " + found + " and the directory that was given to 'archive write'");
            }
        } catch (FileNotFoundException e) {
            throw new IOException(
                    "wanted an archive, found no object '" + NAME
                            + "' there; give the directory that was given to 'archive write', with the journal's name",
                    e);
        }
    }
}
