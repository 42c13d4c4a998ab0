/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.gate.Change;
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
        assertThat(web("PUT", "/a/b/x?op=MKDIRS")).isEqualTo(403);
        assertThat(web("PUT", "/a/c?op=RENAME&Destination=%2Fa%2Fb%2Fc")).isEqualTo(403);
        assertThat(web("DELETE", "/a?op=DELETE&recursive=true")).isEqualTo(403);
        assertThat(web("PUT", "/?op=REMOVEXATTR&xattr.name=" + FrozenMark.PREFIX + MOVE))
                .isEqualTo(403);
        assertThat(web("GET", "/a/b?op=GETFILESTATUS")).isEqualTo(200);
        assertThat(web("PUT", "/a/c?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b/x")).isFalse();
        thaw(active);
        assertThat(web("PUT", "/a/b/x?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b/x")).isTrue();
    }

    /** Hadoop 3.5 leaves out what follows a semicolon; and WebHDFS takes no notice of its own prefix but for its length. */
    @Test
    void webHdfsPathParametersCannotBypassFreeze() throws Exception {
        freeze(active, LONG);
        assertThat(web("PUT", "/a/b;x/y?op=MKDIRS")).isEqualTo(403);
        assertThat(web("PUT", "/a;x=1/b;y/z?op=MKDIRS")).isEqualTo(403);
        assertThat(web("DELETE", "/a;x?op=DELETE&recursive=true")).isEqualTo(403);
        assertThat(page("PUT", "/webhdfs;/v1/a/b/w?op=MKDIRS")).isNotEqualTo(200);
        // The semicolon of a name.
        assertThat(web("PUT", "/a/b%3Bx?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b;x")).isTrue();
        for (String path : new String[] {"/a/b/y", "/a/b/z", "/a/b/w"}) {
            assertThat(isThere(active, path)).as(path).isFalse();
        }
        thaw(active);
        assertThat(web("PUT", "/a/b;x/y?op=MKDIRS")).isEqualTo(200);
        assertThat(isThere(active, "/a/b/y") || isThere(active, "/a/b;x/y")).isTrue();
    }

    @Test
    void fsckDeletesNothingInFrozenSubtree() throws Exception {
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(200);
        freeze(active, LONG);
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(503);
        assertThat(page("GET", "/fsck?move=1")).isEqualTo(503);
        assertThat(page("GET", "/fsck?path=/a/b/x&move=1")).isEqualTo(503);
        assertThat(page("GET", "/fsck?path=/a/b")).isEqualTo(200);
        thaw(active);
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(200);
    }

    /** It may not know all marks, and could be active when HDFS looks whether it is. */
    @Test
    void nonActiveExecutesNoWebOrFsckCalls() throws Exception {
        Change change = Change.of(List.of("/a/c"), Optional.empty());
        try (InFlightChanges.Admission admission = gate.admit(() -> change)) {
            assertThat(gate.refusal(admission)).isEmpty();
            TestNameNodes.makeStandby(active);
            assertThat(gate.refusal(admission)).get().isInstanceOf(StandbyException.class);
        }
        assertThat(page("GET", "/fsck?path=/a/b&delete=1")).isEqualTo(503);
        assertThat(web("PUT", "/a/c?op=MKDIRS")).isEqualTo(403);
    }
}
