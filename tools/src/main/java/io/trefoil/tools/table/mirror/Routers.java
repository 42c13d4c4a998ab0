/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.mirror;

import io.trefoil.foundation.NobodyReachedException;
import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.TableRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Routers that share a State Store, and so a mount table. Its calls wait for Routers. Not for use by several threads. */
public interface Routers extends Closeable {

    /** Where their administration listens. */
    List<String> addresses();

    /**
     * All entries, as the State Store has them now.
     *
     * @throws NobodyReachedException if no Router gives them
     */
    List<MountEntry> entries() throws IOException;

    /**
     * Makes one change to what {@link #entries} gave; in the State Store when it returns.
     *
     * @throws TableRefusedException if somebody else changed that entry
     * @throws IOException if the Router refuses it, as to who is not its superuser, with the Router's own words
     */
    void make(MountChange change, MirrorMark mark) throws IOException;

    /** Has one Router read the mount table again. */
    void refresh(String router) throws IOException;

    /**
     * The nameservice in which one Router finds a path for its clients.
     *
     * @throws IOException if it finds it in none, as it does not know the nameservice; the text says so
     */
    String find(String router, SubtreePath path) throws IOException;
}
