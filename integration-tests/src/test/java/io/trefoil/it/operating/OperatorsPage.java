/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The commands of a page for operators, as they stand there. */
public final class OperatorsPage {
    private static final Pattern COMMAND = Pattern.compile("([a-z]+)([1-9])\\$ (.+)");
    /** What is typed on each of the three hosts. */
    private static final Pattern EVERYWHERE = Pattern.compile("all\\$ (.+)");

    private final List<String> lines;

    private OperatorsPage(List<String> lines) {
        this.lines = lines;
    }

    public static OperatorsPage read(String name) throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("docs/operating"))) {
            folder = folder.getParent();
        }
        return new OperatorsPage(
                Files.readAllLines(folder.resolve("docs/operating").resolve(name)));
    }

    /** The commands of a section, in their order; its title is that of a heading of whatever level. */
    public List<Command> section(String title) {
        List<Command> commands = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            if (line.startsWith("#")) {
                inside = line.replaceFirst("^#+ ", "").equals(title);
            }
            if (inside) {
                commands.addAll(typed(line));
            }
        }
        assertThat(commands).as("commands of section '%s'", title).isNotEmpty();
        return commands;
    }

    /** The commands of the whole page that begin so, in their order, each as one line however many it has there. */
    public List<String> commandsBeginningWith(String word) {
        List<String> commands = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : lines) {
            String text = line.trim();
            if (open.length() > 0 || text.startsWith(word)) {
                open.append(text.endsWith("\\") ? text.substring(0, text.length() - 1) : text);
                if (!text.endsWith("\\")) {
                    commands.add(open.toString());
                    open.setLength(0);
                }
            }
        }
        assertThat(commands).as("commands that begin with '%s'", word).isNotEmpty();
        return commands;
    }

    private static List<Command> typed(String line) {
        Matcher one = COMMAND.matcher(line);
        if (one.matches()) {
            return List.of(new Command(one.group(1), Integer.parseInt(one.group(2)), one.group(3)));
        }
        Matcher every = EVERYWHERE.matcher(line);
        return every.matches()
                ? IntStream.rangeClosed(1, 3)
                        .mapToObj(host -> new Command("host", host, every.group(1)))
                        .toList()
                : List.of();
    }

    /** What is typed on a host; those of a group have numbers, from 1 on. */
    public record Command(String group, int host, String text) {}
}
