/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.export;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.TxRange;

/** A written edits file. Immutable. */
@AutoValue
abstract class EditsFile {

    static EditsFile of(String name, TxRange txIds, long bytes, boolean ended) {
        return new AutoValue_EditsFile(name, txIds, bytes, ended);
    }

    abstract String name();

    /** The transactions in it. */
    abstract TxRange txIds();

    abstract long bytes();

    /** Whether HDFS has ended the segment. */
    abstract boolean ended();
}
