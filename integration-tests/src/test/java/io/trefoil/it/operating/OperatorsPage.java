/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The commands and settings of a page for operators, exactly as the page has them. */
public final class OperatorsPage {
    private static final Pattern COMMAND = Pattern.compile("([a-z]+)([1-9])\\$ (.+)");
    /** What is typed on each of the three hosts. */
    private static final Pattern EVERYWHERE = Pattern.compile("all\\$ (.+)");

    private static final Pattern PROPERTY = Pattern.compile(
            "<property>\\s*<name>([^<]+)</name>\\s*<value>([^<]*)</value>\\s*</property>", Pattern.DOTALL);

    /** A row of a table that has a property and its value in its first two columns. */
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+(?:\\.[\\w-]+)+)` \\| `([^`]+)`.*");

    private final List<String> lines;

    private OperatorsPage(List<String> lines) {
        this.lines = lines;
    }

    public static OperatorsPage read(String name) throws IOException {
        return new OperatorsPage(
                Files.readAllLines(root().resolve("docs/operating").resolve(name)));
    }

    /** The directory of the project. */
    public static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("docs/operating"))) {
            directory = directory.getParent();
        }
        return directory;
    }

    /** The commands of a section, in order; its title is that of a heading of any level. */
    public List<Command> section(String title) {
        List<Command> commands = linesOf(title).stream()
                .flatMap(line -> parseCommands(line).stream())
                .toList();
        assertThat(commands).as("commands of section '%s'", title).isNotEmpty();
        return commands;
    }

    /** Up to the next heading of any level. */
    private List<String> linesOf(String title) {
        List<String> section = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            if (line.startsWith("#")) {
                inside = line.replaceFirst("^#+ ", "").equals(title);
            }
            if (inside) {
                section.add(line.strip());
            }
        }
        assertThat(section).as("section '%s'", title).isNotEmpty();
        return section;
    }

    /** The properties of a section, as an operator copies them into {@code hdfs-site.xml} and its like. */
    public Map<String, String> properties(String title) {
        Map<String, String> properties = propertiesIn(String.join("\n", linesOf(title)));
        assertThat(properties).as("properties of section '%s'", title).isNotEmpty();
        return properties;
    }

    private static Map<String, String> propertiesIn(String text) {
        Map<String, String> properties = new LinkedHashMap<>();
        Matcher property = PROPERTY.matcher(text);
        while (property.find()) {
            properties.put(property.group(1), property.group(2).strip());
        }
        return properties;
    }

    /** The properties that the tables of a section have, with their values. */
    public Map<String, String> settings(String title) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String line : linesOf(title)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                settings.put(row.group(1), row.group(2));
            }
        }
        assertThat(settings).as("settings of section '%s'", title).isNotEmpty();
        return settings;
    }

    /** The blocks of a section, in order, each as the text between its fences. */
    public List<String> blocks(String title) {
        List<String> blocks = new ArrayList<>();
        List<String> open = null;
        for (String line : linesOf(title)) {
            if (!line.startsWith("```")) {
                if (open != null) {
                    open.add(line);
                }
            } else if (open == null) {
                open = new ArrayList<>();
            } else {
                blocks.add(String.join("\n", open));
                open = null;
            }
        }
        return blocks;
    }

    /** The first block of a section that contains a text. */
    public String blockContaining(String title, String text) {
        return blocks(title).stream()
                .filter(block -> block.contains(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no block of section '" + title + "' has '" + text + "'"));
    }

    /** Follows a section block by block: settings first apply to the next process that starts, commands are typed. */
    public void follow(String title, Typist typist) throws Exception {
        for (String block : blocks(title)) {
            Map<String, String> properties = propertiesIn(block);
            if (!properties.isEmpty()) {
                typist.applySettings(properties);
            }
            for (String line : block.split("\n")) {
                for (Command command : parseCommands(line)) {
                    typist.runCommand(command);
                }
            }
        }
    }

    /** Returns a text if the page quotes it as logged or printed; otherwise fails. */
    public String requireQuoted(String text) {
        assertThat(lines).as("lines of the page").anyMatch(line -> line.contains("`" + text + "`"));
        return text;
    }

    /** The commands of the whole page that begin with a word, in order, each joined to one line. */
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

    private static List<Command> parseCommands(String line) {
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

    /** Carries out the blocks. */
    public interface Typist {
        void applySettings(Map<String, String> properties) throws Exception;

        void runCommand(Command command) throws Exception;
    }

    /** A command typed on a host; the hosts of a group are numbered from 1. */
    public record Command(String group, int host, String text) {}
}
