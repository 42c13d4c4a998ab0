/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No text for people has a whole message of the wire in it, which is a page of braces: {@code PoolReply.describe} says it instead. */
class MessagesInTextsTest {
    private static final Pattern DECLARED =
            Pattern.compile("\\b\\w*(?:Reply|Request|NodeAnswer)\\b(?:<[^>]*>)? (\\w+)\\b");

    @TempDir
    private Path planted;

    @Test
    void noTextContainsEntireMessage() throws IOException {
        assertThat(MainCode.files(MainCode.tree())).hasSizeGreaterThan(1000);
        assertThat(findTexts(MainCode.tree())).isEmpty();
    }

    @Test
    void findsPlantedTextWithMessage() throws IOException {
        Path code = Files.createDirectories(planted.resolve("module/src/main/java"));
        Files.writeString(
                code.resolve("Planted.java"),
                """
                void f(PoolReply reply, StatusRequest asked) {
                    throw new IOException("it says " + reply);
                    LOG.warn("{} was asked {}", node, asked);
                    LOG.warn("{}", asked.end());
                    throw new IOException("it says " + reply.inWords());
                    String trouble(NodeAnswer answer) { return "answers " + answer.reply().get(); }
                }
                """);

        assertThat(findTexts(planted))
                .containsExactly(
                        "Planted.java: \" + reply)",
                        "Planted.java: LOG.warn(\"{} was asked {}\", node, asked)",
                        "Planted.java: \" + answer.reply().get();");
    }

    private static List<String> findTexts(Path tree) throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path file : MainCode.files(tree)) {
            String code = Files.readString(file);
            Set<String> messages = new LinkedHashSet<>();
            Matcher declared = DECLARED.matcher(code);
            while (declared.find()) {
                messages.add(declared.group(1));
            }
            for (String message : messages) {
                String whole = message + "(?:\\.reply\\(\\)\\.get\\(\\))?\\s*";
                Matcher text = Pattern.compile("\"\\s*\\+ " + whole + "[;)+]|LOG\\.\\w+\\([^;]*, " + whole + "[,)]")
                        .matcher(code);
                while (text.find()) {
                    texts.add(file.getFileName() + ": " + text.group());
                }
            }
        }
        return texts;
    }
}
