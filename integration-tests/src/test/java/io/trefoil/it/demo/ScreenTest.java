/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private static final String CLEARED = "\r\033[K";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private String shownText() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void terminalShowsCurrentWaitAndLoad() {
        try (Screen screen = new Screen(out, OptionalInt.of(40), StandardCharsets.UTF_8)) {
            screen.showLoad(() -> "smart 300/s   ");
            try (Screen.Wait waiting = screen.waitFor("%s comes back", "nn1")) {
                assertThat(waiting.seconds()).isNotNegative();
                Await.until(
                        "it is shown", Await.TIMEOUT, () -> shownText().endsWith("nn1 comes back"), this::shownText);
            }
            assertThat(shownText()).contains("smart 300/s   nn1 comes back").endsWith(CLEARED);
        }
    }

    @Test
    void liveLineFitsTerminalWidth() {
        try (Screen screen = new Screen(out, OptionalInt.of(20), StandardCharsets.UTF_8);
                Screen.Wait waiting = screen.waitFor("something that would be continued in the next line")) {
            assertThat(waiting.seconds()).isNotNegative();
            Await.until("it is shown", Await.TIMEOUT, () -> shownText().endsWith("  something"), this::shownText);
        }
    }

    @Test
    void outputFileGetsOnlyPlainLines() {
        AtomicLong nanos = new AtomicLong();
        try (Screen screen = new Screen(out, OptionalInt.empty(), StandardCharsets.UTF_8, nanos::get)) {
            screen.printTitle("An act");
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            try (Screen.Wait waiting = screen.waitFor("nobody sees that")) {
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
                screen.print("%d is said after %.0f s", 1, waiting.seconds());
            }
            screen.printDetail("more");
        }

        assertThat(shownText().lines())
                .containsExactly("", "An act", "   3.0 s  1 is said after 2 s", "          more");
    }

    @Test
    void outputFileGetsLineAfterTenSilentSeconds() {
        AtomicLong nanos = new AtomicLong();
        try (Screen screen = new Screen(out, OptionalInt.empty(), StandardCharsets.UTF_8, nanos::get);
                Screen.Wait waiting = screen.waitFor("the servers start")) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
            Await.until("it is shown", Await.TIMEOUT, () -> shownText().endsWith("start\n"), this::shownText);
            assertThat(waiting.seconds()).isEqualTo(10);
        }

        assertThat(shownText()).isEqualTo("  10.0 s  waiting: the servers start\n");
    }

    @Test
    void showsNothingAfterClose() {
        Screen screen = new Screen(out, OptionalInt.empty(), StandardCharsets.UTF_8);
        screen.close();

        screen.print("what a thread says whose servers are being killed");

        assertThat(shownText()).isEmpty();
    }

    @Test
    void barsDistinguishZeroFromSmallValues() {
        long[] counts = {0, 1, 50, 100, 900};

        assertThat(new Screen(out, OptionalInt.empty(), StandardCharsets.UTF_8).bars(counts, 100))
                .isEqualTo("·▁▄▇█");
        assertThat(new Screen(out, OptionalInt.empty(), StandardCharsets.US_ASCII).bars(counts, 100))
                .isEqualTo("..:##");
    }
}
