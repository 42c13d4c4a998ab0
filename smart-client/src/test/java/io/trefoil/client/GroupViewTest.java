/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GroupViewTest {

    @Test
    void readsWhatANameNodePublishes() {
        GroupView view = GroupView.read(
                """
                {"nameservice":"ns","current":true,"ballot":3,"lock":{"holder":"nn1","epoch":4,"takingOver":false},
                 "members":[{"name":"nn1","state":"ACTIVE","lag":0,"rpc":"h1:8020","http":"h1:9870","pool":"h1:8487"},
                            {"name":"nn2","state":"JUNIOR","reason":"lag \\"big\\" \\u00e4","lag":1e3,"rpc":"h2:8020","http":""}]}
                """);
        assertThat(view)
                .isEqualTo(GroupView.of(
                        "ns",
                        java.util.List.of(
                                GroupView.Member.of("h1:8020", "h1:9870"), GroupView.Member.of("h2:8020", ""))));
    }

    @Test
    void aPageWithoutTheBeanSaysSo() {
        assertThatThrownBy(() -> GroupView.documentIn("{\"beans\":[]}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no bean with a view");
    }

    @Test
    void whatIsNoViewIsRefusedWithThePlace() {
        assertThatThrownBy(() -> GroupView.read("{\"nameservice\":\"ns\""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wanted more at character 19, found the end");
        assertThatThrownBy(() -> GroupView.read("{\"nameservice\":\"ns\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wanted a list, found null");
        assertThatThrownBy(() -> GroupView.read("<html>"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wanted a value at character 0, found '<'");
        assertThatThrownBy(() -> GroupView.read("[".repeat(100)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 64 levels");
    }
}
