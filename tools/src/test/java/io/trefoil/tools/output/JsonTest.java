/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void writesEveryAllowedType() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("text", "a \"b\" \\ \n");
        object.put("list", Arrays.asList(1L, true, null));
        object.put("nothing", List.of());
        object.put("empty", Map.of());

        assertThat(Json.text(object))
                .isEqualTo(
                        """
                        {
                          "text": "a \\"b\\" \\\\ \\n",
                          "list": [
                            1,
                            true,
                            null
                          ],
                          "nothing": [ ],
                          "empty": { }
                        }
                        """);
    }

    @Test
    void refusesOtherTypes() {
        assertThatThrownBy(() -> Json.text(Map.of("thread", Thread.currentThread())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
