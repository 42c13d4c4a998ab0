/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.run;

import java.io.IOException;

/** Is told of the objects that a member archives. Called by the threads that archive. */
public interface ArchiveObserver {

    /** Records that this member archives from now on, or stops. */
    void archivingChanged(boolean begins);

    /** Called when the archive got entries. */
    void wrote(long entries);

    /** Called when the archive got an image. */
    void copiedImage();

    /** Called when the archive lost objects that are no longer wanted. */
    void pruned(int objects);

    /** Called when the journal no longer had entries that the archive lacks: the archive has a gap. */
    void skipped(long entries);

    /**
     * Called once when something fails, and is tried until it works; then {@link #recovered}.
     *
     * @param what edits, images or old objects
     */
    void failing(String what, IOException failure);

    /** Records that something that failed works again. */
    void recovered(String what);

    /** Called on a bug, or without memory: this member no longer archives. */
    void died(Throwable cause);
}
