/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log.frame;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;

/** An entry found in a log file. Immutable. */
@AutoValue
public abstract class LogFrame {

    static LogFrame of(Entry entry, LogFrameHead head, long offset) {
        return new AutoValue_LogFrame(entry, head, offset);
    }

    public abstract Entry entry();

    public abstract LogFrameHead head();

    /** The offset of the frame in the file. */
    public abstract long offset();
}
