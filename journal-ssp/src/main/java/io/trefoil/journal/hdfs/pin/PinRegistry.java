/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.AuditedRefresh;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.OrderMetrics;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.writer.BarrierRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds pins to the journal and releases them, while this process writes it: when an operator or a NameNode that is
 * being renewed requests it, and when a pin expires. Orders arrive through HDFS's own {@code GenericRefreshProtocol}, on
 * the NameNode's own port, from callers that {@link OrderAccess} admits.
 *
 * <p>Uses {@code RefreshRegistry}, {@code RefreshHandler}, {@code RefreshResponse}.
 */
public final class PinRegistry implements RefreshHandler, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(PinRegistry.class);

    static final String PIN = "pin";
    static final String UNPIN = "unpin";
    static final String RENEW = "renew";
    static final String RENEWED = "renewed";

    private static final String IDENTIFIER = "trefoil-pins-";
    private static final long LOOK_MILLIS = 10_000;

    private final Journal journal;
    private final Supplier<Barriers> live;
    private final AuditedRefresh refresh;
    private final ScheduledThreadPoolExecutor looks;

    private PinRegistry(Journal journal, Supplier<Barriers> live, Configuration conf) {
        this.journal = journal;
        this.live = live;
        this.refresh = new AuditedRefresh(
                identifier(journal.id()), OrderAccess.forNameNodePort(conf, OrderMetrics.audit("Pins")));
        this.looks = new ScheduledThreadPoolExecutor(1, DaemonThreads.newFactory("ssp-pins-" + journal.id()));
    }

    /**
     * Accepts orders from now on; changes nothing until one arrives or a pin expires.
     *
     * @param live the live barriers as this process's writer knows them, without asking any node
     */
    public static PinRegistry start(Journal journal, Supplier<Barriers> live, Configuration conf) {
        PinRegistry keeper = new PinRegistry(journal, live, conf);
        RefreshRegistry.defaultRegistry().register(identifier(journal.id()), keeper);
        keeper.looks.scheduleWithFixedDelay(
                DaemonThreads.logFailures(keeper::releaseExpiredAndLogFailure),
                LOOK_MILLIS,
                LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
        return keeper;
    }

    static String identifier(JournalId journal) {
        return IDENTIFIER + journal;
    }

    @Override
    public RefreshResponse handleRefresh(String identifier, String[] arguments) {
        try {
            return refresh.execute(admit(arguments), () -> execute(arguments));
        } catch (IOException e) {
            return new RefreshResponse(1, e.getMessage());
        }
    }

    private AuditedOrder admit(String[] arguments) throws IOException {
        List<String> order = new ArrayList<>(Arrays.asList(arguments));
        order.addAll(
                Math.min(1, order.size()), Arrays.asList("journal", journal.id().toString()));
        return refresh.admit(order);
    }

    private String execute(String[] arguments) throws IOException {
        try {
            return perform(arguments);
        } catch (IllegalArgumentException | BarrierRefusedException e) {
            throw new OrderRefusedException(e.getMessage());
        }
    }

    private String perform(String[] arguments) throws IOException {
        String order = arguments.length == 0 ? "" : arguments[0];
        if (order.equals(PIN) && arguments.length == 4) {
            Optional<Instant> until =
                    arguments[3].isEmpty() ? Optional.<Instant>empty() : Optional.of(parseExpiry(arguments[3]));
            return pin(Pin.ofOperator(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]), until));
        }
        if (order.equals(UNPIN) && arguments.length == 2) {
            return unpin(arguments[1]);
        }
        if (order.equals(RENEW) && arguments.length == 4) {
            return pin(Pin.ofNameNode(arguments[1], Long.parseLong(arguments[2]), parseExpiry(arguments[3])));
        }
        if (order.equals(RENEWED) && arguments.length == 2) {
            return releasePinsOf(arguments[1], "");
        }
        throw new IllegalArgumentException("Wanted " + PIN + ", " + UNPIN + ", " + RENEW + " or " + RENEWED
                + " and what belongs to it, found " + String.join(" ", arguments));
    }

    private static Instant parseExpiry(String seconds) {
        // To the second, which is what every list shows.
        return Instant.ofEpochSecond(Instant.now().getEpochSecond()).plus(Duration.ofSeconds(Long.parseLong(seconds)));
    }

    private synchronized String pin(Pin requestedPin) throws IOException {
        releaseExpired();
        Barrier barrier = requestedPin.barrier();
        Optional<Barrier> same = live.get().find(barrier.name());
        if (same.isPresent()) {
            return "Already pinned: "
                    + Pin.of(same.get()).map(Pin::toString).orElse(same.get().toString());
        }
        journal.addBarrier(barrier);
        LOG.info("Pinned barrier={}", requestedPin);
        if (!requestedPin.isOwnedByOperator()) {
            // The NameNode has progressed and no longer needs its earlier pin.
            releasePinsOf(requestedPin.owner(), barrier.name());
        }
        return "Pinned: " + requestedPin;
    }

    private synchronized String unpin(String name) throws IOException {
        Optional<Barrier> barrier = live.get().find(name);
        if (!barrier.isPresent() || !Pin.of(barrier.get()).isPresent()) {
            throw new OrderRefusedException("There is no pin " + name + " in journal " + journal.id());
        }
        journal.releaseBarrier(name);
        LOG.info("Unpinned barrier={}", barrier.get());
        return "Unpinned: " + Pin.of(barrier.get()).get();
    }

    private synchronized String releasePinsOf(String nameNode, String exceptName) throws IOException {
        int count = 0;
        for (Barrier barrier : live.get().list()) {
            boolean is = Pin.of(barrier)
                    .filter(pin -> !pin.isOwnedByOperator() && pin.owner().equals(nameNode))
                    .isPresent();
            if (is && !barrier.name().equals(exceptName)) {
                journal.releaseBarrier(barrier.name());
                LOG.info("namenode={} no longer needs barrier={}", nameNode, barrier);
                count++;
            }
        }
        return count + " released";
    }

    private void releaseExpiredAndLogFailure() {
        try {
            releaseExpired();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot release expired pins, retrying: {}", e.toString());
        }
    }

    private synchronized void releaseExpired() throws IOException {
        for (Barrier barrier : live.get().list()) {
            Optional<Pin> over = Pin.of(barrier).filter(pin -> pin.isExpired(Instant.now()));
            if (over.isPresent()) {
                journal.releaseBarrier(barrier.name());
                LOG.info("Pin expired: barrier={}", over.get());
            }
        }
    }

    @Override
    public void close() {
        RefreshRegistry.defaultRegistry().unregister(identifier(journal.id()), this);
        looks.shutdownNow();
    }
}
