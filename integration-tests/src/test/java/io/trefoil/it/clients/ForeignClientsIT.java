/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.clients.ForeignClient.Kind;
import io.trefoil.it.clients.ForeignClient.Protocol;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.NamespaceModel;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients of HDFS in other languages, while the active is killed, stopped, cut off and replaced. Those that know only the address of one
 * standby, which forwards their calls, or that of HttpFS, notice nothing.
 */
@Tag("long")
@NeedsRoot
class ForeignClientsIT {
    /** How often each fault happens. */
    private static final int ROUNDS = Integer.getInteger("trefoil.it.foreign.rounds", 1);

    private static final int CONNECTIONS = Integer.getInteger("trefoil.it.foreign.connections", 16);
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.trefoil";
    private static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);
    /** Calls of each client between two faults. */
    private static final int CALLS = Integer.getInteger("trefoil.it.foreign.calls", 300);

    /** What happens to the active. */
    private enum Fault {
        HANDOVER,
        KILL,
        STOP,
        CUT;

        /** Returns when there is another one: the next, if it is handed over. */
        void inject(HaCluster cluster, NameNodeServer active, NameNodeServer next) {
            switch (this) {
                case HANDOVER -> cluster.failOverTo(next);
                case KILL -> active.kill9();
                case STOP -> active.pause();
                case CUT -> cluster.faults().isolate(active);
            }
            cluster.awaitActiveOtherThan(active);
        }

        void repair(HaCluster cluster, NameNodeServer formerActive) {
            if (this == STOP) {
                formerActive.resume();
            } else if (this == CUT) {
                cluster.faults().reconnect(formerActive);
            }
            formerActive.awaitState(HAServiceState.STANDBY);
        }
    }

    @BeforeAll
    static void install() {
        Path script =
                Path.of(System.getProperty("trefoil.it.clients.directory")).resolveSibling("../bin/foreign-clients");
        System.out.print(Shell.run("'" + script.normalize() + "' 2>/dev/null"));
    }

    private static List<Kind> installed(Protocol protocol) {
        List<Kind> kinds = Arrays.stream(Kind.values())
                .filter(kind -> kind.isInstalled() && kind.speaks(protocol))
                .toList();
        assertThat(kinds).as("clients that bin/foreign-clients installed").isNotEmpty();
        return kinds;
    }

    /** The third NameNode is the door: clients know nothing else. It is active itself now and then. */
    @Test
    void clientsKnowingOneStandbyNoticeNothing() throws Exception {
        HaCluster.builder("foreign-door")
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .property("trefoil.ha.forward-calls", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .run(cluster -> {
                    NameNodeServer door = cluster.nameNode(3);
                    cluster.failOverTo(cluster.nameNode(1));
                    cluster.awaitActiveAndStandbys();
                    assertNothingNoticed(runFaults(
                            cluster, installed(Protocol.RPC), kind -> List.of(address(door)), Optional.of(door)));
                });
    }

    /** HttpFS with our client is all that they know. */
    @Test
    void clientsOfHttpFsNoticeNothing() throws Exception {
        String user = System.getProperty("user.name");
        HaCluster.builder("foreign-http")
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .property("hadoop.proxyuser." + user + ".hosts", "*")
                .property("hadoop.proxyuser." + user + ".groups", "*")
                .property(PROVIDER, SmartFailoverProxyProvider.class.getName())
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    Server httpFs = HttpFs.start(cluster, "httpfs", SmartClientJar.PRESENT, Map.of());
                    assertNothingNoticed(runFaults(
                            cluster,
                            installed(Protocol.HTTP),
                            kind -> List.of(httpFs.address("http")),
                            Optional.empty()));
                });
    }

    private static void assertNothingNoticed(List<ForeignLoad> loads) {
        for (ForeignLoad load : loads) {
            assertThat(load.errorCounts()).as(load.name()).isEmpty();
            assertThat(load.contradictions()).as(load.name()).isEmpty();
        }
    }

    private static String address(NameNodeServer nameNode) {
        return nameNode.rpcAddress().getHostString() + ":"
                + nameNode.rpcAddress().getPort();
    }

    /** Each client loads the cluster through all faults, and is still answered after each. */
    private static List<ForeignLoad> runFaults(
            HaCluster cluster, List<Kind> kinds, Function<Kind, List<String>> knownPaths, Optional<NameNodeServer> door)
            throws Exception {
        Configuration smart = cluster.clientConfiguration();
        smart.set(PROVIDER, SmartFailoverProxyProvider.class.getName());
        ClientProtocol reference = cluster.newFileSystem(smart).getClient().getNamenode();
        List<AutoCloseable> open = new ArrayList<>();
        List<ForeignLoad> loads = new ArrayList<>();
        try {
            for (Kind kind : kinds) {
                ForeignClient client = ForeignClient.start(
                        kind,
                        knownPaths.apply(kind),
                        cluster.layout().dataDirectory(kind.name()).resolveSibling(kind.name() + ".log"));
                open.add(client);
                loads.add(load(kind.toString(), reference, CONNECTIONS, kind.speaks(Protocol.RPC), client::send));
            }
            ForeignLoad gap = load("the smart client", reference, 2, false, (connection, directory, request) -> {
                String path = directory + "/" + request.name();
                return switch (request.kind()) {
                    case MKDIRS -> booleanAnswer(reference.mkdirs(path, WORLD_WRITABLE, false));
                    case DELETE -> booleanAnswer(reference.delete(path, true));
                    case RENAME -> rename(reference, path, directory + "/" + request.otherPath());
                    case READ ->
                        ClientAnswer.found(
                                reference.getFileInfo(path) == null
                                        ? NamespaceModel.NOTHING
                                        : NamespaceModel.DIRECTORY);
                    case CREATE -> throw new IOException("no files");
                };
            });
            open.addAll(loads);
            open.add(gap);
            for (int round = 0; round < ROUNDS; round++) {
                NameNodeServer other = cluster.nameNode(1 + round % 2);
                for (Fault fault : Fault.values()) {
                    NameNodeServer next = fault == Fault.HANDOVER ? door.orElse(cluster.nameNode(3)) : other;
                    runFault(fault, cluster, next, loads, gap);
                    if (door.filter(NameNodeServer::isActive).isPresent()) {
                        // It must not be the next one that is lost.
                        runFault(Fault.HANDOVER, cluster, other, loads, gap);
                    }
                }
            }
            for (ForeignLoad load :
                    Stream.concat(loads.stream(), Stream.of(gap)).toList()) {
                load.stop();
                System.out.printf(
                        "%s: %d calls, %d directories that contradict one execution, errors %s%n",
                        load.name(), load.endedCalls(), load.contradictions().size(), load.errorCounts());
            }
        } finally {
            for (AutoCloseable one : open) {
                one.close();
            }
        }
        return loads;
    }

    private static void runFault(
            Fault fault, HaCluster cluster, NameNodeServer next, List<ForeignLoad> loads, ForeignLoad gap) {
        awaitMore(loads);
        long from = System.nanoTime();
        NameNodeServer active = cluster.awaitActive();
        fault.inject(cluster, active, next);
        awaitMore(loads);
        fault.repair(cluster, active);
        awaitMore(loads);
        long to = System.nanoTime();
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%s of %s, then %s; %s %d ms",
                fault,
                active.name(),
                cluster.awaitActive().name(),
                gap.name(),
                gap.longestCall(from, to).toMillis()));
        for (ForeignLoad load : loads) {
            line.append(String.format(
                    Locale.ROOT,
                    ", %s %d ms",
                    load.name(),
                    load.longestCall(from, to).toMillis()));
        }
        System.out.println(line);
    }

    /** HDFS would move it into a directory of that name. */
    private static ClientAnswer rename(ClientProtocol nameNode, String path, String newPath) throws IOException {
        return nameNode.getFileInfo(newPath) == null ? booleanAnswer(nameNode.rename(path, newPath)) : ClientAnswer.NO;
    }

    private static ClientAnswer booleanAnswer(boolean done) {
        return done ? ClientAnswer.YES : ClientAnswer.NO;
    }

    private static ForeignLoad load(
            String name, ClientProtocol operator, int connections, boolean files, ForeignLoad.Executor client)
            throws IOException {
        String root = "/" + name.replaceAll("[^a-z0-9]+", "-");
        operator.mkdirs(root, WORLD_WRITABLE, true);
        for (int i = 0; i < connections; i++) {
            operator.mkdirs(root + "/" + i, WORLD_WRITABLE, true);
            operator.setPermission(root + "/" + i, WORLD_WRITABLE);
        }
        return new ForeignLoad(name, root, connections, files, client);
    }

    private static void awaitMore(List<ForeignLoad> loads) {
        long[] goals =
                loads.stream().mapToLong(load -> load.endedCalls() + CALLS).toArray();
        for (int i = 0; i < goals.length; i++) {
            ForeignLoad load = loads.get(i);
            long goal = goals[i];
            await(load.name()).atMost(Await.TIMEOUT).until(() -> load.endedCalls() >= goal);
        }
    }
}
