/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The block gets into every kind of file, is what counts there, and goes without a trace. */
class SiteTextTest {
    private static final Map<String, String> BLOCK = Map.of("a", "new & <better>");

    private static final List<String> FILES = List.of(
            "<configuration>\n  <property><name>a</name><value>old</value></property>\n</configuration>\n",
            // No line of its own, no end of the last line.
            "<configuration><property><name>a</name><value>old</value></property></configuration>",
            "<configuration></configuration>",
            "  <configuration>\r\n</configuration>\r\n",
            "<configuration>\r\n</configuration >\r\n\r\n",
            "<?xml version=\"1.0\"?>\n<configuration>\n\t</configuration>\n<!-- was </configuration> -->\n",
            "<configuration><!-- </configuration> --><property><name>b</name><value><![CDATA[</configuration>]]></value>"
                    + "</property>\n  </configuration>",
            "\uFEFF<configuration>\nä\n</configuration>");

    @Test
    void blockIsReadableAndRemovedWithoutTrace() {
        for (String file : FILES) {
            SiteText with = new SiteText(file).withBlock(BLOCK);

            assertThat(SiteProperties.parse(with.toString()).values()).as(file).containsEntry("a", "new & <better>");
            assertThat(with.hasBlock()).isTrue();
            assertThat(with.withoutBlock()).hasToString(file);
        }
    }

    @Test
    void secondBlockReplacesFirst() {
        for (String file : FILES) {
            SiteText twice = new SiteText(file).withBlock(Map.of("a", "first")).withBlock(BLOCK);

            assertThat(twice).hasToString(new SiteText(file).withBlock(BLOCK).toString());
        }
    }

    @Test
    void keepsLineEndingsOfFile() {
        String with = new SiteText("<configuration>\r\n</configuration>\r\n")
                .withBlock(BLOCK)
                .toString();

        assertThat(with.replace("\r\n", "")).doesNotContain("\n");
    }

    @Test
    void fileWithoutBlockStaysUnchanged() {
        assertThat(new SiteText(FILES.get(0)).withoutBlock()).hasToString(FILES.get(0));
    }

    @Test
    void rejectsIncompleteBlock() {
        String with = new SiteText(FILES.get(0)).withBlock(BLOCK).toString();

        for (String broken : List.of(
                with.replace("<!-- hdfs trefoil: end. -->", ""),
                with.replace("<!-- hdfs trefoil: all", "<!-- all"),
                with.replace("</configuration>", with.substring(with.indexOf("<!--"))))) {
            assertThatThrownBy(() -> new SiteText(broken).withoutBlock())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("repair them by hand");
        }
    }

    @Test
    void rejectsNonConfiguration() {
        for (String wrong : List.of("", "<configuration>", "<conf></conf>", "<configuration></configuration></x>")) {
            assertThatThrownBy(() -> new SiteText(wrong).withBlock(BLOCK))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
