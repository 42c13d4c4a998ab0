/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Runs a command line. */
public final class Commands {

    private Commands() {}

    /**
     * Runs the command and ends the process. The exit code is what the command returns, 1 if it failed, or 2 if the
     * command line is wrong; standard error then says why.
     */
    public static void run(Callable<Integer> command, String... arguments) {
        // An error, such as a cluster throws if it misbehaves, would leave other threads running.
        Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {
            error.printStackTrace();
            System.exit(CommandLine.ExitCode.SOFTWARE);
        });
        System.exit(new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    /** Accepts one of the known words. */
    public abstract static class OneOf implements ITypeConverter<String> {
        private final List<String> known;

        protected OneOf(String... choices) {
            this.known = List.of(choices);
        }

        @Override
        public final String convert(String word) {
            if (!known.contains(word)) {
                throw new TypeConversionException("wanted one of " + known + ", found '" + word + "'");
            }
            return word;
        }
    }

    /** Accepts a number that is at least one. */
    public static final class PositiveNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException notEvenANumber) {
                // Reported below.
            }
            throw new TypeConversionException("wanted a number above 0, found '" + text + "'");
        }
    }
}
