/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A duration as typed by people: {@code 30m}, {@code 12h}, {@code 7d}. */
public final class TimeOption {
    private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})([smhd])");
    private static final Pattern WAIT = Pattern.compile("([0-9]{1,6})([smhd]?)");

    private TimeOption() {}

    /**
     * A duration of at least a second. Without a unit it is refused: for how long an order stands, seconds are rarely meant.
     *
     * @throws ParameterException if the text is not such a duration
     */
    public static Duration parse(CommandSpec command, String option, String text) {
        Matcher words = TIME.matcher(text);
        if (!words.matches()) {
            throw new ParameterException(
                    command.commandLine(), option + " is a number and s, m, h or d, as 30m; got " + text);
        }
        return toDuration(words);
    }

    /**
     * The value of {@code --wait}, which may be 0. Without a unit it is in seconds.
     *
     * @throws ParameterException if the text is not such a duration
     */
    public static Duration parseWait(CommandSpec command, String text) {
        Matcher words = WAIT.matcher(text);
        if (!words.matches()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--wait is a number of seconds, or one and s, m, h or d, as 30m; got " + text);
        }
        return toDuration(words);
    }

    /**
     * The value of {@code --timeout}, in seconds: how long one server may take to answer.
     *
     * @throws ParameterException if it is not between a second and an hour
     */
    public static Duration timeout(CommandSpec command, int seconds) {
        if (seconds < 1 || seconds > 3600) {
            throw new ParameterException(
                    command.commandLine(), "--timeout is between 1 and 3600 seconds, got " + seconds);
        }
        return Duration.ofSeconds(seconds);
    }

    private static Duration toDuration(Matcher words) {
        long count = Long.parseLong(words.group(1));
        switch (words.group(2)) {
            case "":
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
