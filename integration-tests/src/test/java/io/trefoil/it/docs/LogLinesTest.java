/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each WARN and ERROR of ours says what to do, or that no action is needed, or {@code troubleshooting.md} has its words. */
class LogLinesTest {
    private static final Path PAGE = Path.of("docs/operating/troubleshooting.md");

    private static final Pattern CALL =
            Pattern.compile("\\bLOG\\s*\\.(?:warn|error)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"[\\s+]*)+)?");
    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

    private static final Pattern ADVICE =
            Pattern.compile("do: |no action needed|(?:trying|tries|checking) again|retrying|retried|'hdfs trefoil "
                    + "|docs/operating/|zkCli\\.sh|caught up");

    private static final int MIN_WORDS = 3;

    private static final Pattern KEYED = Pattern.compile("\\b\\w+=\\{}");
    /** The text of a cause, which is a sentence. */
    private static final Pattern CAUSE = Pattern.compile(": \\{}");
    /** They have a sentence in their middle, and their readers search for that. */
    private static final List<String> PROSE = List.of("ZooKeeper: could not {}", "The ACLs in ZooKeeper grant more");

    @TempDir
    private Path planted;

    @Test
    void everyWarningNamesRemedyOrIsInTroubleshooting() throws IOException {
        assertThat(findWithoutRemedy(MainCode.tree())).isEmpty();
        assertThat(messages(MainCode.tree())).hasSizeGreaterThan(100);
    }

    /** Who searches thousands of lines has the name of one node or journal, and no sentence. */
    @Test
    void warningsNameSubjectByKeyAndValue() throws IOException {
        assertThat(findUnkeyed(MainCode.tree())).isEmpty();
    }

    @Test
    void findsPlantedWarningWithoutKey() throws IOException {
        Path code = Files.createDirectories(planted.resolve("journal-ssp/src/main/java/io"));
        Files.writeString(
                code.resolve("Planted.java"),
                """
                LOG.warn("the disk of {} has burnt: {}", disk, e.toString());
                LOG.warn("the disk has burnt: {}; do: replace it", e.toString());
                LOG.warn("disk={} has burnt: {}", disk, e.toString());
                """);

        assertThat(findUnkeyed(planted)).containsExactly("Planted.java: the disk of {} has burnt: {}");
    }

    private static List<String> findUnkeyed(Path tree) throws IOException {
        List<String> unkeyed = new ArrayList<>();
        for (Path file : MainCode.files(tree)) {
            for (String message : messagesIn(file)) {
                String words = message.substring(message.indexOf(": ") + 2);
                boolean isPlain = CAUSE.matcher(words).replaceAll("").contains("{}")
                        && !KEYED.matcher(words).find();
                if (isPlain && PROSE.stream().noneMatch(words::startsWith)) {
                    unkeyed.add(message);
                }
            }
        }
        return unkeyed;
    }

    @Test
    void findsPlantedWarningWithoutRemedy() throws IOException {
        Path code = Files.createDirectories(planted.resolve("module/src/main/java"));
        Files.createDirectories(planted.resolve(PAGE).getParent());
        Files.writeString(planted.resolve(PAGE), "`the disk of … has burnt`");
        Files.writeString(
                code.resolve("Planted.java"),
                """
                LOG.warn("{} went away", name);
                LOG.error("{}: the disk of"
                        + " {} has burnt", name, disk);
                LOG.warn("the disk of {} has burnt down; do: replace it", disk);
                LOG.error(text);
                LOG.info("nobody cares");
                """);

        assertThat(findWithoutRemedy(planted))
                .containsExactly("Planted.java: {} went away", "Planted.java: no words in LOG.error(");
    }

    /** Those of main code in production that help no reader. */
    private static List<String> findWithoutRemedy(Path tree) throws IOException {
        String page = Files.readString(tree.resolve(PAGE));
        List<String> helpless = new ArrayList<>();
        for (String message : messages(tree)) {
            String words = message.substring(message.indexOf(": ") + 2);
            if (!ADVICE.matcher(words).find() && !isQuotedOn(words, page)) {
                helpless.add(message);
            }
        }
        return helpless;
    }

    /** As a page quotes it: what differs each time is an ellipsis, and may be left out at either end. */
    private static boolean isQuotedOn(String words, String page) {
        String quoted = words.replaceAll("\\{}", "…").replaceAll("^[…:; ]+|[…:; ]+$", "");
        return quoted.split(" ", -1).length >= MIN_WORDS && page.contains(quoted);
    }

    private static List<String> messages(Path tree) throws IOException {
        List<String> messages = new ArrayList<>();
        for (Path file : MainCode.files(tree)) {
            messages.addAll(messagesIn(file));
        }
        return messages;
    }

    private static List<String> messagesIn(Path file) throws IOException {
        List<String> messages = new ArrayList<>();
        Matcher call = CALL.matcher(Files.readString(file));
        while (call.find()) {
            String text = call.group(1) == null
                    ? "no words in " + call.group().strip()
                    : JOINT.matcher(call.group(1)).replaceAll("").strip();
            messages.add(file.getFileName() + ": " + text.replaceAll("^\"|\"[\\s+]*$", ""));
        }
        return messages;
    }
}
