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
        page.append(".SH NAME\n" + escape(name()) + " \\- " + escape(summary()) + "\n");
        page.append(".SH SYNOPSIS\n" + synopsis());
        page.append(".SH DESCRIPTION\n"
                + Arrays.stream(usage.description())
                        .map(ManPage::formatParagraph)
                        .collect(Collectors.joining(".PP\n")));
        appendSection(page, "PARAMETERS", command.getCommandSpec().positionalParameters().stream());
        appendSection(
                page, "OPTIONS", command.getCommandSpec().options().stream().map(ArgSpec.class::cast));
        appendCommands(page);
        if (!usage.exitCodeList().isEmpty()) {
            page.append(".SH EXIT STATUS\n");
            usage.exitCodeList()
                    .forEach(
                            (code, meaning) -> page.append(formatItem("\\fB" + code.trim() + "\\fR", expand(meaning))));
        }
        appendFooter(page);
        page.append(".SH SEE ALSO\n" + seeAlso() + "\n");
        return page.toString();
    }

    private String summary() {
        String first = expand(usage.description()[0]);
        int end = first.indexOf(". ");
        return (end < 0 ? first : first.substring(0, end)).replaceAll("[.:]$", "");
    }

    private String synopsis() {
        String synopsis = command.getHelp().synopsis(0).trim().replaceAll("\\s+", " ");
        return "\\fBhdfs " + escape(command.getCommandSpec().qualifiedName()) + "\\fR"
                + escape(synopsis.substring(
                        command.getCommandSpec().qualifiedName().length())) + "\n";
    }

    private static void appendSection(StringBuilder page, String title, Stream<? extends ArgSpec> all) {
        String items = all.filter(one -> !one.hidden())
                .map(one -> formatItem(formatNames(one), String.join(" ", expand(one))))
                .collect(Collectors.joining());
        if (!items.isEmpty()) {
            page.append(".SH " + title + "\n" + items);
        }
    }

    private void appendCommands(StringBuilder page) {
        if (!command.getSubcommands().isEmpty()) {
            page.append(".SH COMMANDS\n");
            command.getSubcommands().values().stream()
                    .map(ManPage::new)
                    .forEach(below ->
                            page.append(formatItem("\\fB" + escape(below.name()) + "\\fR(1)", below.summary())));
        }
    }

    private void appendFooter(StringBuilder page) {
        boolean inExamples = false;
        for (String line : usage.footer()) {
            String expanded = expand(line);
            if (expanded.equals(EXAMPLES)) {
                page.append(".SH EXAMPLES\n.nf\n");
                inExamples = true;
            } else if (inExamples) {
                page.append(escape(expanded.trim())).append('\n');
            } else if (!expanded.isEmpty()) {
                page.append(".PP\n").append(formatParagraph(expanded));
            }
        }
        if (inExamples) {
            page.append(".fi\n");
        }
    }

    private String seeAlso() {
        List<String> pages = new ArrayList<>();
        for (CommandLine above = command.getParent(); above != null; above = above.getParent()) {
            pages.add(0, "\\fB" + escape(new ManPage(above).name()) + "\\fR(1)");
        }
        pages.add("docs/operating/command.md");
        return String.join(", ", pages);
    }

    private static String formatNames(ArgSpec arg) {
        if (arg instanceof PositionalParamSpec) {
            return "\\fI" + escape(arg.paramLabel()) + "\\fR";
        }
        String names = Stream.of(((OptionSpec) arg).names())
                .map(name -> "\\fB" + escape(name) + "\\fR")
                .collect(Collectors.joining(", "));
        return arg.arity().max() == 0 ? names : names + "=\\fI" + escape(arg.paramLabel()) + "\\fR";
    }

    private static String[] expand(ArgSpec arg) {
        String defaultText = String.valueOf(arg.defaultValue());
        return Arrays.stream(arg.description())
                .map(line -> expand(line.replace("${DEFAULT-VALUE}", defaultText)))
                .toArray(String[]::new);
    }

    /** As picocli prints it: percent signs are those of formats. */
    private static String expand(String line) {
        return Ansi.OFF.string(String.format(line));
    }

    private static String formatItem(String head, String text) {
        return ".TP\n" + head + "\n" + formatParagraph(text);
    }

    private static String formatParagraph(String text) {
        String escaped = escape(text.trim());
        // A line that begins with one of these is an order.
        return (escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "") + escaped + "\n";
    }

    private static String escape(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }
}
