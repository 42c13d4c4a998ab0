/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A duration as people write it: {@code 30m}, {@code 12h}, {@code 7d}. */
public final class TimeOption {
    private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})([smhd])");

    private TimeOption() {}

    /** @throws ParameterException if the text is not a duration */
    public static Duration parse(CommandSpec command, String option, String text) {
        Matcher words = TIME.matcher(text);
        if (!words.matches()) {
            throw new ParameterException(
                    command.commandLine(), option + " is a number and s, m, h or d, as 30m; got " + text);
        }
        long count = Long.parseLong(words.group(1));
        switch (words.group(2)) {
            case "s":
                return Duration.ofSeconds(count);
            case "m":
                return Duration.ofMinutes(count);
            case "h":
                return Duration.ofHours(count);
            default:
                return Duration.ofDays(count);
        }
    }
}
