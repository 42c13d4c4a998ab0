/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;

class ZkAclsTest {

    private static List<String> wider(String configured, String ofNode) {
        List<ACL> acls = ZkAcls.parse(ofNode).getDefaultAcl();
        return ZkAcls.parse(configured).describeExcess(acls);
    }

    @Test
    void reportsWiderAccessByEntryAndPermission() {
        assertThat(wider("sasl:nn:cdrwa", "sasl:nn:cdrwa")).isEmpty();
        assertThat(wider("sasl:nn:cdrwa", "sasl:nn:r")).isEmpty();
        assertThat(wider("sasl:nn:rw", "sasl:nn:cdrwa")).containsExactly("sasl:nn:cda");
        assertThat(wider("sasl:nn:cdrwa", "world:anyone:r,sasl:nn:cdrwa,digest:eve:x=:cw"))
                .containsExactly("world:anyone:r", "digest:eve:x=:cw");
        assertThat(wider("sasl:nn:rw,sasl:nn:cda", "sasl:nn:cdrwa")).isEmpty();
    }

    @Test
    void worldEntryCoversAllIdentities() {
        assertThat(wider("world:anyone:cdrwa", "world:anyone:cdrwa,sasl:nn:cdrwa"))
                .isEmpty();
        assertThat(wider("world:anyone:r", "sasl:nn:rw")).containsExactly("sasl:nn:w");
    }

    @Test
    void creatorEntryCoversOnlyAuthenticatedIdentities() {
        assertThat(wider("auth::cdrwa", "digest:nn:x=:cdrwa")).isEmpty();
        assertThat(wider("auth::cdrwa", "world:anyone:cdrwa")).containsExactly("world:anyone:cdrwa");
        assertThat(wider("auth::cdrwa", "ip:10.0.0.1:w")).containsExactly("ip:10.0.0.1:w");
    }

    @Test
    void letAnyoneChangeDetectsWorldWritePermission() {
        assertThat(ZkAcls.parse("world:anyone:rwcda").isWorldWritable()).isTrue();
        assertThat(ZkAcls.parse("sasl:nn:cdrwa,world:anyone:d").isWorldWritable())
                .isTrue();
        assertThat(ZkAcls.parse("sasl:nn:cdrwa,world:anyone:r").isWorldWritable())
                .isFalse();
    }

    @Test
    void rejectsMalformedAcl() {
        assertThatThrownBy(() -> ZkAcls.parse("anyone")).hasMessageContaining("scheme:id:permissions");
        assertThatThrownBy(() -> ZkAcls.parse("world:anyone:rx")).hasMessageContaining("found 'rx'");
    }
}
