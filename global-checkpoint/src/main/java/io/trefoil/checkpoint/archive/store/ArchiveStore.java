/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** The store of an archive: whole objects under names, on a file system or in an object store. Thread-safe. */
public interface ArchiveStore {

    /**
     * Writes an object, which is there whole and durable when this returns. One of that name that is there already has the same content,
     * and may stay. After a failure it may be there or not, now or later, but never a part of it.
     */
    void put(String name, Content content) throws IOException;

    /**
     * Opens an object.
     *
     * @throws java.io.FileNotFoundException if there is none of that name
     */
    InputStream open(String name) throws IOException;

    /** The names of the objects in a directory and those below; may lack the newest, and name such that are gone. */
    List<String> list(String directory) throws IOException;

    /** Deletes an object, if it is there. */
    void delete(String name) throws IOException;

    /** Gives the content of an object; may be asked more than once. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }
}
