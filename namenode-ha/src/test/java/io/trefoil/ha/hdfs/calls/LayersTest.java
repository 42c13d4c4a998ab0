/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.hdfs.calls.ClientCalls.Layer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.Test;

/** What stands before what around HDFS's answers. */
class LayersTest {
    private final List<String> passed = new ArrayList<>();

    /** A write by the service port would otherwise be answered before the sites that are read from have it. */
    @Test
    void callPassesLayersInOrderAndHoldsAnswersAtPorts() throws Exception {
        ClientCalls.Layers layers = new ClientCalls.Layers();
        List<Layer> named = new ArrayList<>(List.of(Layer.values()));
        Collections.reverse(named);
        named.forEach(layer -> layers.add(layer, inner -> recordingLayer(layer.name(), inner)));
        Map<Layer, BlockingService> calls = layers.wrap(recordingLayer("HDFS", null));

        calls.get(Layer.NAMES).callBlockingMethod(null, null, null);
        assertThat(passed)
                .containsExactly(
                        "NAMES",
                        "FORWARDING",
                        "ROLE",
                        "READS_AHEAD",
                        "LEASE",
                        "GATE",
                        "HELD_ANSWERS",
                        "ADMISSION",
                        "HDFS");

        passed.clear();
        calls.get(Layer.GATE).callBlockingMethod(null, null, null);
        assertThat(passed).containsExactly("GATE", "HELD_ANSWERS", "ADMISSION", "HDFS");
    }

    @Test
    void omitsUnregisteredLayers() throws Exception {
        ClientCalls.Layers layers = new ClientCalls.Layers();
        layers.add(Layer.FORWARDING, inner -> recordingLayer("FORWARDING", inner));
        Map<Layer, BlockingService> calls = layers.wrap(recordingLayer("HDFS", null));

        calls.get(Layer.NAMES).callBlockingMethod(null, null, null);
        calls.get(Layer.GATE).callBlockingMethod(null, null, null);

        assertThat(passed).containsExactly("FORWARDING", "HDFS", "HDFS");
    }

    private BlockingService recordingLayer(String name, BlockingService inner) {
        return new ClientCalls(inner) {
            @Override
            public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                    throws ServiceException {
                passed.add(name);
                return inner == null ? null : inner.callBlockingMethod(method, controller, request);
            }
        };
    }
}
