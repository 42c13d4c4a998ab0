/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param rounds how often everything is measured
 * @param seconds how long each measurement takes
 * @param warmUpSeconds how long each candidate is loaded before the first round
 * @param candidates names, in the order of the tables
 * @param measurements in their order
 * @param check whether missed bounds are an error
 */
record Options(
        int rounds,
        int seconds,
        int warmUpSeconds,
        List<String> candidates,
        List<Measurement> measurements,
        boolean check) {
    static final String USAGE = "options: --quick --rounds <number> --seconds <number> --warm-up <seconds>"
            + " --journals <local,direct,ssp,qjm> --check";

    private static final Options USUAL =
            new Options(5, 4, 40, List.of("local", "direct", Candidate.SSP, Candidate.QJM), Measurement.all(), false);
    private static final Options QUICK =
            new Options(3, 2, 7, List.of(Candidate.SSP, Candidate.QJM), Measurement.bounded(), false);

    /** @throws IllegalArgumentException if something is unknown or no number */
    static Options parse(List<String> arguments) {
        Options options = arguments.contains("--quick") ? QUICK : USUAL;
        Iterator<String> words = arguments.iterator();
        while (words.hasNext()) {
            String word = words.next();
            options = switch (word) {
                case "--quick" -> options;
                case "--check" -> options.withCheck();
                case "--rounds", "--seconds", "--warm-up", "--journals" -> {
                    if (!words.hasNext()) {
                        throw new IllegalArgumentException(word + " wants a value");
                    }
                    yield options.with(word, words.next());
                }
                default -> throw new IllegalArgumentException("unknown option " + word);
            };
        }
        return options;
    }

    private Options with(String option, String value) {
        return switch (option) {
            case "--rounds" -> new Options(number(value), seconds, warmUpSeconds, candidates, measurements, check);
            case "--seconds" -> new Options(rounds, number(value), warmUpSeconds, candidates, measurements, check);
            case "--warm-up" -> new Options(rounds, seconds, number(value), candidates, measurements, check);
            default ->
                new Options(rounds, seconds, warmUpSeconds, Arrays.asList(value.split(",")), measurements, check);
        };
    }

    private Options withCheck() {
        return new Options(rounds, seconds, warmUpSeconds, candidates, measurements, true);
    }

    private static int number(String text) {
        int number = Integer.parseInt(text);
        if (number < 1) {
            throw new IllegalArgumentException("wanted a number above 0, not " + text);
        }
        return number;
    }
}
