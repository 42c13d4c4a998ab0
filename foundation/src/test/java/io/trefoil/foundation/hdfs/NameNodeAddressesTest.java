/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.junit.jupiter.api.Test;

class NameNodeAddressesTest {
    private final Configuration conf = new Configuration(false);

    @Test
    void addressesMatchHdfs() {
        conf.set("dfs.nameservices", "ns2, ns1,ns3");
        conf.set("dfs.ha.namenodes.ns1", "nn2,nn1,nn3");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", " localhost:8020 ");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "127.0.0.2:8021");
        conf.set("dfs.namenode.rpc-address.ns2", "hdfs://localhost:8022");
        conf.set("dfs.namenode.rpc-address", "localhost:1");

        assertThat(NameNodeAddresses.rpcAddresses(conf).toString().replace("/<unresolved>", ""))
                .isEqualTo(DFSUtilClient.getHaNnRpcAddresses(conf)
                        .toString()
                        .replace("/127.0.0.1", "")
                        .replace("/127.0.0.2", "127.0.0.2"))
                .isEqualTo("{ns2={null=localhost:8022}, ns1={nn2=127.0.0.2:8021, nn1=localhost:8020}}");
    }

    @Test
    void nameNodesAreHighlyAvailableAsInHdfs() {
        conf.set("dfs.nameservices", "ns1,ns2");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "localhost:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "localhost:8021");
        conf.set("dfs.namenode.rpc-address.ns2", "localhost:8022");

        assertThat(List.of("ns1", "ns2", "ns3"))
                .allSatisfy(name -> assertThat(NameNodeAddresses.isHighlyAvailable(conf, name))
                        .isEqualTo(HAUtil.isHAEnabled(conf, name))
                        .isEqualTo(name.equals("ns1")));
    }

    @Test
    void nameNodeWithoutHaHasNoName() {
        conf.set("dfs.namenode.rpc-address", "localhost:8020");

        assertThat(NameNodeAddresses.rpcAddresses(conf, null)).hasToString("{null=localhost/<unresolved>:8020}");
    }

    @Test
    void addressIsLeftUnresolved() {
        conf.set("dfs.namenode.rpc-address", "localhost:8020");

        assertThat(NameNodeAddresses.rpcAddresses(conf, null).values())
                .singleElement()
                .matches(InetSocketAddress::isUnresolved);
    }

    @Test
    void namesPropertyWhenAddressIsWrong() {
        for (String wrong : List.of("host1", "host 1:8020", ":8020", "host1:port")) {
            conf.set("dfs.namenode.rpc-address", wrong);

            assertThatThrownBy(() -> NameNodeAddresses.rpcAddresses(conf))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("dfs.namenode.rpc-address is '" + wrong + "', wanted host:port");
        }
    }
}
