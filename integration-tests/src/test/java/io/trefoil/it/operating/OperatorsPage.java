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

/** The commands of a page for operators, as they stand there. */
final class OperatorsPage {
    private static final Pattern COMMAND = Pattern.compile("([a-z]+)([1-9])\\$ (.+)");

    private final List<String> lines;

    private OperatorsPage(List<String> lines) {
        this.lines = lines;
    }

    static OperatorsPage read(String name) throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("docs/operating"))) {
            folder = folder.getParent();
        }
        return new OperatorsPage(
                Files.readAllLines(folder.resolve("docs/operating").resolve(name)));
    }

    /** The commands of a section, in their order; its title is that of a heading of whatever level. */
    List<Command> section(String title) {
        List<Command> commands = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            if (line.startsWith("#")) {
                inside = line.replaceFirst("^#+ ", "").equals(title);
            }
            Matcher matcher = COMMAND.matcher(line);
            if (inside && matcher.matches()) {
                commands.add(new Command(matcher.group(1), Integer.parseInt(matcher.group(2)), matcher.group(3)));
            }
        }
        assertThat(commands).as("commands of section '%s'", title).isNotEmpty();
        return commands;
    }

    /** What is typed on a host; those of a group have numbers, from 1 on. */
    record Command(String group, int host, String text) {}
}
