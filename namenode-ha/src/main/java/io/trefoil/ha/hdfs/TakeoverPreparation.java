/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.ha.hdfs.metrics.WarmUp;
import io.trefoil.journal.pool.warmup.TakeoverWarmUp;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the first takeover of a process as fast as later ones. Otherwise, loading code would take most of its time: a
 * standby that is a month old has never run the code that it suddenly needs.
 */
final class TakeoverPreparation {
    private static final Logger LOG = LoggerFactory.getLogger(TakeoverPreparation.class);

    private volatile WarmUp warmUp = WarmUp.PENDING;

    private TakeoverPreparation() {}

    /** Starts preparing on its own thread. */
    static TakeoverPreparation beginSoon() {
        TakeoverPreparation preparation = new TakeoverPreparation();
        Thread thread = new Thread(preparation::prepare, "mams-prepare");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, cause) -> {
            preparation.warmUp = WarmUp.FAILED;
            LOG.warn("Preparing for the first takeover failed; it takes longer; no action needed", cause);
        });
        thread.start();
        return preparation;
    }

    /** The progress of the warm-up. Thread-safe. */
    WarmUp warmUp() {
        return warmUp;
    }

    private void prepare() {
        TakeoverClasses.load();
        try {
            TakeoverWarmUp.run();
            warmUp = WarmUp.DONE;
        } catch (IOException e) {
            warmUp = WarmUp.FAILED;
            LOG.warn("Warming up to become a writer failed; the first takeover takes longer; no action needed", e);
        }
    }
}
