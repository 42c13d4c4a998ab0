/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.model.Barriers;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** The latest term of a NameNode of this process, and the watcher of its progress. Thread-safe. */
public final class ServingTerm {
    private static final ConcurrentMap<String, ServingTerm> ALL = new ConcurrentHashMap<>();

    private volatile Optional<CommitWatch> commits = Optional.empty();
    private volatile Runnable watcher = () -> {};
    private volatile Function<Barriers, Optional<String>> objector = barriers -> Optional.empty();

    /**
     * Returns the serving term of a NameNode of this process and a journal; outlives the {@code JournalManager}, which HDFS
     * keeps replacing.
     */
    public static ServingTerm of(NameNodeSettings settings) {
        return ALL.computeIfAbsent(settings.owner() + "/" + settings.journal(), name -> new ServingTerm());
    }

    /** The commits of this NameNode's terms; empty until it first writes. */
    public Optional<CommitWatch> commitWatch() {
        return commits;
    }

    public void begin(CommitWatch watch) {
        commits = Optional.of(watch);
        notifyWatcher();
    }

    public void setAdvanceWatcher(Runnable newWatcher) {
        watcher = newWatcher;
    }

    public void setTermStartCheck(Function<Barriers, Optional<String>> newCheck) {
        objector = newCheck;
    }

    /** Returns why no term may begin after a log with these barriers; empty if it may. */
    public Optional<String> objectionTo(Barriers barriers) {
        return objector.apply(barriers);
    }

    /** Notifies the watcher that the term may have advanced. */
    public void notifyWatcher() {
        watcher.run();
    }
}
