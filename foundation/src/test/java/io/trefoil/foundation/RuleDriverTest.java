/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules whose state is all that they heard, and whose effects a test plants. */
@Timeout(120)
class RuleDriverTest {
    private final Map<String, List<String>> planted = new HashMap<>();
    private final List<String> seen = new ArrayList<>();
    private RuleDriver.Performer<String, IOException> performer = effect -> {};
    private final RuleDriver<String, String, String, IOException> driver =
            new RuleDriver<>("the rules", "", this::rules, this::recordTransition, effect -> {
                seen.add("do " + effect);
                performer.perform(effect);
            });

    @Test
    void performsEffectsInOrderAfterPublishingState() throws IOException {
        planted.put("a", List.of("1", "2"));
        List<String> published = new ArrayList<>();
        performer = effect -> published.add(driver.state());
        driver.handle("a");
        assertThat(seen).containsExactly(" -> a", "do 1", "do 2");
        assertThat(published).containsExactly("a", "a");
        assertThat(driver.stopCause()).isEmpty();
    }

    @Test
    void queuesEventsRaisedDuringEffects() throws IOException {
        planted.put("a", List.of("b", "c"));
        planted.put("b", List.of("d"));
        performer = driver::handle;
        driver.handle("a");
        assertThat(seen).containsExactly(" -> a", "do b", "do c", "a -> ab", "do d", "ab -> abc", "abc -> abcd");
    }

    @Test
    void ruleBugStopsDriverPermanently() throws IOException {
        driver.handle("a");
        Throwable bug = catchThrowable(() -> driver.handle("bug"));
        assertThat(bug).isInstanceOf(ArithmeticException.class);
        assertThat(driver.stopCause()).containsSame(bug);
        assertThatThrownBy(() -> driver.handle("b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the rules has stopped")
                .hasCause(bug);
        assertThat(driver.state()).isEqualTo("a");
    }

    @Test
    void failedEffectDiscardsPendingEffects() {
        planted.put("a", List.of("b", "fail", "c"));
        performer = effect -> {
            if (effect.equals("fail")) {
                throw new IOException("planted");
            }
            driver.handle(effect);
        };
        assertThatThrownBy(() -> driver.handle("a")).isInstanceOf(IOException.class);
        assertThat(seen).containsExactly(" -> a", "do b", "do fail");
        assertThatThrownBy(() -> driver.handle("d")).hasCauseInstanceOf(IOException.class);
        assertThat(seen).hasSize(3);
    }

    @Test
    void rethrowsErrorUnchanged() {
        planted.put("a", List.of("1"));
        OutOfMemoryError error = new OutOfMemoryError("planted");
        performer = effect -> {
            throw error;
        };
        assertThat(catchThrowable(() -> driver.handle("a"))).isSameAs(error);
        assertThat(driver.stopCause()).containsSame(error);
    }

    @Test
    void reportsLastStepsWithCause() throws IOException {
        for (int i = 0; i < 20; i++) {
            driver.handle(i + ",");
        }
        Throwable bug = catchThrowable(() -> driver.handle("bug"));
        assertThat(bug.getSuppressed()).singleElement().isInstanceOf(RuleDriver.LastSteps.class);
        assertThat(bug.getSuppressed()[0])
                .hasMessageStartingWith("The last steps of the rules")
                .hasMessageContaining("\n  6. 5,\n     -> 0,1,2,3,4,5,\n  7. 6,")
                .hasMessageEndingWith("\n  21. bug\n     -> " + driver.state())
                .message()
                .doesNotContain("  5. ");
    }

    @Test
    void stateWithoutTextDoesNotHideBug() {
        Object unspeakable = new Object() {
            @Override
            public String toString() {
                throw new IllegalArgumentException("no text");
            }
        };
        RuleDriver<Object, Object, Object, RuntimeException> mute = new RuleDriver<>(
                "the rules",
                unspeakable,
                (state, event) -> {
                    throw new ArithmeticException("planted");
                },
                (before, after) -> {},
                effect -> {});
        Throwable bug = catchThrowable(() -> mute.handle("a"));
        assertThat(bug).isInstanceOf(ArithmeticException.class);
        assertThat(bug.getSuppressed()).singleElement().isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rejectsConcurrentSecondOwner() throws IOException {
        planted.put("a", List.of("1"));
        List<Throwable> refusals = new ArrayList<>();
        performer = effect -> {
            FutureTask<Void> other = new FutureTask<>(() -> {
                driver.handle("b");
                return null;
            });
            new Thread(other, "another owner").start();
            refusals.add(catchThrowable(other::get));
        };
        driver.handle("a");
        assertThat(refusals).singleElement().isInstanceOf(ExecutionException.class);
        assertThat(refusals.get(0).getCause())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("one owner at a time")
                .hasMessageContaining("another owner");
        driver.handle("c");
        assertThat(driver.state()).isEqualTo("ac");
    }

    private Step<String, String> rules(String state, String event) {
        if (event.equals("bug")) {
            throw new ArithmeticException("planted");
        }
        return Step.of(state + event, planted.getOrDefault(event, List.of()));
    }

    private void recordTransition(String before, String after) {
        seen.add(before + " -> " + after);
    }
}
