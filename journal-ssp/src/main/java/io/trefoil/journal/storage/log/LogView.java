/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.LogSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The log as readers see it at one moment. Immutable, except that its files may grow. */
@AutoValue
public abstract class LogView {

    static LogView of(List<LogFile> files, long lastSn) {
        return of(files, lastSn, 0);
    }

    private static LogView of(List<LogFile> files, long lastSn, long changeCount) {
        List<LogFile> copy = Collections.unmodifiableList(new ArrayList<>(files));
        return new AutoValue_LogView(copy, copy.get(0).base(), lastSn, changeCount);
    }

    /** The files in log order; never empty. */
    public abstract List<LogFile> files();

    /** Returns where the log begins: the summary of all entries before the first file. */
    public abstract LogSummary base();

    public abstract long lastSn();

    /**
     * Returns how often something was removed. A reader that finds another count afterwards must not trust what it
     * read.
     */
    public abstract long changeCount();

    final LogFile lastFile() {
        return files().get(files().size() - 1);
    }

    /** The index of the file that holds an entry, or would hold it. */
    public final int indexOf(long sn) {
        int index = files().size() - 1;
        while (index > 0 && files().get(index).firstSn() > sn) {
            index--;
        }
        return index;
    }

    final LogView extendTo(long lastSn) {
        return new AutoValue_LogView(files(), base(), lastSn, changeCount());
    }

    final LogView with(LogFile nextFile) {
        List<LogFile> more = new ArrayList<>(files());
        more.add(nextFile);
        return of(more, lastSn(), changeCount());
    }

    /** A view after something was removed or replaced. */
    final LogView replaceFiles(List<LogFile> files, long lastSn) {
        return of(files, lastSn, changeCount() + 1);
    }
}
