/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.run;

import java.io.IOException;

/** Is told what a member archives. Called by the threads that archive. */
public interface ArchiveObserver {

    /** It archives from now on, or no more. */
    void archiving(boolean begins);

    /** The archive got entries. */
    void wrote(long entries);

    /** The archive got an image. */
    void copiedImage();

    /** The archive lost objects that are no longer wanted. */
    void pruned(int objects);

    /** The journal no longer had entries that the archive lacks: it has a gap. */
    void skipped(long entries);

    /**
     * Something fails, and is tried until it works; told once, then {@link #over}.
     *
     * @param what edits, images or old objects
     */
    void failing(String what, IOException failure);

    /** What failed works again. */
    void over(String what);

    /** A bug, or no memory: this member archives no more. */
    void died(Throwable cause);
}
