/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.LedgerFindings;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Two clients with the same steady load: a stock one, and one with our proxy provider. */
final class DemoClients implements AutoCloseable {
    static final String PROVIDER = "dfs.client.failover.proxy.provider.trefoil";
    static final String SMART_PROVIDER = "io.trefoil.client.hdfs.SmartFailoverProxyProvider";

    private static final int THREADS = 4;
    private static final Duration MIN_GAP = Duration.ofMillis(1);
    private static final long NANOS_PER_BAR = Duration.ofMillis(250).toNanos();

    private final double perSecond;
    private final Client smart;
    private final Client stock;

    private record Client(String name, FileSystem fileSystem, RunningLoad load, Recent recent) {
        Duration gap(long fromNanos, long toNanos) {
            return load.ledger().gaps(MIN_GAP).stream()
                    .filter(gap -> gap.beganNanos() + gap.length().toNanos() - fromNanos > 0)
                    .filter(gap -> toNanos - gap.beganNanos() > 0)
                    .map(ChangeLedger.Gap::length)
                    .max(Duration::compareTo)
                    .orElse(Duration.ZERO);
        }

        /** Returns the number of changes that were acknowledged in each quarter of a second, from the given time on. */
        long[] counts(long fromNanos, int bars) {
            long[] counts = new long[bars];
            for (ChangeLedger.Recorded entry : load.ledger().entries()) {
                long bar = Math.floorDiv(entry.answeredNanos() - fromNanos, NANOS_PER_BAR);
                if (bar >= 0 && bar < bars && entry.answer() == ChangeAnswer.ACKNOWLEDGED) {
                    counts[(int) bar]++;
                }
            }
            return counts;
        }
    }

    private DemoClients(double perSecond, Client smart, Client stock) {
        this.perSecond = perSecond;
        this.smart = smart;
        this.stock = stock;
    }

    /** Starts the clients, each with this many changes per second. */
    static DemoClients start(HaCluster cluster, double perSecond) {
        Configuration smart = cluster.clientConfiguration();
        smart.set(PROVIDER, SMART_PROVIDER);
        return new DemoClients(
                perSecond,
                start("smart", cluster.newFileSystem(smart), perSecond),
                start("stock", cluster.newFileSystem(), perSecond));
    }

    private static Client start(String name, FileSystem fileSystem, double perSecond) {
        return new Client(
                name,
                fileSystem,
                Workload.on(fileSystem)
                        .under("/" + name)
                        .threads(THREADS)
                        .perSecond(perSecond)
                        .start(),
                new Recent());
    }

    private List<Client> both() {
        return List.of(smart, stock);
    }

    FileSystem fileSystem() {
        return smart.fileSystem();
    }

    /** Waits until each client has had as many further changes acknowledged as it requests in half a second. */
    void awaitProgress() {
        awaitProgress(Await.TIMEOUT);
    }

    /** Like the other {@code awaitProgress}, with a limit for each of them. */
    void awaitProgress(Duration limit) {
        long changes = Math.max(1, (long) (perSecond / 2));
        both().forEach(client -> client.load().awaitMore(changes, limit));
    }

    /** The longest time without an answer for each client, among those that overlap the given span of {@link System#nanoTime}. */
    Gaps gaps(long fromNanos, long toNanos) {
        return new Gaps(smart.gap(fromNanos, toNanos), stock.gap(fromNanos, toNanos));
    }

    /** The longest time without an answer for each client. */
    record Gaps(Duration smart, Duration stock) {}

    /**
     * The load of each client from the given time until now, but no longer than {@code atMost}: one character for each
     * quarter of a second.
     */
    Bars bars(Screen screen, long fromNanos, Duration atMost) {
        int count = (int) (Math.min(atMost.toNanos(), System.nanoTime() - fromNanos) / NANOS_PER_BAR);
        return new Bars(bars(screen, smart, fromNanos, count), bars(screen, stock, fromNanos, count));
    }

    /** A bar chart of the load of each client. */
    record Bars(String smart, String stock) {}

    /** The load right now; the bars are right if this is called four times a second. */
    String liveBars(Screen screen) {
        StringBuilder live = new StringBuilder();
        for (Client client : both()) {
            client.recent().update(client.load().ledger().acknowledgedCount());
            live.append("%s %s %3d/s  "
                    .formatted(
                            client.name(),
                            screen.bars(client.recent().counts(), perBar()),
                            client.recent().lastSecond()));
        }
        return live.toString();
    }

    /** The number of changes that were acknowledged between calls, the latest last. */
    private static final class Recent {
        private static final int BARS = 10;
        private static final int BARS_IN_SECOND = 4;

        private final long[] counts = new long[BARS];
        private long total;

        void update(long acknowledged) {
            System.arraycopy(counts, 1, counts, 0, BARS - 1);
            counts[BARS - 1] = acknowledged - total;
            total = acknowledged;
        }

        long[] counts() {
            return counts.clone();
        }

        long lastSecond() {
            return Arrays.stream(counts, BARS - BARS_IN_SECOND, BARS).sum();
        }
    }

    private double perBar() {
        return perSecond * NANOS_PER_BAR / 1e9;
    }

    private String bars(Screen screen, Client client, long fromNanos, int count) {
        return screen.bars(client.counts(fromNanos, count), perBar());
    }

    /**
     * Stops the load, compares the file system with each client's answers, and prints the findings; returns true if everything is correct.
     */
    boolean verify(Screen screen) throws IOException {
        boolean isRight = true;
        for (Client client : both()) {
            ChangeLedger ledger = client.load().stop(Await.TIMEOUT);
            LedgerFindings findings =
                    new Verifier(client.fileSystem()).verify(client.load().root(), ledger);
            long contradicted = ledger.count(ChangeAnswer.CONTRADICTED);
            screen.printDetail(
                    "%s client: %,d changes acknowledged, %d lost, %d done twice, %d given up",
                    client.name(),
                    ledger.acknowledgedCount(),
                    findings.errors().size(),
                    contradicted,
                    ledger.count(ChangeAnswer.UNKNOWN));
            findings.errors().stream().limit(10).forEach(screen::printText);
            ledger.failures().stream().limit(10).forEach(failure -> screen.printDetail("%s", format(failure)));
            isRight &= findings.isClean() && contradicted == 0;
        }
        return isRight;
    }

    /** The full text of a finding, but only a short one for a call that was not answered in time. */
    private static String format(ChangeLedger.Recorded failure) {
        String text = failure.answer() == ChangeAnswer.UNKNOWN
                ? "given up after %.0f s: %s".formatted(DemoCluster.seconds(failure.took()), failure.failure())
                : failure.toString();
        return text.lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        both().forEach(client -> client.load().close());
    }
}
