/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.RetryDelays;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.ipc.Client;

/**
 * The limits of a call's attempts: no longer and no more numerous than with a stock client and the same settings. Immutable.
 *
 * <p>Uses the settings {@code dfs.client.failover.max.attempts} and {@code .sleep.*} and {@code
 * ipc.client.connect.timeout}, {@code Client.getRpcTimeout}.
 */
final class RetryBudget {
    /** HDFS's policy varies its waits randomly: from half to one and a half times their length. */
    private static final double MIN_FACTOR = 0.5;

    private static final double MAX_FACTOR = 1.5;
    /**
     * The number of attempts without the stock backoff: for the first failover, and for one that meets another failover. From the third attempt on, a NameNode wrongly
     * says that it is active.
     */
    private static final int QUICK_ATTEMPTS = 3;
    /** A time that counts as unlimited. */
    private static final long ENDLESS_NANOS = TimeUnit.DAYS.toNanos(1_000);

    /** The probe timeout setting, shared with {@code ObserverReadProxyProvider}, where it is unlimited unless set. */
    private static final String PROBE_TIMEOUT = "dfs.client.failover.namenode.ha-state.probe.timeout";

    /**
     * The default timeout of a probe: a NameNode that collects garbage for longer is useless to a call, and one that does not answer may
     * have lost the probe.
     */
    private static final long PROBE_MILLIS = 5_000;

    private static final long MIN_PROBE_MILLIS = 100;

    private final int failovers;
    private final long baseMillis;
    private final long mostMillis;
    private final long callNanos;
    private final long connectNanos;
    private final long answerNanos;
    private final Optional<Long> configuredNanos;
    private final int members;

    /** @param members how many NameNodes a stock client would try in turn */
    RetryBudget(Configuration conf, String nameservice, int members) {
        this.failovers = Math.max(1, conf.getInt(Failover.MAX_ATTEMPTS_KEY, Failover.MAX_ATTEMPTS_DEFAULT));
        this.baseMillis = conf.getInt(Failover.SLEEPTIME_BASE_KEY, Failover.SLEEPTIME_BASE_DEFAULT);
        this.mostMillis = conf.getInt(Failover.SLEEPTIME_MAX_KEY, Failover.SLEEPTIME_MAX_DEFAULT);
        int callMillis = Client.getRpcTimeout(conf);
        this.callNanos = callMillis > 0 ? TimeUnit.MILLISECONDS.toNanos(callMillis) : ENDLESS_NANOS;
        this.connectNanos = TimeUnit.MILLISECONDS.toNanos(conf.getInt("ipc.client.connect.timeout", 20_000));
        // A stock client asks no NameNode before it calls. This client must have time for that, however few failovers
        // are allowed.
        this.answerNanos = probeNanos(conf);
        this.configuredNanos = ClientSetting.TIMEOUT.find(conf, nameservice).map(Duration::toNanos);
        this.members = Math.max(1, members);
    }

    /**
     * The time that a NameNode may take to report whether it is active before it is probed again. No call waits for it
     * meanwhile.
     */
    static long probeNanos(Configuration conf) {
        long millis = conf.getTimeDuration(PROBE_TIMEOUT, 0, TimeUnit.MILLISECONDS);
        return TimeUnit.MILLISECONDS.toNanos(millis > 0 ? Math.max(MIN_PROBE_MILLIS, millis) : PROBE_MILLIS);
    }

    /** The total time for which a call looks for an active, not counting the time of its attempts. */
    long searchNanos() {
        return configuredNanos.orElseGet(() -> {
            long sum = 0;
            for (int i = 1; i < failovers; i++) {
                sum += stockBackoffMillis(i);
            }
            return Math.max(answerNanos, TimeUnit.MILLISECONDS.toNanos((long) (sum * MAX_FACTOR)));
        });
    }

    /** The time after which a call to a silent NameNode is abandoned if no other NameNode is active. */
    long hangNanos() {
        return configuredNanos.orElse(ENDLESS_NANOS);
    }

    /**
     * The additional time for which a call looks for an active if some NameNodes are silent: a stock client tries them
     * in turn, and waits at each for the connection timeout, or for the timeout of an answer.
     */
    long extraSearchNanos(int silentCount, boolean hung) {
        if (configuredNanos.isPresent() || silentCount == 0) {
            return 0;
        }
        long visits = ((failovers + 1L) * silentCount + members - 1) / members;
        long nanos = hung ? callNanos : connectNanos;
        return nanos >= ENDLESS_NANOS / visits ? ENDLESS_NANOS : visits * nanos;
    }

    /** Whether a call may be resent. */
    boolean allowsRetry(int attempts) {
        return attempts <= failovers;
    }

    /** The backoff of a call after this many failures within {@code elapsedNanos}. */
    long nanosAfter(int attempts, long elapsedNanos) {
        if (attempts < QUICK_ATTEMPTS) {
            return attempts < 2 ? 0 : RetryDelays.nanosAfter(elapsedNanos);
        }
        return stockBackoffNanos(attempts - 1);
    }

    /** The backoff for a NameNode that reported to be busy this many times in a row. */
    long busyBackoffNanos(int times) {
        return times < 2 ? 0 : stockBackoffNanos(times - 1);
    }

    private long stockBackoffNanos(int failovers) {
        double factor = ThreadLocalRandom.current().nextDouble(MIN_FACTOR, MAX_FACTOR);
        return TimeUnit.MILLISECONDS.toNanos((long) (stockBackoffMillis(failovers) * factor));
    }

    private long stockBackoffMillis(int failovers) {
        return Math.min(mostMillis, baseMillis << Math.min(failovers, 20));
    }
}
