/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A process with three pool nodes, known by names that are gone in the middle, or from the beginning. */
final class VanishingNamesProcess {
    private static final JournalId JOURNAL = ThreePoolNodes.JOURNAL;

    private final Path directory;
    private final List<NodeAddress> addresses = new ArrayList<>();
    private final PoolNode[] nodes = new PoolNode[3];
    private final PoolJournal[] journals = new PoolJournal[3];

    private VanishingNamesProcess(Path directory) {
        this.directory = directory;
    }

    /** @param arguments the directory, the file of names, "middle" or "beginning", and three ports */
    public static void main(String[] arguments) throws Exception {
        VanishingNamesProcess pool = new VanishingNamesProcess(Path.of(arguments[0]));
        for (int i = 0; i < 3; i++) {
            pool.addresses.add(NodeAddress.of("n" + i + ".test", Integer.parseInt(arguments[3 + i])));
        }
        for (int i = 0; i < 3; i++) {
            pool.start(i);
        }
        if (arguments[2].equals("middle")) {
            pool.vanishWhileRunning(Path.of(arguments[1]));
        } else {
            JournalWriter writer = pool.journals[2].openWriter(3);
            ThreePoolNodes.startSegment(writer, 5);
        }
        System.out.println("done");
        Runtime.getRuntime().halt(0);
    }

    private void vanishWhileRunning(Path names) throws IOException {
        journals[0].format(ThreePoolNodes.NAMESPACE, ThreePoolNodes.VERSION, false);
        JournalWriter writer = journals[0].openWriter(3);
        ThreePoolNodes.startSegment(writer, 1);
        ThreePoolNodes.write(writer, 1, 1);
        await().until(() -> areKept(0) && areKept(1) && areKept(2));
        Files.writeString(names, "");
        for (int i = 1; i < 3; i++) {
            journals[i].close();
            nodes[i].close();
            start(i);
        }
        ThreePoolNodes.write(writer, 2, 3);
        journals[0].close();
        JournalWriter second = journals[1].openWriter(3);
        ThreePoolNodes.startSegment(second, 5);
    }

    private boolean areKept(int i) throws IOException {
        Path kept = directory.resolve("node" + i).resolve("known.hosts");
        return Files.exists(kept) && Files.readAllLines(kept).size() == 4;
    }

    private void start(int i) throws IOException {
        NodeSettings node = NodeSettings.builder()
                .address(addresses.get(i))
                .bindHost("127.0.0.1")
                .access(AccessSettings.of(Set.of("n0.test", "n1.test", "n2.test"), Networks.NONE, Networks.NONE))
                .directory(directory.resolve("node" + i))
                .journalsToJoin(Map.of(JOURNAL, addresses))
                .build();
        nodes[i] = PoolNode.start(node);
        journals[i] = new PoolJournal(
                ThreePoolNodes.settingsNaming(addresses).node(node).build(), Optional.of(nodes[i]), PoolObserver.NONE);
    }
}
