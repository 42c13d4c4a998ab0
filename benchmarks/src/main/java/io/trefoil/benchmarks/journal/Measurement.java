/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import java.util.List;
import java.util.stream.Stream;

/**
 * A measurement to be made on every candidate.
 *
 * @param name in tables and files
 * @param load what the writer is told
 */
record Measurement(String name, String load) {
    static final Measurement ONE_512 = new Measurement("one outstanding batch of 512 B", "one 512");
    static final Measurement WRITERS_32 = new Measurement("32 writers of 1 KiB", "writers 32 1024");
    static final Measurement QUEUE_32 = new Measurement("32 writers of 1 KiB behind a queue", "queue 32 1024");

    static final Measurement RATE_25000 = new Measurement("25 000 records of 1 KiB per second", "rate 25000 1024");

    static final List<Integer> SIZES = List.of(128, 512, 2048, 8192, 32_768, 131_072);
    static final List<Integer> RATES = List.of(1_000, 5_000, 10_000, 20_000, 40_000);

    private static final List<Measurement> ALL = List.of(
            ONE_512,
            new Measurement("one outstanding batch of 1 KiB", "one 1024"),
            new Measurement("one outstanding batch of 32 KiB", "one 32768"),
            WRITERS_32,
            QUEUE_32,
            RATE_25000);

    /** One load with many batch sizes, and one size at many rates: what the papers' Figures 8a and 8b vary. */
    static List<Measurement> sweep() {
        return Stream.concat(
                        SIZES.stream().map(Measurement::ofSize), RATES.stream().map(Measurement::ofRate))
                .toList();
    }

    static Measurement ofSize(int bytes) {
        return new Measurement("one outstanding batch of " + bytes + " B", "one " + bytes);
    }

    /** Returns the writer's arguments, in terms of the names above. */
    static String writerArguments(String load) {
        String[] words = load.split(" ");
        return switch (words[0]) {
            case "rate" -> words[1] + " records of " + size(words[2]) + " per second";
            case "writers" -> words[1] + " writers of " + size(words[2]);
            default -> load;
        };
    }

    private static String size(String bytes) {
        int number = Integer.parseInt(bytes);
        return number % 1024 == 0 ? number / 1024 + " KiB" : number + " B";
    }

    static Measurement ofRate(int perSecond) {
        return new Measurement(perSecond + " records of 1 KiB per second", "rate " + perSecond + " 1024");
    }

    static List<Measurement> allMeasurements() {
        return ALL;
    }

    /** The measurements that have bounds, and the throughput of many writers with a NameNode's default. */
    static List<Measurement> quickMeasurements() {
        return List.of(ONE_512, WRITERS_32, QUEUE_32);
    }
}
