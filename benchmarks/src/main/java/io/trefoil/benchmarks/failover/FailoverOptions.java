/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param rounds how often every fault strikes every contender
 * @param contenders names, in the order of the tables
 * @param faults in their order
 * @param scenarios of the paper's Table 3; if there are any, they are played and nothing else
 * @param localEdits whether NameNodes write a second copy of the edits to their own directory
 * @param check whether missed bounds are an error
 */
record FailoverOptions(
        int rounds,
        List<String> contenders,
        List<Fault> faults,
        List<Scenario> scenarios,
        boolean localEdits,
        boolean check) {
    static final String USAGE = "options: --rounds <number> --failovers <mams,smart,zkfc>"
            + " --faults <killed,host,frozen,graceful,lock,cut,disk,zookeeper,restarts> --tests <A,B,C> --local-edits --check";

    private static final FailoverOptions USUAL = new FailoverOptions(
            5,
            List.of(Contender.MAMS, Contender.ZKFC),
            List.of(Fault.KILLED, Fault.HOST, Fault.FROZEN, Fault.GRACEFUL, Fault.LOCK),
            List.of(),
            false,
            false);

    /** @throws IllegalArgumentException if something is unknown or no number */
    static FailoverOptions parse(List<String> arguments) {
        FailoverOptions options = USUAL;
        Iterator<String> words = arguments.iterator();
        while (words.hasNext()) {
            String word = words.next();
            options = switch (word) {
                case "--check" ->
                    new FailoverOptions(
                            options.rounds,
                            options.contenders,
                            options.faults,
                            options.scenarios,
                            options.localEdits,
                            true);
                case "--local-edits" ->
                    new FailoverOptions(
                            options.rounds, options.contenders, options.faults, options.scenarios, true, options.check);
                case "--rounds", "--failovers", "--faults", "--tests" -> {
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

    private FailoverOptions with(String option, String value) {
        List<String> words = Arrays.asList(value.split(","));
        return switch (option) {
            case "--rounds" -> new FailoverOptions(number(value), contenders, faults, scenarios, localEdits, check);
            case "--failovers" -> new FailoverOptions(rounds, words, faults, scenarios, localEdits, check);
            case "--tests" ->
                new FailoverOptions(
                        rounds,
                        contenders,
                        faults,
                        words.stream().map(Scenario::valueOf).toList(),
                        localEdits,
                        check);
            default ->
                new FailoverOptions(
                        rounds, contenders, words.stream().map(Fault::named).toList(), scenarios, localEdits, check);
        };
    }

    private static int number(String text) {
        int number = Integer.parseInt(text);
        if (number < 1) {
            throw new IllegalArgumentException("wanted a number above 0, not " + text);
        }
        return number;
    }

    Contender.Machines machines() {
        boolean apart = scenarios.isEmpty() ? faults.contains(Fault.CUT) : scenarios.contains(Scenario.B);
        boolean smallDisks = scenarios.isEmpty() && faults.contains(Fault.DISK);
        return new Contender.Machines(apart, smallDisks, localEdits);
    }
}
