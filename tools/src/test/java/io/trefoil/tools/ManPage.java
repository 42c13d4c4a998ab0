/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The manual page of one command, from what its help text is made of too. Picocli's own generator makes AsciiDoc, which to turn
 * into a page takes a Ruby inside the build.
 */
final class ManPage {
    private static final String EXAMPLES = "Examples:";

    private final CommandLine command;
    private final UsageMessageSpec usage;

    ManPage(CommandLine command) {
        this.command = command;
        this.usage = command.getCommandSpec().usageMessage();
    }

    /** The pages of a command and of all below it. */
    static List<ManPage> of(CommandLine command) {
        List<ManPage> pages = new ArrayList<>(List.of(new ManPage(command)));
        command.getSubcommands().values().forEach(below -> pages.addAll(of(below)));
        return pages;
    }

    /** As man is asked for it. */
    String name() {
        return command.getCommandSpec().qualifiedName("-");
    }

    String fileName() {
        return name() + ".1";
    }

    /** In the language of troff, with the macros of man. */
    String text() {
        StringBuilder page =
                new StringBuilder(".TH " + name().replace("-", "\\-").toUpperCase(Locale.ROOT)
                        + " 1 \"\" \"Trefoil\" \"Trefoil\"\n.nh\n.ad l\n");
        page.append(".SH NAME\n" + escaped(name()) + " \\- " + escaped(summary()) + "\n");
        page.append(".SH SYNOPSIS\n" + synopsis());
        page.append(".SH DESCRIPTION\n"
                + Arrays.stream(usage.description()).map(ManPage::paragraph).collect(Collectors.joining(".PP\n")));
        section(page, "PARAMETERS", command.getCommandSpec().positionalParameters().stream());
        section(page, "OPTIONS", command.getCommandSpec().options().stream().map(ArgSpec.class::cast));
        commands(page);
        if (!usage.exitCodeList().isEmpty()) {
            page.append(".SH EXIT STATUS\n");
            usage.exitCodeList()
                    .forEach((code, meaning) -> page.append(item("\\fB" + code.trim() + "\\fR", expanded(meaning))));
        }
        footer(page);
        page.append(".SH SEE ALSO\n" + seeAlso() + "\n");
        return page.toString();
    }

    private String summary() {
        String first = expanded(usage.description()[0]);
        int end = first.indexOf(". ");
        return (end < 0 ? first : first.substring(0, end)).replaceAll("[.:]$", "");
    }

    private String synopsis() {
        String synopsis = command.getHelp().synopsis(0).trim().replaceAll("\\s+", " ");
        return "\\fBhdfs " + escaped(command.getCommandSpec().qualifiedName()) + "\\fR"
                + escaped(synopsis.substring(
                        command.getCommandSpec().qualifiedName().length())) + "\n";
    }

    private static void section(StringBuilder page, String title, Stream<? extends ArgSpec> all) {
        String items = all.filter(one -> !one.hidden())
                .map(one -> item(names(one), String.join(" ", expanded(one))))
                .collect(Collectors.joining());
        if (!items.isEmpty()) {
            page.append(".SH " + title + "\n" + items);
        }
    }

    private void commands(StringBuilder page) {
        if (!command.getSubcommands().isEmpty()) {
            page.append(".SH COMMANDS\n");
            command.getSubcommands().values().stream()
                    .map(ManPage::new)
                    .forEach(below -> page.append(item("\\fB" + escaped(below.name()) + "\\fR(1)", below.summary())));
        }
    }

    private void footer(StringBuilder page) {
        boolean inExamples = false;
        for (String line : usage.footer()) {
            String expanded = expanded(line);
            if (expanded.equals(EXAMPLES)) {
                page.append(".SH EXAMPLES\n.nf\n");
                inExamples = true;
            } else if (inExamples) {
                page.append(escaped(expanded.trim())).append('\n');
            } else if (!expanded.isEmpty()) {
                page.append(".PP\n").append(paragraph(expanded));
            }
        }
        if (inExamples) {
            page.append(".fi\n");
        }
    }

    private String seeAlso() {
        List<String> pages = new ArrayList<>();
        for (CommandLine above = command.getParent(); above != null; above = above.getParent()) {
            pages.add(0, "\\fB" + escaped(new ManPage(above).name()) + "\\fR(1)");
        }
        pages.add("docs/operating/command.md");
        return String.join(", ", pages);
    }

    private static String names(ArgSpec arg) {
        if (arg instanceof PositionalParamSpec) {
            return "\\fI" + escaped(arg.paramLabel()) + "\\fR";
        }
        String names = Stream.of(((OptionSpec) arg).names())
                .map(name -> "\\fB" + escaped(name) + "\\fR")
                .collect(Collectors.joining(", "));
        return arg.arity().max() == 0 ? names : names + "=\\fI" + escaped(arg.paramLabel()) + "\\fR";
    }

    private static String[] expanded(ArgSpec arg) {
        String defaultText = String.valueOf(arg.defaultValue());
        return Arrays.stream(arg.description())
                .map(line -> expanded(line.replace("${DEFAULT-VALUE}", defaultText)))
                .toArray(String[]::new);
    }

    /** As picocli prints it: percent signs are those of formats. */
    private static String expanded(String line) {
        return Ansi.OFF.string(String.format(line));
    }

    private static String item(String head, String text) {
        return ".TP\n" + head + "\n" + paragraph(text);
    }

    private static String paragraph(String text) {
        String escaped = escaped(text.trim());
        // A line that begins with one of these is an order.
        return (escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "") + escaped + "\n";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }
}
