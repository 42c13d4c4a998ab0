/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Runs what a command line asks for. */
public final class Commands {

    private Commands() {}

    /**
     * Runs the command and ends the process: with what the command returns, with 1 if it failed, with 2 if the command line is
     * wrong, which is said on standard error.
     */
    public static void run(Callable<Integer> command, String... arguments) {
        // An error, as a cluster throws it that does not do what it should, would leave other threads running.
        Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {
            error.printStackTrace();
            System.exit(CommandLine.ExitCode.SOFTWARE);
        });
        System.exit(new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    /** One of the words that are known. */
    public abstract static class OneOf implements ITypeConverter<String> {
        private final List<String> known;

        protected OneOf(String... known) {
            this.known = List.of(known);
        }

        @Override
        public final String convert(String word) {
            if (!known.contains(word)) {
                throw new TypeConversionException("wanted one of " + known + ", found '" + word + "'");
            }
            return word;
        }
    }

    /** A number of things of which there must be one at least. */
    public static final class AboveZero implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException notEvenANumber) {
                // Said below.
            }
            throw new TypeConversionException("wanted a number above 0, found '" + text + "'");
        }
    }
}
