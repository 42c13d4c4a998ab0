/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.specification;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The constants of the specification, written as the words that differ from two terms on three places without faults: {@code
 * sn=4 crash=1 leases}.
 */
final class SmallWorld {

    private static final Map<String, String> CONSTANTS =
            Map.of("terms", "LastTerm", "epochs", "LastEpoch", "sn", "LastSn", "disks", "Generations");

    private static final List<String> BUDGET =
            List.of("crash", "loss", "return", "change", "damage", "promotion", "copy", "purge", "barrier");

    private final String words;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final int places;
    private final int readers;
    private final int voters;
    private final boolean leases;

    private SmallWorld(String words) {
        this.words = words;
        numbers.putAll(Map.of("terms", 2, "epochs", 3, "sn", 3, "disks", 1));
        int found = 3;
        int readFrom = 0;
        int mayVote = 3;
        boolean looksAtLeases = false;
        for (String word : words.split(" ")) {
            String[] parts = word.split("=", 2);
            if (word.equals("leases")) {
                looksAtLeases = true;
            } else if (parts[0].equals("places")) {
                found = Integer.parseInt(parts[1]);
            } else if (parts[0].equals("readers")) {
                readFrom = Integer.parseInt(parts[1]);
            } else if (parts[0].equals("voters")) {
                mayVote = Integer.parseInt(parts[1]);
            } else if (CONSTANTS.containsKey(parts[0]) || BUDGET.contains(parts[0])) {
                numbers.put(parts[0], Integer.parseInt(parts[1]));
            } else {
                throw new IllegalArgumentException("Wanted: some of " + CONSTANTS.keySet() + " and " + BUDGET
                        + ", places, voters and readers, each with =NUMBER, and leases; found: " + word);
            }
        }
        this.places = found;
        this.readers = readFrom;
        this.voters = mayVote;
        this.leases = looksAtLeases;
    }

    static SmallWorld of(String words) {
        return new SmallWorld(words);
    }

    /** What the module of the world defines: the model checker takes no records from its configuration. */
    String definitions() {
        return BUDGET.stream()
                        .map(kind -> kind + " |-> " + numbers.getOrDefault(kind, 0))
                        .collect(Collectors.joining(", ", "Faults == [", "]\n"))
                + "Alike == Permutations(" + symmetricPlaces() + ")\n";
    }

    /** Lines of the configuration. */
    String configuration() {
        String constants = CONSTANTS.entrySet().stream()
                .map(each -> "  " + each.getValue() + " = " + numbers.get(each.getKey()) + "\n")
                .collect(Collectors.joining());
        return "CONSTANTS\n  a = a\n  b = b\n  c = c\n  Budget <- Faults\n  Places = " + placesOf(places, true) + "\n"
                + constants
                + "  Voters = " + placesOf(voters, true) + "\n  Readers = " + placesOf(readers, false) + "\n  Leases = "
                + (leases ? "TRUE" : "FALSE") + "\n" + (places == 3 ? "SYMMETRY Alike\n" : "");
    }

    /** The most places that no step tells from each other. */
    private String symmetricPlaces() {
        if (voters < 3) {
            return voters == 2 ? "Voters" : "Places \\ Voters";
        }
        return readers < 2 ? "Places \\ Readers" : "Readers";
    }

    private static String placesOf(int count, boolean first) {
        List<String> all = List.of("a", "b", "c");
        Stream<String> chosen =
                all.stream().skip(first ? 0 : all.size() - count).limit(count);
        return chosen.collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public String toString() {
        return words;
    }
}
