/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.directory.SlicedDeleter;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.Test;

/** A large subtree is not deleted in one call, for which all other clients of that NameNode wait. */
class SlicedDeleterTest extends SubtreeMoveFixture {
    private static final int DEEP = 30;

    /** How many files and directories each deletion concerned. */
    private final List<Long> deletions = new ArrayList<>();

    private ClientProtocol countingClient() {
        ClientProtocol nameNode = first.getClient().getNamenode();
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("delete")) {
                        ContentSummary all = nameNode.getContentSummary((String) arguments[0]);
                        deletions.add(all.getFileCount() + all.getDirectoryCount());
                    }
                    try {
                        return method.invoke(nameNode, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void makeFiles() throws IOException {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < DEEP; i++) {
            files.add("a/b/c" + i % 6 + "/f" + i);
            files.add("flat/f" + i);
        }
        first.mkdirs(pathOf(""));
        federation.makeFiles("ns1", path.text(), files);
    }

    @Test
    void deletesTreeOneSlicePerCallUntilEmpty() throws Exception {
        makeFiles();
        List<Integer> slices = new ArrayList<>();
        long total = 2 * DEEP + 10;

        new SlicedDeleter(countingClient(), () -> {}, () -> slices.add(deletions.size()), total, 12)
                .deleteContents(path.text());

        assertThat(first.listStatus(pathOf(""))).isEmpty();
        assertThat(deletions).allMatch(size -> size <= 12).contains(6L);
        assertThat(slices).hasSizeBetween(4, 6);
    }

    @Test
    void smallSubtreeIsDeletedWithOneCallPerName() throws Exception {
        makeFiles();

        new SlicedDeleter(countingClient(), () -> {}, () -> {}, 100, 1_000).deleteContents(path.text());

        assertThat(deletions).hasSize(2);
    }

    @Test
    void deletionEndsBeforeItChangesAnythingWithoutPermit() throws Exception {
        makeFiles();
        SlicedDeleter deletion = new SlicedDeleter(
                countingClient(),
                () -> {
                    throw new IOException("no lock");
                },
                () -> {},
                100,
                10);

        assertThatThrownBy(() -> deletion.deleteContents(path.text())).hasMessage("no lock");

        assertThat(deletions).isEmpty();
    }

    /** HDFS frees what was deleted with the snapshot that has it. */
    @Test
    void sourceIsDeletedInSlicesBeforeItsSnapshots() throws Exception {
        federation.enableGate("ns1");
        makeFiles();
        List<Integer> names = new ArrayList<>();
        federation.runBefore(
                "renameSnapshot",
                () -> names.add(federation
                        .rpcCalls("ns1")
                        .getListing(path + "/.snapshot", new byte[0], false)
                        .getPartialListing()
                        .length));

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(names).as("snapshots after the first slice").containsExactly(1);
        assertThat(first.getFileStatus(pathOf("")).isSnapshotEnabled()).isFalse();
        assertThat(second.getContentSummary(pathOf("")).getFileCount()).isEqualTo(2 * DEEP);
    }
}
