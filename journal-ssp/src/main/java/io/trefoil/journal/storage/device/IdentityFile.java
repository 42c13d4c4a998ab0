/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.file.ChecksummedText;
import io.trefoil.journal.storage.file.FileLayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The file {@code VERSION}: the identity of this storage, and its layout. Written last in a format, never changed. */
final class IdentityFile {

    static final String NAME = "VERSION";

    /** The version of the layout, incremented when an older version could not read what this one writes. */
    private static final int LAYOUT_VERSION = 1;

    private final Path path;
    private final ChecksummedText text;

    IdentityFile(FileLayer files, Path directory) {
        path = directory.resolve(NAME);
        text = new ChecksummedText(files, path);
    }

    void write(StorageIdentity identity) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("layoutVersion", Integer.toString(LAYOUT_VERSION));
        values.put("node", identity.node().text());
        values.put("clusterId", identity.namespace().clusterId());
        values.put("namespaceId", Integer.toString(identity.namespace().namespaceId()));
        values.put("incarnation", identity.incarnation().toString());
        text.write(values);
    }

    StorageIdentity read() throws IOException {
        // First of all: what else another layout has in this file is not known.
        String layoutVersion = text.read("layoutVersion").get("layoutVersion");
        if (!layoutVersion.equals(Integer.toString(LAYOUT_VERSION))) {
            throw new IOException(path + " has layout version " + layoutVersion + ", this version knows "
                    + LAYOUT_VERSION
                    + " only; nothing was changed. Start the release that wrote it, or take the way back"
                    + " that its notes describe");
        }
        Map<String, String> values = text.read("node", "clusterId", "namespaceId", "incarnation");
        try {
            return StorageIdentity.of(
                    NodeId.of(values.get("node")),
                    NamespaceId.of(values.get("clusterId"), Integer.parseInt(values.get("namespaceId"))),
                    Incarnation.parse(values.get("incarnation")));
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " makes no sense: " + values, e);
        }
    }
}
