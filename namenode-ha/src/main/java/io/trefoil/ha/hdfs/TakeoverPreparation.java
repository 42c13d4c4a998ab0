/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.ha.hdfs.metrics.WarmUpState;
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

    private volatile WarmUpState warmUp = WarmUpState.PENDING;

    private TakeoverPreparation() {}

    /** Starts preparing on its own thread. */
    static TakeoverPreparation startInBackground() {
        TakeoverPreparation preparation = new TakeoverPreparation();
        Thread thread = new Thread(preparation::prepare, "mams-prepare");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, cause) -> {
            preparation.warmUp = WarmUpState.FAILED;
            LOG.warn("Cannot prepare for the first takeover; no action needed: it only takes longer", cause);
        });
        thread.start();
        return preparation;
    }

    /** The progress of the warm-up. Thread-safe. */
    WarmUpState warmUp() {
        return warmUp;
    }

    private void prepare() {
        TakeoverClassPreloader.load();
        try {
            TakeoverWarmUp.run();
            warmUp = WarmUpState.DONE;
        } catch (IOException e) {
            warmUp = WarmUpState.FAILED;
            LOG.warn(
                    "The warm-up for becoming the writer failed; no action needed: only the first takeover takes longer",
                    e);
        }
    }
}
