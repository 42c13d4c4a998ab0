/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** What holds for the declarations of every module, whose tests call it; the rules are those of docs/design/settings.md. */
public final class DeclaredKeys {
    private static final int LINE = 110;

    private DeclaredKeys() {}

    /** Names of ours are {@code trefoil.<section>.…}, and none is the beginning of another one: that would look like a suffix. */
    public static void assertNames(String section, List<ConfigKey<?>> keys) {
        List<String> names = ownKeys(keys).stream().map(ConfigKey::name).collect(Collectors.toList());
        assertThat(names).isNotEmpty().doesNotHaveDuplicates().allSatisfy(name -> {
            assertThat(name).matches("trefoil\\." + section + "(\\.[a-z]+(-[a-z]+)*)+");
            assertThat(names).noneMatch(other -> other.startsWith(name + "."));
        });
    }

    /** A removed name is none of those that can be set, nor does one begin with it, and the changelog says why it went. */
    public static void assertRemoved(SettingsSection section) throws IOException {
        String changes = Files.readString(Path.of("../CHANGELOG.md"));
        for (Map.Entry<String, String> removed : section.removedSettings().entrySet()) {
            assertThat(removed.getKey()).matches("trefoil(\\.[a-z]+(-[a-z]+)*)+");
            assertThat(section.keys()).extracting(ConfigKey::name).noneMatch(name -> (name + ".")
                    .startsWith(removed.getKey() + "."));
            assertThat(changes).as("CHANGELOG.md").contains("`" + removed.getKey() + "`");
        }
    }

    /** What stands in the defaults file is what a user may set. */
    public static void assertDefaultsCanBeRead(List<ConfigKey<?>> keys) {
        for (ConfigKey<?> key : keys) {
            if (key.defaultText().isPresent()) {
                Configuration conf = new Configuration(false);
                conf.set(key.name(), key.defaultText().get());
                assertThat(key.find(SuffixedConfiguration.ofNameNode(conf))).isPresent();
            }
        }
    }

    /**
     * The page of reference is what is declared.
     *
     * @param page its name in {@code docs/reference}
     * @param head what stands above the rows
     */
    public static void assertReferencePage(String module, String page, String head, List<ConfigKey<?>> keys)
            throws IOException {
        StringBuilder wanted = new StringBuilder(head);
        for (ConfigKey<?> key : keys) {
            wanted.append("| `").append(key.name()).append("` | ").append(key.type());
            wanted.append(key.boundText().isEmpty() ? "" : ", " + key.boundText());
            wanted.append(" | ")
                    .append(key.defaultText().map(text -> "`" + text + "`").orElse("none"));
            wanted.append(" | ").append(key.doc()).append(" |\n");
        }
        Path made = Path.of("target", page);
        Files.writeString(made, wanted);

        assertThat(Files.readString(Path.of("../docs/reference", page)))
                .as("copy " + module + "/" + made + " to docs/reference/" + page)
                .isEqualTo(wanted.toString());
    }

    /** What Hadoop loads is what is declared; and the file that names those of all modules is the same in each. */
    public static void assertDefaultsFile(String module, String section, List<ConfigKey<?>> keys) throws IOException {
        String name = "trefoil-" + section + "-default.xml";
        Path made = Path.of("target", name);
        Files.createDirectories(made.getParent());
        Files.writeString(made, defaultsFile(section, ownKeys(keys)));

        assertSame(module, Path.of("../" + module).resolve(made));
        assertSame(module, Path.of("../journal-ssp/src/main/resources/trefoil-default.xml"));
    }

    private static void assertSame(String module, Path expectedFile) throws IOException {
        Path found = Path.of("../" + module + "/src/main/resources").resolve(expectedFile.getFileName());
        assertThat(found)
                .as(
                        "cp %s %s",
                        expectedFile.toString().substring(3), found.toString().substring(3))
                .exists()
                .hasSameTextualContentAs(expectedFile);
    }

    /** In the form of hdfs-default.xml. */
    private static String defaultsFile(String section, List<ConfigKey<?>> keys) {
        StringBuilder file = new StringBuilder(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
                <!-- Copyright The Trefoil Authors
                     SPDX-License-Identifier: Apache-2.0 -->
                <!-- Made from the declarations of the settings trefoil.%s.*; a test compares it. Included by trefoil-default.xml. -->
                <configuration>
                """
                        .formatted(section));
        for (ConfigKey<?> key : keys) {
            String bound = key.boundText().isEmpty() ? "" : ", " + key.boundText();
            file.append("  <property>\n    <name>").append(key.name());
            file.append("</name>\n    <value>").append(xml(key.defaultText().orElse("")));
            file.append("</value>\n    <description>\n");
            for (String line : lines(key.doc() + " Type: " + key.type() + bound + ".")) {
                file.append("      ").append(xml(line)).append("\n");
            }
            file.append("    </description>\n  </property>\n");
        }
        return file.append("</configuration>\n").toString();
    }

    /** The words of a text in lines that are not too long, without the marks of Markdown. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.replace("`", "").split(" ")) {
            if (line.length() + word.length() > LINE) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String xml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static List<ConfigKey<?>> ownKeys(List<ConfigKey<?>> keys) {
        return TrefoilSettings.withoutHadoopKeys(keys);
    }
}
