/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class GroupBeanTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** HDFS has begun to serve, and starts its plugins next. */
    private static GroupBean beanBeforePluginStart(GroupBean.ConfPage conf) throws IOException {
        return GroupBean.of(
                name -> JSON.readTree(name.endsWith("NameNodeStatus") ? "[{\"State\":\"standby\"}]" : "[]"), conf);
    }

    @Test
    void nameNodeReportsStartingUntilAgentRuns() throws IOException {
        GroupBean bean = beanBeforePluginStart(name ->
                "<property><name>" + name + "</name><value>a.B,io.trefoil.ha.hdfs.MamsPlugin</value></property>");

        assertThat(bean.isStarting()).isTrue();
        assertThat(bean.bean().path("Reason").asText()).isEqualTo("its plugins start");
    }

    @Test
    void nameNodeWithoutConfiguredAgentHasNone() throws IOException {
        GroupBean bean = beanBeforePluginStart(name -> {
            throw new FileNotFoundException("Property " + name + " not found");
        });

        assertThat(bean.isStarting()).isFalse();
        assertThat(bean.failureReason())
                .isEqualTo("runs without automatic failover by Trefoil, and HDFS calls it standby");
    }
}
