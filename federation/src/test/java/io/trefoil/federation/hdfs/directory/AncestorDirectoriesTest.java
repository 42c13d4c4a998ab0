/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.move.MoveLock;
import io.trefoil.federation.move.TreeNodeAttributes;
import io.trefoil.federation.table.SubtreePath;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.Test;

/** A move that has lost its lock makes no directory above its subtree, and removes none. */
class AncestorDirectoriesTest {

    private final List<String> calls = new ArrayList<>();

    private final ClientProtocol guarded = MoveLock.guarded(
            fake(ClientProtocol.class, (proxy, method, arguments) -> {
                calls.add(method.getName());
                return method.getReturnType() == boolean.class ? false : null;
            }),
            () -> {
                throw new IOException("another has it");
            });

    private final HdfsAccess access = new HdfsAccess(URI.create("hdfs://ns2"), guarded);

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void refusesToMakeDirectoryWithoutLock() {
        TreeNodeAttributes wanted = TreeNodeAttributes.builder()
                .owner("hdfs")
                .group("staff")
                .permission(0755)
                .modificationTime(0)
                .build();

        assertThatThrownBy(() -> access.mkdirIfMissing("/above", wanted)).hasMessage("another has it");

        assertThat(calls).isEmpty();
    }

    @Test
    void refusesToRemoveDirectoryWithoutLock() {
        AncestorDirectories above = AncestorDirectories.withSameAccess(new DistributedFileSystem(), guarded, access);

        assertThatThrownBy(() -> above.deleteDrafts(SubtreePath.parse("/above/subtree")))
                .hasMessage("another has it");

        assertThat(calls).isEmpty();
    }
}
