/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.folder;

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

/** A kind of folders that the root of a nameservice lists for its NameNodes. */
public final class MarkedDirectories {

    public static final MarkedDirectories GIVEN_AWAY = new MarkedDirectories(
            new DirectoryLists(MovedMark::foldersName, MovedMark::hasFolders, Optional.of(MovedMark.NAME)),
            "were given away",
            "clients with an older table would meet its seal alone");

    public static final MarkedDirectories ENTRIES = new MarkedDirectories(
            new DirectoryLists(EntryMark::foldersName, EntryMark::hasFolders, Optional.empty()),
            "are entries",
            "clients could delete and rename it: name it in fs.protected.directories");

    public static final MarkedDirectories SEALED = new MarkedDirectories(
            new DirectoryLists(SealMark::foldersName, SealMark::hasFolders, Optional.of(SealMark.NAME)),
            "are sealed or being moved",
            "NameNodes would neither keep it in its place nor closed");

    private final DirectoryLists lists;
    private final String what;
    private final String consequence;

    private MarkedDirectories(DirectoryLists lists, String what, String consequence) {
        this.lists = lists;
        this.what = what;
        this.consequence = consequence;
    }

    DirectoryLists lists() {
        return lists;
    }

    /**
     * Why a folder cannot be listed as well, a sentence; empty if it can, or is.
     *
     * @param root as texts name it
     * @param ofRoot its attributes
     */
    public Optional<String> fullListReason(
            String root, ClientProtocol nameNode, Collection<XAttr> ofRoot, String folder) throws IOException {
        return lists.with(nameNode, ofRoot, folder).isPresent()
                ? Optional.empty()
                : Optional.of("The lists at " + root + " of folders that " + what + " have no room for " + folder
                        + ", and " + consequence + "; remove seals that nobody needs, or have fewer entries");
    }

    /** The lists as they would be written with one folder more; none if it is listed, or there is no room. */
    public List<XAttr> with(ClientProtocol nameNode, Collection<XAttr> ofRoot, String folder) throws IOException {
        return lists.with(nameNode, ofRoot, folder).orElse(Collections.emptyList());
    }
}
