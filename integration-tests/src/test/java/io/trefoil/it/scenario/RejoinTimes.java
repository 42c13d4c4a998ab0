/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** How soon hosts took part again when links were no longer silent. Each time is printed; all are judged at the end. */
public final class RejoinTimes {
    /** On a machine that runs other clusters beside this one; alone it is two seconds. */
    public static final Duration BOUND = Duration.ofSeconds(10);

    private final Map<String, Duration> times = new LinkedHashMap<>();

    /** Waits until so much time has passed since an earlier {@link System#nanoTime}. */
    public static void awaitElapsed(Duration time, long sinceNanos) {
        Await.until(
                time + " have passed",
                time.plus(Await.TIMEOUT),
                () -> elapsedSince(sinceNanos).compareTo(time) >= 0,
                () -> "time stands still");
    }

    /** The time that has passed since an earlier {@link System#nanoTime}. */
    public static Duration elapsedSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** @param took from when the links were whole until all took part */
    public void add(LinkCut cut, Duration silence, Duration took) {
        String name = cut + ", silent for " + silence.toSeconds() + " s";
        System.out.printf("%s: took part after %d ms%n", name, took.toMillis());
        times.merge(name, took, (one, other) -> one.compareTo(other) > 0 ? one : other);
    }

    public void assertPrompt() {
        assertThat(times)
                .isNotEmpty()
                .allSatisfy((cut, took) -> assertThat(took).as(cut).isLessThan(BOUND));
    }
}
