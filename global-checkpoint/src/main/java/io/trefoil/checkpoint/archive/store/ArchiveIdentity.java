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
    private static final int VERSION = 1;

    private ArchiveIdentity() {}

    /**
     * Makes a directory the archive of a journal, or checks that it is that.
     *
     * @throws ForeignArchiveException if it belongs to another one; nothing was changed
     */
    public static void claim(ArchiveStore store, JournalId journal, NamespaceId namespace) throws IOException {
        ObjectHeader wanted = new ObjectHeader(TITLE, VERSION)
                .append("journal", journal)
                .append("clusterId", namespace.clusterId())
                .append("namespaceId", namespace.namespaceId());
        try (InputStream in = store.open(NAME)) {
            ObjectHeader found = ObjectHeader.read(TITLE, VERSION, in);
            for (String name : new String[] {"journal", "clusterId", "namespaceId"}) {
                if (!found.value(name).equals(wanted.value(name))) {
                    throw new ForeignArchiveException("wanted the archive of " + name + " " + wanted.value(name)
                            + ", found that of " + found.value(name) + "; give another directory. Nothing was changed");
                }
            }
        } catch (FileNotFoundException e) {
            // Another process that claims it for this journal writes the same bytes.
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
            String found = ObjectHeader.read(TITLE, VERSION, in).value("journal");
            if (!found.equals(journal.toString())) {
                throw new ForeignArchiveException("wanted the archive of journal " + journal + ", found that of "
                        + found + "; give --journal " + found + " and the directory that was given to 'archive write'");
            }
        } catch (FileNotFoundException e) {
            throw new IOException(
                    "wanted an archive, found no object '" + NAME
                            + "' there; give the directory that was given to 'archive write', with the journal's name",
                    e);
        }
    }
}
