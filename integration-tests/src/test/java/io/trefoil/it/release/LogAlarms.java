/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lines of logs by which our code alarms an operator: WARN and ERROR. Where all went well there are none. */
final class LogAlarms {
    /** As {@code log4j.properties} of our stand-in has it: the time, the level, and the last two parts of the logger's name. */
    private static final Pattern LINE = Pattern.compile("\\d{4}-\\S+ \\S+ (?:WARN|ERROR|FATAL) ([\\w$.]+): .*");

    private static final Pattern SOURCE =
            Pattern.compile("[^/]+/src/main/java/io/trefoil/(?:.*/)?([^/]+)/([^/]+)\\.java");

    private final Set<String> loggers;

    private LogAlarms(Set<String> loggers) {
        this.loggers = loggers;
    }

    /** Knows the classes of this tree. */
    static LogAlarms load() throws IOException {
        Path tree = Path.of("..").toAbsolutePath().normalize();
        try (Stream<Path> files = Files.find(
                tree, Integer.MAX_VALUE, (file, attributes) -> file.toString().endsWith(".java"))) {
            return new LogAlarms(
                    files.map(file -> SOURCE.matcher(tree.relativize(file).toString()))
                            .filter(Matcher::matches)
                            .map(name -> name.group(1) + "." + name.group(2))
                            .collect(Collectors.toUnmodifiableSet()));
        }
    }

    List<String> find(String log) {
        return log.lines().filter(this::isOurs).toList();
    }

    private boolean isOurs(String line) {
        Matcher alarm = LINE.matcher(line);
        return alarm.matches() && loggers.contains(alarm.group(1).replaceAll("\\$.*", ""));
    }
}
