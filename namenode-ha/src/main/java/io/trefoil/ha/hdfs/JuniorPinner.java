/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.ha.agent.JuniorPin;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.journal.hdfs.pin.PinService;
import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins the journal for this NameNode while it is behind, as {@link JuniorPin} decides, and unpins it when the NameNode
 * has caught up, including the pin that {@code hdfs trefoil renew} set before the NameNode started.
 *
 * <p>Uses {@code SecurityUtil.doAsLoginUser}.
 */
final class JuniorPinner implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(JuniorPinner.class);

    private static final long LOOK_MILLIS = 1_000;
    /** How long a pin lasts: longer than the agent waits before it pins again. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final String nameNode;
    private final PinService orders;
    private final Supplier<Optional<MemberRecord>> self;
    private final long maxLag;
    private final ScheduledExecutorService looks;
    private JuniorPin pin = JuniorPin.begin(now());

    JuniorPinner(String nameNode, PinService orders, Supplier<Optional<MemberRecord>> self, long maxLag) {
        this.nameNode = nameNode;
        this.orders = orders;
        this.self = self;
        this.maxLag = maxLag;
        this.looks = Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("mams-junior-pin"));
    }

    void start() {
        looks.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::pinIfDue), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Sends the request that is due; runs once a second. */
    void pinIfDue() {
        Optional<MemberRecord> record = self.get();
        if (!record.isPresent()) {
            return;
        }
        try {
            carryOut(pin.dueOrder(record.get(), maxLag, now()), record.get().appliedTxId());
        } catch (IOException | RuntimeException e) {
            pin = pin.afterFailure(now());
            LOG.debug("Requesting the pin of this NameNode again", e);
        }
    }

    private void carryOut(JuniorPin.Order order, long appliedTxId) throws IOException {
        switch (order) {
            case PIN:
                LOG.info("{}", runAsLoginUser(() -> orders.pinForRenewal(nameNode, appliedTxId, KEPT)));
                pin = pin.afterPin(appliedTxId, now());
                break;
            case RELEASE:
                runAsLoginUser(() -> orders.unpinAfterRenewal(nameNode));
                pin = pin.afterRelease(now());
                break;
            default:
                // Nothing is due.
        }
    }

    private static String runAsLoginUser(PrivilegedExceptionAction<String> order) throws IOException {
        return SecurityUtil.doAsLoginUser(order);
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
