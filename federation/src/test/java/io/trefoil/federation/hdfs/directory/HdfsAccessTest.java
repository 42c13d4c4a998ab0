/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.TreeNodeAttributes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rights that let in all users that they had let in before, and let none change anything. */
class HdfsAccessTest {

    private static TreeNodeAttributes readOnly(int permission, String... acl) {
        TreeNodeAttributes wanted = TreeNodeAttributes.builder()
                .owner("bob")
                .group("staff")
                .permission(permission)
                .modificationTime(0)
                .acl(List.of(acl))
                .build();
        return HdfsAccess.readOnly(wanted, "hdfs");
    }

    @Test
    void ownerReadsThroughAclAndNoUserWrites() {
        TreeNodeAttributes made = readOnly(01770);

        assertThat(made.owner()).isEqualTo("hdfs");
        assertThat(made.group()).isEqualTo("staff");
        assertThat(made.acl()).containsExactly("group::r-x", "user:bob:r-x");
        assertThat(made.permission()).isEqualTo(0750);
    }

    @Test
    void userExcludedByMaskStaysExcluded() {
        TreeNodeAttributes made = readOnly(0740, "user:carol:rwx", "group::r-x", "default:user:dave:rwx");

        assertThat(made.acl()).containsExactly("user:carol:r--", "group::r--", "user:bob:r-x");
        assertThat(made.permission()).as("with the mask of bob").isEqualTo(0750);
    }

    @Test
    void ownerBitsReplaceAclEntryOfOwner() {
        assertThat(readOnly(0370, "user:bob:rwx", "group::rwx").acl()).containsExactly("group::r-x", "user:bob:--x");
    }

    @Test
    void superuserDirectoryDoesNotNeedAcl() {
        TreeNodeAttributes wanted = TreeNodeAttributes.builder()
                .owner("hdfs")
                .group("staff")
                .permission(0777)
                .modificationTime(0)
                .build();

        TreeNodeAttributes made = HdfsAccess.readOnly(wanted, "hdfs");

        assertThat(made.acl()).isEmpty();
        assertThat(made.permission()).isEqualTo(0755);
    }
}
