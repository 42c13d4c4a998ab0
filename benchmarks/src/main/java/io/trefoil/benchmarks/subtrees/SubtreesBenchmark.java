/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.subtrees;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.benchmarks.subtrees.CallHistory.Window;
import io.trefoil.benchmarks.subtrees.GrowingFederation.Move;
import io.trefoil.federation.client.hdfs.SubtreeStatistics;
import io.trefoil.federation.client.hdfs.SubtreeStatistics.Count;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the service that clients get while a nameservice joins and takes over subtrees, and while the subtree they use moves, and how
 * often their tables are stale (paper 5, §4.1 and §4.3).
 */
@Command(
        name = "benchmark-subtrees",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures clients of a federation while a nameservice joins it and subtrees move.")
public final class SubtreesBenchmark implements Callable<Integer> {
    /** The subtrees, of which the first two stay in place when the new nameservice gets the others. */
    private static final List<String> SUBTREES = List.of("/a", "/b", "/c", "/d");

    private static final Set<String> STAYING = Set.of("/a", "/b");
    private static final Set<String> TAKEN_OVER = new TreeSet<>(List.of("/c", "/d"));
    /** The subtree that moves back and forth. One other subtree has clients at each nameservice, so both have the same to do. */
    private static final String MOVING = "/b";

    private static final Set<String> MOVING_SUBTREES = Set.of(MOVING);
    private static final Set<String> STATIC_SUBTREES = Set.of("/a", "/c");

    private static final String PER_SECOND = "calls a second";
    private static final String LONGEST_CALL = "longest ms";
    private static final String PAUSE = "pause ms";
    private static final String SECONDS = "seconds";
    private static final double CURVE_SECONDS = 1;
    private static final double FINE_CURVE_SECONDS = 0.2;
    private static final Color MARK = new Color(0xc0392b);
    private static final long SETTLING_SECONDS = 2;

    @Option(
            names = "--clients",
            defaultValue = "4",
            converter = PositiveNumber.class,
            description = "Of each of the four subtrees.")
    private int clients;

    @Option(
            names = "--files",
            defaultValue = "50",
            converter = PositiveNumber.class,
            description = "How many files each client keeps.")
    private int files;

    @Option(
            names = "--calls-per-change",
            defaultValue = "20",
            converter = PositiveNumber.class,
            description = "One of so many calls makes a file, and another one deletes one.")
    private int callsPerChange;

    @Option(
            names = "--moves",
            defaultValue = "4",
            converter = PositiveNumber.class,
            description = "After how many moves stale tables are counted.")
    private int moves;

    @Option(names = "--rate", description = "As of hdfs trefoil subtree move; no limit if not given.")
    private Integer rate;

    @Option(
            names = "--pictures",
            defaultValue = "benchmarks/target/subtrees",
            description = "Where the pictures are written to.")
    private Path pictures;

    @Mixin
    private final TurnOptions turns =
            new TurnOptions().withDefaultCpus(0.25).withDefaultSeconds(10).withDefaultWarmUp(15);

    private final BenchmarkResults results = new BenchmarkResults();
    private final List<StaleTable> stale = new ArrayList<>();
    private String owner = GrowingFederation.OLD;

    /** The contenders that are compared. */
    private enum Turn {
        STILL,
        MOVING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The sums of all clients' counters after this many moves. */
    private record StaleTable(int moves, long calls, long repeated) {
        double hits() {
            return 1 - (double) repeated / calls;
        }
    }

    private SubtreesBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new SubtreesBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        turns.requireCoresFor(GrowingFederation.HOSTS);
        TurnOptions.printMachine();
        Files.createDirectories(pictures);
        List<String> moveOptions = rate == null ? List.of() : List.of("--rate", String.valueOf(rate));
        try (GrowingFederation federation = new GrowingFederation(turns.hosts(), moveOptions)) {
            federation.start(SUBTREES);
            try (SubtreeClients load = new SubtreeClients(
                    federation.clientConfiguration(),
                    SUBTREES,
                    new SubtreeClients.Plan(clients, files, callsPerChange))) {
                SubtreeClients.Run warmUp = load.start(Set.copyOf(SUBTREES));
                TimeUnit.SECONDS.sleep(turns.warmUpSeconds());
                warmUp.stop();
                federation.limitCpus();
                System.out.println(GrowingFederation.OLD + " is warm, " + turns.hosts());
                measureJoin(federation, load);
                turns.measureInTurns(
                        List.of(Turn.values()), Turn::toString, (turn, round) -> measure(federation, load, turn));
                countStale(federation, load);
            }
            federation.markSucceeded();
        }
        reportMoves();
        return turns.exitCode(reportStale());
    }

    /** Runs all clients while the other nameservice joins and takes over half of the subtrees. */
    private void measureJoin(GrowingFederation federation, SubtreeClients load) throws Exception {
        Map<String, Long> marks = new LinkedHashMap<>();
        SubtreeClients.Run run = load.start(Set.copyOf(SUBTREES));
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        Window before = runMeasurement();
        federation.addNameservice();
        marks.put("joined", System.nanoTime());
        for (String subtree : TAKEN_OVER) {
            federation.move(subtree, GrowingFederation.NEW);
            marks.put(subtree + " moved", System.nanoTime());
        }
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        Window after = runMeasurement();
        CallHistory history = run.stop();
        Set<String> all = Set.copyOf(SUBTREES);
        double atFirst = history.answersPerSecond(all, before);
        double inTheEnd = history.answersPerSecond(all, after);
        System.out.printf(
                Locale.ROOT,
                "%n%d clients, %s%ncalls a second with one nameservice %.0f, with two %.0f: %.2f times%n%n",
                clients * SUBTREES.size(),
                turns.hosts(),
                atFirst,
                inTheEnd,
                inTheEnd / atFirst);
        Window fullWindow = new Window(before.fromNanos(), after.toNanos());
        Panels panels = new Panels("A nameservice joins", "seconds", 0, fullWindow.seconds());
        panels.add("calls a second").addCurve(history.curve(all, fullWindow, CURVE_SECONDS));
        Panels.Panel parts = panels.add("by subtrees");
        parts.addCurve("that stay", history.curve(STAYING, fullWindow, CURVE_SECONDS));
        parts.addCurve("that the new one takes over", history.curve(TAKEN_OVER, fullWindow, CURVE_SECONDS));
        panels.addMark(
                String.join(", ", marks.keySet()),
                marks.values().stream().map(at -> seconds(fullWindow, at)).toList(),
                MARK);
        write(panels, "join.svg");
    }

    private static double seconds(Window window, long atNanos) {
        return new Window(window.fromNanos(), atNanos).seconds();
    }

    /** Waits for the duration of a measurement. */
    private Window runMeasurement() throws InterruptedException {
        long began = System.nanoTime();
        TimeUnit.SECONDS.sleep(turns.seconds());
        return new Window(began, System.nanoTime());
    }

    private void measure(GrowingFederation federation, SubtreeClients load, Turn turn) throws Exception {
        SubtreeClients.Run run = load.start(Set.of("/a", MOVING, "/c"));
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        if (turn == Turn.STILL) {
            Window window = runMeasurement();
            add(turn, run.stop(), window, Map.of());
            return;
        }
        long began = System.nanoTime();
        Move move = move(federation);
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        CallHistory history = run.stop();
        add(
                turn,
                history,
                move.window(),
                Map.of(PAUSE, move.pauseMillis(), SECONDS, move.window().seconds()));
        draw(history, new Window(began - TimeUnit.SECONDS.toNanos(SETTLING_SECONDS), System.nanoTime()), move);
    }

    private Move move(GrowingFederation federation) {
        owner = owner.equals(GrowingFederation.OLD) ? GrowingFederation.NEW : GrowingFederation.OLD;
        return federation.move(MOVING, owner);
    }

    private void add(Turn turn, CallHistory history, Window window, Map<String, Double> more) {
        Map<String, Double> inside = new LinkedHashMap<>(more);
        inside.put(PER_SECOND, history.answersPerSecond(MOVING_SUBTREES, window));
        inside.put(LONGEST_CALL, history.longestMillis(MOVING_SUBTREES, window));
        results.add("inside", turn.toString(), new Sample(inside));
        results.add(
                "outside",
                turn.toString(),
                new Sample(Map.of(
                        PER_SECOND, history.answersPerSecond(STATIC_SUBTREES, window),
                        LONGEST_CALL, history.longestMillis(STATIC_SUBTREES, window))));
    }

    /** Draws the picture, of which the last round's stays. */
    private void draw(CallHistory history, Window fullWindow, Move move) throws IOException {
        Panels panels = new Panels("A subtree moves", "seconds", 0, fullWindow.seconds());
        panels.add("calls a second of clients in it")
                .addCurve(history.curve(MOVING_SUBTREES, fullWindow, FINE_CURVE_SECONDS));
        panels.add("calls a second of other clients")
                .addCurve(history.curve(STATIC_SUBTREES, fullWindow, FINE_CURVE_SECONDS));
        panels.addMark(
                "the command begins and ends",
                List.of(
                        seconds(fullWindow, move.window().fromNanos()),
                        seconds(fullWindow, move.window().toNanos())),
                MARK);
        write(panels, "move.svg");
    }

    /** Measures stale tables: each move makes the table of each client in the subtree stale once. */
    private void countStale(GrowingFederation federation, SubtreeClients load) throws Exception {
        long callsBefore = countOf(Count.CALLS);
        long repeatedBefore = countOf(Count.REPEATED);
        SubtreeClients.Run run = load.start(MOVING_SUBTREES);
        for (int number = 1; number <= moves; number++) {
            move(federation);
            TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
            stale.add(new StaleTable(
                    number, countOf(Count.CALLS) - callsBefore, countOf(Count.REPEATED) - repeatedBefore));
            System.out.printf("move %d of %d%n", number, moves);
        }
        run.stop();
        Panels panels = new Panels("Stale tables", "moves of the subtree", 0, moves);
        panels.add("calls that met an old version, of each client")
                .addCurve("counted", points(point -> (double) point.repeated / clients));
        panels.add("percent of calls that did not").addCurve("hit rate", points(point -> 100 * point.hits()));
        write(panels, "stale.svg");
    }

    private List<double[]> points(ToDoubleFunction<StaleTable> figure) {
        return stale.stream()
                .map(point -> new double[] {point.moves, figure.applyAsDouble(point)})
                .toList();
    }

    private static long countOf(Count count) {
        StorageStatistics statistics = GlobalStorageStatistics.INSTANCE.get(SubtreeStatistics.NAME);
        return statistics.getLong(count.name().toLowerCase(Locale.ROOT));
    }

    private void write(Panels panels, String name) throws IOException {
        Path picture = pictures.resolve(name);
        PictureFile.write(panels, picture);
        System.out.println("wrote " + picture);
    }

    private void reportMoves() {
        System.out.printf(
                Locale.ROOT,
                "%nmedians of %d rounds, %d files in the subtree, %s%n%-28s%10s%10s%10s%n",
                turns.rounds(),
                clients * files,
                turns.hosts(),
                "clients",
                Turn.STILL,
                Turn.MOVING,
                "ratio");
        for (String variant : results.measurements()) {
            for (String figure : List.of(PER_SECOND, LONGEST_CALL)) {
                System.out.printf(
                        Locale.ROOT,
                        "%-28s%10.0f%10.0f%10.2f%n",
                        variant + ", " + figure,
                        median(variant, Turn.STILL, figure),
                        median(variant, Turn.MOVING, figure),
                        results.ratio(variant, Turn.MOVING.toString(), Turn.STILL.toString(), figure)
                                .orElse(Double.NaN));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "the command took %.1f s; pause as it printed it, ms: median %.0f, longest %.0f%n",
                median("inside", Turn.MOVING, SECONDS),
                median("inside", Turn.MOVING, PAUSE),
                results.max("inside", Turn.MOVING.toString(), PAUSE).orElseThrow());
    }

    private double median(String variant, Turn turn, String figure) {
        return results.median(variant, turn.toString(), figure).orElseThrow();
    }

    /** Prints how often tables were stale, and whether the bound is kept. */
    private boolean reportStale() {
        System.out.printf("%n%-8s%10s%10s%14s%14s%n", "moves", "calls", "stale", "hit rate %", "of a client");
        boolean kept = true;
        for (StaleTable staleTable : stale) {
            double ofEach = (double) staleTable.repeated / clients;
            kept &= ofEach <= staleTable.moves;
            System.out.printf(
                    Locale.ROOT,
                    "%-8d%10d%10d%14.3f%14.2f%n",
                    staleTable.moves,
                    staleTable.calls,
                    staleTable.repeated,
                    100 * staleTable.hits(),
                    ofEach);
        }
        System.out.printf("each client met at most one old version for each move: %s%n", kept ? "kept" : "MISSED");
        return kept;
    }
}
