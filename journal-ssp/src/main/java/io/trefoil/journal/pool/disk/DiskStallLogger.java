/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.disk;

import io.trefoil.foundation.LogThread;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once when the disk of a replica has hung for a while, and once when it responds again. For one thread. */
public final class DiskStallLogger {
    private static final Logger LOG = LoggerFactory.getLogger(DiskStallLogger.class);

    public static final Duration EVERY = Duration.ofSeconds(1);

    /** The silence after which a disk counts as hung: a busy disk answers sooner. */
    public static final Duration LONG = Duration.ofSeconds(3);

    private final String name;
    /** The thread that checks must not wait for any disk, and the log's own disk may be the one that hangs. */
    private final LogThread log;

    private Duration longest = Duration.ZERO;

    /** @param name of the replica, for the log */
    public DiskStallLogger(String name) {
        this.name = name;
        this.log = new LogThread("ssp-alarm " + name);
    }

    /** @return whether the disk is known to hang */
    public boolean check(Duration silence) {
        boolean hung = isHanging();
        boolean hangs = silence.compareTo(LONG) > 0;
        if (hangs && !hung) {
            log.write(() -> LOG.error(
                    "replica={}: the disk has not responded, stalledMillis={}; the replica accepts no "
                            + "entries until it does, and the others continue without it; do: check that disk",
                    name,
                    silence.toMillis()));
        } else if (hung && !hangs) {
            Duration hungFor = longest;
            log.write(
                    () -> LOG.info("replica={}: the disk responds again, stalledMillis={}", name, hungFor.toMillis()));
        }
        longest = hangs ? silence : Duration.ZERO;
        return hangs;
    }

    private boolean isHanging() {
        return !longest.isZero();
    }
}
