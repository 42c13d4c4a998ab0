/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formats and parses times, as typed by operators and as used in names. */
public final class TimeFormats {

    private static final DateTimeFormatter NAME_FORMAT =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter BACKUP_FORMAT =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final Pattern SPAN = Pattern.compile("([1-9][0-9]{0,5})([smhd])");

    private TimeFormats() {}

    public static String formatForName(Instant time) {
        return NAME_FORMAT.format(time);
    }

    /**
     * Formats a time for the names of backups, with a finer resolution: two attempts within one second must not move two files to the same
     * place.
     */
    public static String formatForBackup(Instant time) {
        return BACKUP_FORMAT.format(time);
    }

    /** @throws IllegalArgumentException if the text is not a time span; the message says what is */
    public static Duration parseDuration(String text) {
        Matcher words = SPAN.matcher(text);
        if (!words.matches()) {
            throw new IllegalArgumentException("wanted a number and s, m, h or d, as 30d; got " + text);
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
