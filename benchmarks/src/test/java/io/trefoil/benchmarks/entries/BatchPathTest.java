/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.junit.jupiter.api.Test;

class BatchPathTest {
    private static final String PLANTED = InstrumentedSample.class.getName();

    @Test
    void averagesEntriesOfMethodsEnteredInMostBatches() {
        BatchPath way = BatchPath.of(
                Map.of("a.One.go", 200L, "a.Two$Part.go", 98L, "b.AutoValue_Two.go", 151L, "b.Tick.go", 49L), 100);

        assertThat(way.topMethods(9))
                .containsExactly(entry("a.One.go", 2L), entry("b.AutoValue_Two.go", 2L), entry("a.Two$Part.go", 1L));
        assertThat(way.topMethods(1)).containsExactly(entry("a.One.go", 2L));
        assertThat(way.entries()).isEqualTo(5);
        assertThat(way.valueEntries()).isEqualTo(2);
    }

    @Test
    void groupsGeneratedClassesWithOutermostClass() {
        BatchPath way = BatchPath.of(
                Map.of(
                        "a.One.<init>", 1L,
                        "a.One$Part$1.go", 1L,
                        "a.AutoValue_One.go", 1L,
                        "a.AutoValue_One$Builder.go", 1L,
                        "a.AutoValue_Two_Part.go", 1L,
                        "b.One.go", 1L),
                1);

        assertThat(way.classes()).containsExactly("a.One", "a.Two", "b.One");
        assertThat(way.packages()).containsExactly("a", "b");
        assertThat(way.inPackages(List.of("b.")).entriesByMethod()).containsOnlyKeys("b.One.go");
    }

    @Test
    void counterCountsEntriesOfInstrumentedMethodsWhenEnabled() throws ReflectiveOperationException {
        Runnable planted = loadInstrumented(Set.of());

        planted.run();
        EntryCounter.start();
        planted.run();
        planted.run();
        EntryCounter.stop();
        planted.run();

        assertThat(EntryCounter.totalCounts())
                .containsExactly(entry(PLANTED + ".run", 2L), entry(PLANTED + ".step", 4L));
        assertThat(EntryCounter.flushingThreadCounts()).isEqualTo(EntryCounter.totalCounts());
    }

    /** How often they run while a batch is written depends on the machine. */
    @Test
    void counterExcludesTimerEntries() throws ReflectiveOperationException {
        Runnable planted = loadInstrumented(Set.of(PLANTED + ".step"));

        EntryCounter.start();
        for (int i = 0; i < 4; i++) {
            planted.run();
        }
        assertThatIllegalStateException().isThrownBy(planted::run);
        planted.run();
        EntryCounter.stop();

        assertThat(EntryCounter.totalCounts())
                .containsExactly(entry(PLANTED + ".run", 6L), entry(PLANTED + ".step", 11L));
    }

    private static Runnable loadInstrumented(Set<String> timers) throws ReflectiveOperationException {
        return (Runnable) new ByteBuddy()
                .redefine(InstrumentedSample.class)
                .visit(EntryAgent.entryVisitor())
                .visit(EntryAgent.timerVisitor(timers))
                .make()
                .load(BatchPathTest.class.getClassLoader(), ClassLoadingStrategy.Default.CHILD_FIRST)
                .getLoaded()
                .getConstructor()
                .newInstance();
    }

    /** Instrumented in this test. */
    public static final class InstrumentedSample implements Runnable {
        private static final int FAILING = 9;

        private int steps;

        @Override
        public void run() {
            step();
            step();
        }

        private void step() {
            if (++steps == FAILING) {
                fail();
            }
        }

        private static void fail() {
            throw new IllegalStateException("planted");
        }
    }
}
