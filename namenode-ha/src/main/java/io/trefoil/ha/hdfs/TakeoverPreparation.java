/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.journal.pool.TakeoverWarmUp;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the first takeover of a process as fast as later ones. Loading code would take most of its time: a standby that
 * is a month old has never run what it suddenly needs.
 */
final class TakeoverPreparation {
    private static final Logger LOG = LoggerFactory.getLogger(TakeoverPreparation.class);

    private TakeoverPreparation() {}

    /** Prepares in a thread of its own. */
    static void beginSoon() {
        Thread thread = new Thread(TakeoverPreparation::prepare, "mams-prepare");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(
                (dead, cause) -> LOG.warn("Not prepared ahead; the first takeover takes longer", cause));
        thread.start();
    }

    private static void prepare() {
        TakeoverClasses.load();
        try {
            TakeoverWarmUp.run();
        } catch (IOException e) {
            LOG.warn("Warming up to become a writer failed; the first takeover takes longer", e);
        }
    }
}
