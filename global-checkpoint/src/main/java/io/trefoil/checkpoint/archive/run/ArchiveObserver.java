/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.run;

import java.io.IOException;

/** Is told of the objects that a member archives. Called by the threads that archive. */
public interface ArchiveObserver {

    /** Records that this member archives from now on, or stops. */
    void archivingChanged(boolean begins);

    /** The archive got entries. */
    void wrote(long entries);

    /** The archive got an image. */
    void copiedImage();

    /** The archive lost objects that are no longer wanted. */
    void pruned(int objects);

    /** The journal no longer had entries that the archive lacks: it has a gap. */
    void skipped(long entries);

    /**
     * Something fails, and is tried until it works; told once, then {@link #recovered}.
     *
     * @param what edits, images or old objects
     */
    void failing(String what, IOException failure);

    /** Records that something that failed works again. */
    void recovered(String what);

    /** A bug, or no memory: this member no longer archives. */
    void died(Throwable cause);
}
