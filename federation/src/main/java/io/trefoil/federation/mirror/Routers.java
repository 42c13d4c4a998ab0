/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.foundation.NoServerReachedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Routers that share a State Store, and so a mount table. Calls wait for Routers. Not thread-safe. */
public interface Routers extends Closeable {

    /** The addresses of the Routers' administration. */
    List<String> addresses();

    /**
     * All entries that the State Store has now.
     *
     * @throws NoServerReachedException if no Router returns them
     */
    List<MountEntry> entries() throws IOException;

    /**
     * Makes one change to the {@link #entries}; the change is in the State Store when this returns.
     *
     * @throws TableRefusedException if another process changed that entry
     * @throws IOException if the Router refuses it, for instance because the caller is not its superuser; the text
     *     is the Router's
     */
    void applyChange(MountChange change, MirrorMark mark) throws IOException;

    /** Makes one Router reread the mount table. */
    void refresh(String router) throws IOException;

    /** All entries that one Router found when it last read the mount table. */
    List<MountEntry> entries(String router) throws IOException;

    /**
     * The nameservice in which one Router finds a path for its clients.
     *
     * @throws IOException if it finds none, because it does not know the nameservice; the text says so
     */
    String resolveNameservice(String router, SubtreePath path) throws IOException;
}
