/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The words behind a command: options with and without a value, and what is left. */
final class Arguments {

    private final Set<String> flags = new HashSet<>();
    private final Map<String, String> values = new HashMap<>();
    private final List<String> rest = new ArrayList<>();

    /** The command line is wrong; the text says how. */
    static final class WrongException extends Exception {

        private static final long serialVersionUID = 1L;

        WrongException(String message) {
            super(message);
        }
    }

    private Arguments() {}

    /** @throws WrongException if there is an option that is neither of the two, or a value is missing */
    static Arguments parse(List<String> words, Set<String> flagNames, Set<String> valueNames) throws WrongException {
        Arguments parsed = new Arguments();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (flagNames.contains(word)) {
                parsed.flags.add(word);
            } else if (valueNames.contains(word)) {
                if (i + 1 == words.size()) {
                    throw new WrongException("A value is missing behind " + word);
                }
                i++;
                parsed.values.put(word, words.get(i));
            } else if (word.startsWith("-")) {
                throw new WrongException("Unknown option: '" + word + "'");
            } else {
                parsed.rest.add(word);
            }
        }
        return parsed;
    }

    boolean has(String flag) {
        return flags.contains(flag);
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    List<String> rest() {
        return Collections.unmodifiableList(rest);
    }
}
