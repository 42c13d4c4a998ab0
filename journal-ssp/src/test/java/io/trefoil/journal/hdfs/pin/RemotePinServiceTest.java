/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.hdfs.JournalProvider;
import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;
import org.junit.jupiter.api.Test;

/** Whom orders about pins are sent to, in which words, and what is said if no NameNode answers. */
class RemotePinServiceTest {
    private static final String JOURNAL = "ssp://127.0.0.1:8487/ns1";

    @Test
    void queriesLikelyActiveFirst() {
        AtomicReference<Optional<String>> active = new AtomicReference<>(Optional.of("ns1.nn3"));
        JournalId journal = PoolUri.parse(URI.create(JOURNAL), conf()).journal();
        PinService pins = RemotePinService.of(
                conf(),
                journal,
                (shared, resolved) -> JournalProvider.isJournal(journal, shared, resolved),
                Duration.ofSeconds(5),
                active::get);

        assertThat(queriedNameNodes(pins)).containsExactly("ns1.nn3", "ns1.nn1", "ns1.nn2");
        active.set(Optional.of("ns1.unknown"));
        assertThat(queriedNameNodes(pins)).containsExactly("ns1.nn1", "ns1.nn2", "ns1.nn3");
        active.set(Optional.empty());
        assertThat(queriedNameNodes(pins)).containsExactly("ns1.nn1", "ns1.nn2", "ns1.nn3");
    }

    /** A NameNode that is being renewed and the one that writes may be of two versions, as may the command. */
    @Test
    void ordersOfAllReleasesAreTaken() throws IOException {
        FakeJournal journal = new FakeJournal("ns1");
        journal.format(NamespaceId.of("CID-1", 1), StorageRecord.Version.of(-67, 0), false);
        JournalWriter writer = journal.openWriter(1);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        writer.append(EntryKind.EDITS, TxRange.of(1, 100), Bytes.ofUtf8("edits"));
        StringBuilder orders = new StringBuilder();
        Server server = serve(orders);
        try (PinRegistry registry = PinRegistry.start(journal, journal::barriers, new Configuration(false))) {
            Configuration conf = conf();
            conf.set("dfs.namenode.rpc-address.ns1.nn1", "127.0.0.1:" + server.getPort());
            PinService pins = RemotePinService.of(conf, journal.id(), Duration.ofSeconds(30));
            pins.pin(50, 31, Optional.of(Duration.ofMinutes(1)));
            pins.pin(40, 31, Optional.empty());
            pins.unpin("pin-50");
            pins.unpin("pin-40");
            pins.pinForRenewal("nn2", 10, Duration.ofHours(1));
            pins.unpinAfterRenewal("nn2");
            GoldenFiles golden = GoldenFiles.forCurrentModule();
            golden.assertMatchesNewestRelease("orders/pins", orders.toString());

            for (String release : golden.readAllReleasesAsText("orders/pins").values()) {
                for (String line : release.split("\n")) {
                    String[] arguments = line.split("\t", -1);
                    assertThat(dispatch(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length)))
                            .as(line)
                            .allMatch(response -> response.getReturnCode() == 0);
                }
                assertThat(journal.barriers().list())
                        .as("taken as pinned, and released")
                        .isEmpty();
            }
        } finally {
            server.stop();
        }
    }

    private static Collection<RefreshResponse> dispatch(String identifier, String... arguments) {
        return RefreshRegistry.defaultRegistry().dispatch(identifier, arguments);
    }

    /** The port of a NameNode, which notes what arrives. */
    private static Server serve(StringBuilder orders) throws IOException {
        Configuration conf = new Configuration(false);
        RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
        GenericRefreshProtocol port = (identifier, words) -> {
            orders.append(identifier)
                    .append('\t')
                    .append(String.join("\t", words))
                    .append('\n');
            return dispatch(identifier, words);
        };
        Server server = new RPC.Builder(conf)
                .setProtocol(GenericRefreshProtocolPB.class)
                .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(
                        new GenericRefreshProtocolServerSideTranslatorPB(port)))
                .setBindAddress("127.0.0.1")
                .setPort(TestPorts.free())
                .build();
        server.start();
        return server;
    }

    private static List<String> queriedNameNodes(PinService pins) {
        Throwable nobody = catchThrowable(() -> pins.unpinAfterRenewal("nn2"));
        return Pattern.compile("^(ns1[.]\\w+): ", Pattern.MULTILINE)
                .matcher(nobody.getMessage())
                .results()
                .map(line -> line.group(1))
                .toList();
    }

    private static Configuration conf() {
        Configuration conf = new Configuration(false);
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2,nn3");
        conf.set("dfs.namenode.shared.edits.dir", JOURNAL);
        for (int i = 1; i <= 3; i++) {
            // No process listens there.
            conf.set("dfs.namenode.rpc-address.ns1.nn" + i, "127.0.0.1:" + i);
        }
        return conf;
    }
}
