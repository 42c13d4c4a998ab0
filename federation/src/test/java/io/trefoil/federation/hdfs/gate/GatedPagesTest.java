/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.gate.AccessedPaths;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

/** What NameNodes execute beside their RPC in a freeze: WebHDFS and {@code fsck}. */
class GatedPagesTest extends GateFixture {
    @Test
    void webHdfsClientIsToldToRetry() throws Exception {
        freeze(active, LONG);
        assertThat(requestWebHdfs("PUT", "/a/b/x?op=MKDIRS")).isEqualTo(403);
        assertThat(requestWebHdfs("PUT", "/a/c?op=RENAME&Destination=%2Fa%2Fb%2Fc"))
                .isEqualTo(403);
        assertThat(requestWebHdfs("DELETE", "/a?op=DELETE&recursive=true")).isEqualTo(403);
        assertThat(requestWebHdfs("PUT", "/?op=REMOVEXATTR&xattr.name=" + FrozenMark.PREFIX + MOVE))
                .isEqualTo(403);
        assertThat(requestWebHdfs("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(200);
        assertThat(requestWebHdfs("PUT", "/a/c?op=MKDIRS")).isEqualTo(200);
        assertThat(exists(active, "/a/b/x")).isFalse();
        unfreeze(active);
        assertThat(requestWebHdfs("PUT", "/a/b/x?op=MKDIRS")).isEqualTo(200);
        assertThat(exists(active, "/a/b/x")).isTrue();
    }

    /** Hadoop 3.5 leaves out what follows a semicolon; and WebHDFS takes no notice of its own prefix but for its length. */
    @Test
    void webHdfsPathParametersCannotBypassFreeze() throws Exception {
        freeze(active, LONG);
        assertThat(requestWebHdfs("PUT", "/a/b;x/y?op=MKDIRS")).isEqualTo(403);
        assertThat(requestWebHdfs("PUT", "/a;x=1/b;y/z?op=MKDIRS")).isEqualTo(403);
        assertThat(requestWebHdfs("DELETE", "/a;x?op=DELETE&recursive=true")).isEqualTo(403);
        assertThat(requestPage("PUT", "/webhdfs;/v1/a/b/w?op=MKDIRS")).isNotEqualTo(200);
        // The semicolon of a name.
        assertThat(requestWebHdfs("PUT", "/a/b%3Bx?op=MKDIRS")).isEqualTo(200);
        assertThat(exists(active, "/a/b;x")).isTrue();
        for (String path : new String[] {"/a/b/y", "/a/b/z", "/a/b/w"}) {
            assertThat(exists(active, path)).as(path).isFalse();
        }
        unfreeze(active);
        assertThat(requestWebHdfs("PUT", "/a/b;x/y?op=MKDIRS")).isEqualTo(200);
        assertThat(exists(active, "/a/b/y") || exists(active, "/a/b;x/y")).isTrue();
    }

    @Test
    void fsckDeletesNothingInFrozenSubtree() throws Exception {
        assertThat(requestPage("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(200);
        freeze(active, LONG);
        assertThat(requestPage("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(503);
        assertThat(requestPage("GET", "/fsck?move=1")).isEqualTo(503);
        assertThat(requestPage("GET", "/fsck?path=/a/b/x&move=1")).isEqualTo(503);
        assertThat(requestPage("GET", "/fsck?path=/a/b")).isEqualTo(200);
        unfreeze(active);
        assertThat(requestPage("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(200);
    }

    /** It may not know all marks, and could be active when HDFS looks whether it is. */
    @Test
    void standbyRejectsWebAndFsckCalls() throws Exception {
        AccessedPaths callPaths = AccessedPaths.of(List.of("/a/c"), Optional.empty());
        try (InFlightChanges.Admission admission = gate.admit(() -> callPaths)) {
            assertThat(gate.refusal(admission)).isEmpty();
            TestNameNodes.makeStandby(active);
            assertThat(gate.refusal(admission)).get().isInstanceOf(StandbyException.class);
        }
        assertThat(requestPage("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(503);
        assertThat(requestWebHdfs("PUT", "/a/c?op=MKDIRS")).isEqualTo(403);
    }
}
