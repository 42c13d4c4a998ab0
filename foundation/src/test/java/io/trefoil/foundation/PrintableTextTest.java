/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {

    @Test
    void escapesLineBreaksAndCursorControls() {
        assertThat(PrintableText.of("NONE\r\n2026-01-01 INFO all is well\u001b[2J\u2028\u202e\u0085"))
                .isEqualTo("NONE\\u000d\\u000a2026-01-01 INFO all is well\\u001b[2J\\u2028\\u202e\\u0085");
    }

    @Test
    void keepsOrdinaryText() {
        assertThat(PrintableText.of("nn1.example.com ü 漢 \\ '\"")).isEqualTo("nn1.example.com ü 漢 \\ '\"");
    }
}
