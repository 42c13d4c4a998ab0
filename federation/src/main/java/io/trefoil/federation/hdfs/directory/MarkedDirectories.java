/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.SealMark;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/** A kind of directories that the root of a nameservice lists for its NameNodes. */
public final class MarkedDirectories {

    public static final MarkedDirectories GIVEN_AWAY = new MarkedDirectories(
            new DirectoryListAttributes(
                    MovedMark::directoriesAttributeName,
                    MovedMark::isDirectoriesAttribute,
                    Optional.of(MovedMark.NAME)),
            "were given away",
            "clients with an older table would meet its seal alone");

    public static final MarkedDirectories ENTRIES = new MarkedDirectories(
            new DirectoryListAttributes(
                    EntryMark::directoriesAttributeName, EntryMark::isDirectoriesAttribute, Optional.empty()),
            "are entries",
            "clients could delete and rename it: name it in fs.protected.directories");

    public static final MarkedDirectories SEALED = new MarkedDirectories(
            new DirectoryListAttributes(
                    SealMark::directoriesAttributeName, SealMark::isDirectoriesAttribute, Optional.of(SealMark.NAME)),
            "are sealed or being moved",
            "NameNodes would neither keep it in its place nor closed");

    private final DirectoryListAttributes lists;
    private final String description;
    private final String consequence;

    private MarkedDirectories(DirectoryListAttributes lists, String description, String consequence) {
        this.lists = lists;
        this.description = description;
        this.consequence = consequence;
    }

    DirectoryListAttributes lists() {
        return lists;
    }

    /**
     * Returns why a directory cannot be listed as well, as a sentence; empty if it can be, or already is.
     *
     * @param root as texts name it
     * @param ofRoot its attributes
     */
    public Optional<String> fullListReason(
            String root, ClientProtocol nameNode, Collection<XAttr> ofRoot, String directory) throws IOException {
        return lists.listsIncluding(nameNode, ofRoot, directory).isPresent()
                ? Optional.empty()
                : Optional.of("The lists at " + root + " of directories that " + description + " have no room for "
                        + directory + ", and " + consequence
                        + "; remove seals that are no longer needed, or have fewer entries");
    }

    /** The lists as they would be written with one more directory; empty if it is already listed, or there is no room. */
    public List<XAttr> listsIncluding(ClientProtocol nameNode, Collection<XAttr> ofRoot, String directory)
            throws IOException {
        return lists.listsIncluding(nameNode, ofRoot, directory).orElse(Collections.emptyList());
    }
}
