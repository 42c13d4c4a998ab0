/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MutatingCallsTest {
    private static final Path PAGE = Path.of("../docs/design/smart-client.md");

    @Test
    void documentationListsCallsReexecutedByHdfs() throws IOException {
        List<String> rows = MutatingCalls.EXECUTED_AGAIN.entrySet().stream()
                .map(method -> "| `%s` | %s |".formatted(method.getKey(), method.getValue()))
                .toList();
        assertThat(Files.readString(PAGE) + "\n")
                .contains("| executed again | why |\n| --- | --- |\n" + String.join("\n", rows) + "\n\n");
    }
}
