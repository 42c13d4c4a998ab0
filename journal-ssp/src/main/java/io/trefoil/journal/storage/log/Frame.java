/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;

/** An entry as it was found in a log file. Immutable. */
@AutoValue
public abstract class Frame {

    static Frame of(Entry entry, FrameHead head, long offset) {
        return new AutoValue_Frame(entry, head, offset);
    }

    public abstract Entry entry();

    public abstract FrameHead head();

    /** Where in the file it begins. */
    public abstract long offset();
}
