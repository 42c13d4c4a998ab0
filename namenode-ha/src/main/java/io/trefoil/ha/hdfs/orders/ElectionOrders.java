/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.AuditedRefresh;
import io.trefoil.ha.model.ElectionOrder;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Receives operators' orders about elections: which NameNode is preferred, and which are drained. Any NameNode of the
 * group takes them. Thread-safe.
 *
 * <p>Uses {@code RefreshResponse}, {@code Configuration}.
 */
public final class ElectionOrders extends NameserviceOrders {

    static final String PREFER = "prefer";
    static final String PREFER_NOBODY = "prefer-nobody";
    static final String DRAIN = "drain";
    static final String DRAIN_ALONE = "drain-alone";
    static final String UNDRAIN = "undrain";

    private static final String IDENTIFIER = "trefoil-elections-";
    private static final long TIMEOUT_MILLIS = 10_000;
    private static final long MAX_SECONDS = TimeUnit.DAYS.toSeconds(3650);

    private final Supplier<? extends Collection<String>> configured;
    private final BiFunction<ElectionOrder, Collection<String>, CompletableFuture<ElectionOrder.Outcome>> group;

    /**
     * Creates the receiver, which receives no orders before {@link #start}.
     *
     * @param configured the current ids of the NameNodes that the nameservice may have
     * @param group carries an order out, like {@code AgentRunner.order}
     */
    public ElectionOrders(
            String nameservice,
            Supplier<? extends Collection<String>> configured,
            BiFunction<ElectionOrder, Collection<String>, CompletableFuture<ElectionOrder.Outcome>> group,
            Configuration conf) {
        super(identifier(nameservice), nameservice, conf);
        this.configured = configured;
        this.group = group;
    }

    static String identifier(String nameservice) {
        return IDENTIFIER + nameservice;
    }

    @Override
    RefreshResponse answer(AuditedRefresh refresh, AuditedOrder order, String... arguments) throws IOException {
        return refresh.execute(order, () -> carryOut(arguments, order.caller()));
    }

    private String carryOut(String[] arguments, String caller) throws IOException {
        ElectionOrder wanted;
        try {
            wanted = parse(arguments, caller);
        } catch (IllegalArgumentException e) {
            throw new OrderRefusedException(e.getMessage());
        }
        ElectionOrder.Outcome outcome = await(group.apply(wanted, configured.get()));
        if (outcome.refused()) {
            throw new OrderRefusedException(outcome.text());
        }
        return outcome.text();
    }

    private static ElectionOrder parse(String[] arguments, String caller) {
        List<String> rest = Arrays.asList(arguments);
        long now = System.currentTimeMillis();
        if (arguments.length == 3 && arguments[0].equals(PREFER)) {
            Optional<Long> until = arguments[2].isEmpty()
                    ? Optional.<Long>empty()
                    : Optional.of(now + TimeUnit.SECONDS.toMillis(seconds(arguments[2])));
            return ElectionOrder.prefer(arguments[1], caller, now, until);
        }
        if (arguments.length == 1 && arguments[0].equals(PREFER_NOBODY)) {
            return ElectionOrder.clearPreference(caller, now);
        }
        if (arguments.length == 2 && arguments[0].equals(DRAIN)) {
            return ElectionOrder.drain(arguments[1], caller, now);
        }
        if (arguments.length == 2 && arguments[0].equals(DRAIN_ALONE)) {
            return ElectionOrder.drainAlone(arguments[1], caller, now);
        }
        if (arguments.length == 2 && arguments[0].equals(UNDRAIN)) {
            return ElectionOrder.undrain(arguments[1], caller, now);
        }
        throw new IllegalArgumentException("Wanted " + PREFER + ", " + PREFER_NOBODY + ", " + DRAIN + ", " + DRAIN_ALONE
                + " or " + UNDRAIN + " and what belongs to it, found " + String.join(" ", rest));
    }

    private static long seconds(String text) {
        long seconds = Long.parseLong(text);
        if (seconds < 1 || seconds > MAX_SECONDS) {
            throw new IllegalArgumentException("Wanted 1 to " + MAX_SECONDS + " seconds, found " + text);
        }
        return seconds;
    }

    private static ElectionOrder.Outcome await(CompletableFuture<ElectionOrder.Outcome> answer) throws IOException {
        try {
            return answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException(
                    "ZooKeeper, which keeps such orders, did not answer within " + TIMEOUT_MILLIS
                            + " ms; see 'hdfs trefoil status' for what is in force",
                    e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause().getMessage()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }
}
