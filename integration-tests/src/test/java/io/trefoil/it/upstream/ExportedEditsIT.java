/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.journal.hdfs.edits.EditsExport;
import io.trefoil.journal.model.SegmentInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pool holds exactly the edits that HDFS itself writes, and HDFS's viewer reads them. */
@Tag("long")
class ExportedEditsIT {

    @Test
    void exportedSegmentsMatchLocalEditsAndStockViewerReadsThem() throws Exception {
        HaCluster.builder("export").nameNodes(2).journal(JournalKind.ssp()).run(cluster -> {
            WriteLoad.makeSome(cluster, "/first");
            cluster.dfsadmin("-rollEdits").expectSuccess();
            WriteLoad.makeSome(cluster, "/second");
            cluster.dfsadmin("-rollEdits").expectSuccess();

            ClusterEdits edits = new ClusterEdits(cluster);
            List<SegmentInfo> finished =
                    edits.segments().stream().filter(SegmentInfo::finalized).toList();
            assertThat(finished).hasSizeGreaterThanOrEqualTo(2);
            for (SegmentInfo segment : finished) {
                assertSameAsLocal(cluster, edits, segment);
            }
        });
    }

    private static void assertSameAsLocal(HaCluster cluster, ClusterEdits edits, SegmentInfo segment)
            throws IOException {
        Path exports = cluster.layout().dataDirectory("exports");
        Path exported = edits.exportTo(exports, segment);
        // The active keeps a second copy in its own directory unless it is told not to.
        Path local = cluster.nameNode(1).imageDirectory().resolve(EditsExport.fileName(segment));

        assertThat(exported).hasSameBinaryContentAs(local);
        String asXml = printEdits(cluster, exported);
        assertThat(asXml).isEqualTo(printEdits(cluster, local));
        assertThat(asXml).contains("<TXID>" + segment.txIds().last() + "</TXID>");
    }

    private static String printEdits(HaCluster cluster, Path edits) throws IOException {
        Path xml = Files.createTempFile(cluster.layout().dataDirectory("exports"), "edits", ".xml");
        cluster.oev("-i", edits.toString(), "-o", xml.toString()).expectSuccess();
        return Files.readString(xml);
    }
}
