/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.client.hdfs.SubtreeFs;
import io.trefoil.federation.hdfs.datanode.BlockLinkPlugin;
import io.trefoil.federation.hdfs.gate.GatedCalls;
import io.trefoil.federation.hdfs.gate.SubtreeGate;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.foundation.TestPorts;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetEditsFromTxidResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetQuotaUsageRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetQuotaUsageResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.QuotaUsageProto;
import org.apache.hadoop.hdfs.protocol.proto.InotifyProtos.EventsListProto;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.HeldReports;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Stock NameNodes of two nameservices and DataNodes of both, inside the JVM of a test. They freeze nothing, unless a test wants it. */
public final class StockFederation implements AutoCloseable {

    private static final List<String> NAMES = List.of("ns1", "ns2");
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static StockFederation shared;

    private final Path directory;
    private final Map<String, Integer> ports = new HashMap<>();
    private final Map<String, NameNode> nameNodes = new TreeMap<>();
    private final Map<String, SubtreeGate> gates = new TreeMap<>();
    private final Set<String> counted = ConcurrentHashMap.newKeySet();
    private final Map<String, Action> actions = new ConcurrentHashMap<>();
    private final Set<String> hidden = ConcurrentHashMap.newKeySet();
    private final AtomicLong aheadMillis = new AtomicLong();
    private boolean isWithoutPages;
    private final Map<Integer, DataNode> dataNodes = new TreeMap<>();
    private final Map<String, String> settings = new TreeMap<>();

    private StockFederation(Path directory) throws IOException {
        this.directory = directory;
        for (String name : NAMES) {
            ports.put(name, TestPorts.free());
        }
    }

    /** The one for all test classes of this JVM that keep to directories and tables of their own. It ends with the JVM. */
    public static synchronized StockFederation shared() throws IOException {
        if (shared == null) {
            Path directory = Files.createTempDirectory("federation");
            // Closing it would remove hooks of Hadoop's, which cannot be done any more by then.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(directory.toFile())));
            shared = start(directory);
        }
        return shared;
    }

    public static StockFederation start(Path directory) throws IOException {
        return start(directory, 1, Map.of());
    }

    /** @param settings of all, beside those of every federation; {@code ns2/KEY} of that nameservice's NameNode alone */
    public static StockFederation start(Path directory, int dataNodes, Map<String, String> settings)
            throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        // The power of a test is not cut.
        EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
        // What Hadoop keeps of an earlier federation in this process has the same names, and no server answers it any
        // more.
        FileSystem.closeAll();
        StockFederation federation = new StockFederation(directory);
        federation.settings.putAll(settings);
        for (String name : NAMES) {
            federation.startNameNode(name);
        }
        for (int number = 0; number < dataNodes; number++) {
            federation.startDataNode(number);
        }
        return federation;
    }

    /** What clients have. */
    public Configuration clientConfiguration() {
        Configuration conf = new HdfsConfiguration();
        conf.set("dfs.nameservices", String.join(",", NAMES));
        for (String name : NAMES) {
            conf.set("dfs.ha.namenodes." + name, "nn1");
            conf.set("dfs.namenode.rpc-address." + name + ".nn1", "localhost:" + ports.get(name));
            if (nameNodes.containsKey(name) && !isWithoutPages) {
                conf.set(
                        "dfs.namenode.http-address." + name + ".nn1",
                        "localhost:" + nameNodes.get(name).getHttpAddress().getPort());
            }
            conf.set("dfs.client.failover.proxy.provider." + name, ConfiguredFailoverProxyProvider.class.getName());
        }
        conf.setInt("dfs.replication", 1);
        // Nothing is to wait for 400 ms until it asks again.
        conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
        conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
        settings.forEach(conf::set);
        return conf;
    }

    /** What clients of a table have that is kept in this directory, {@code hdfs://ns1/…}. */
    public Configuration tableClientConfiguration(String directory) {
        Configuration conf = clientConfiguration();
        conf.set("fs.viewfs.mounttable.path", directory);
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        conf.set("fs.AbstractFileSystem.hdfs.impl", SubtreeFs.class.getName());
        // Longer than any test: what is noticed is noticed by the calls themselves.
        conf.set("dfs.federation.router.cache.ttl", "1h");
        return conf;
    }

    private void startNameNode(String name) throws IOException {
        Configuration conf = clientConfiguration();
        conf.set("fs.defaultFS", "hdfs://" + name);
        conf.set("dfs.nameservice.id", name);
        conf.set("dfs.ha.namenode.id", "nn1");
        conf.set("dfs.namenode.http-address." + name + ".nn1", "localhost:0");
        conf.set("dfs.namenode.name.dir", directory.resolve(name).toUri().toString());
        conf.set("dfs.namenode.safemode.extension", "0");
        settingsOf(name).forEach(conf::set);
        // A DataNode serves nameservices of one cluster.
        StartupOption.FORMAT.setClusterId("federation");
        NameNode.format(conf);
        nameNodes.put(name, NameNode.createNameNode(new String[0], conf));
    }

    private Map<String, String> settingsOf(String name) {
        Map<String, String> itsOwn = new TreeMap<>();
        settings.forEach((key, value) -> {
            if (key.startsWith(name + "/")) {
                itsOwn.put(key.substring(name.length() + 1), value);
            }
        });
        return itsOwn;
    }

    /** Starts a DataNode, with what it had on its disk before. */
    public void startDataNode(int number) throws IOException {
        startDataNode(number, Map.of());
    }

    /** @param ofItsOwn settings that others do not have */
    public void startDataNode(int number, Map<String, String> ofItsOwn) throws IOException {
        Configuration conf = clientConfiguration();
        conf.set(
                "dfs.datanode.data.dir",
                directory
                        .resolve(number == 0 ? "blocks" : "blocks" + number)
                        .toUri()
                        .toString());
        for (String service : List.of("address", "http.address", "ipc.address")) {
            conf.set("dfs.datanode." + service, "localhost:0");
        }
        conf.setInt("dfs.heartbeat.interval", 1);
        conf.set("dfs.datanode.plugins", BlockLinkPlugin.class.getName());
        ofItsOwn.forEach(conf::set);
        dataNodes.put(number, DataNode.createDataNode(new String[0], conf));
        awaitLiveDataNodes(dataNodes.size());
    }

    private void awaitLiveDataNodes(int expected) {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> nameNodes.values().stream()
                .allMatch(one -> one.getNamesystem().getNumLiveDataNodes() == expected));
    }

    /** Has a DataNode tell no NameNode of new replicas until what this returns is closed. */
    public HeldReports holdReports(int number) {
        return new HeldReports(dataNodes.get(number));
    }

    /** Takes a DataNode away, with its disk, until it is started again; NameNodes know that it is down. */
    public void stopDataNode(int number) {
        DataNode stopped = dataNodes.remove(number);
        stopped.shutdown();
        awaitLiveDataNodes(dataNodes.size());
    }

    /** Clients have no addresses of web pages, until they are shown. */
    public void hidePages() {
        isWithoutPages = true;
    }

    public void showPages() {
        isWithoutPages = false;
    }

    public boolean isUp(int number) {
        return dataNodes.containsKey(number);
    }

    /** The DataNode at an address at which it serves blocks. */
    public int dataNodeAt(String address) {
        return dataNodes.entrySet().stream()
                .filter(one -> address.endsWith(":" + one.getValue().getXferPort()))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** What administrators say of a DataNode, at all NameNodes. */
    public void administer(int number, BiConsumer<DatanodeAdminManager, DatanodeDescriptor> order) {
        for (NameNode one : nameNodes.values()) {
            DatanodeManager all = one.getNamesystem().getBlockManager().getDatanodeManager();
            one.getNamesystem().writeLock();
            try {
                order.accept(
                        all.getDatanodeAdminManager(),
                        all.getDatanode(dataNodes.get(number).getDatanodeUuid()));
            } finally {
                one.getNamesystem().writeUnlock();
            }
        }
    }

    /** From now on the NameNodes of a nameservice hold calls for what is frozen, as with {@code trefoil.federation.gate}. */
    public void enableGate(String name) throws IOException {
        NameNode nameNode = nameNodes.get(name);
        SubtreeGate gate = new SubtreeGate(nameNode, () -> System.currentTimeMillis() + aheadMillis.get());
        gate.start();
        gates.put(name, gate);
        setGate(nameNode, true);
        ClientCalls.install(
                nameNode,
                new GatedCalls(new CountingCalls(new EventHidingCalls(ClientCalls.hdfsService(nameNode))), gate));
    }

    /** Those who look for a NameNode's settings find it there. */
    private static void setGate(NameNode nameNode, boolean isGated) {
        nameNode.getConf().setBoolean("trefoil.federation.gate", isGated);
    }

    /** As if not all NameNodes of a nameservice had a gate. */
    public void hideSetting(String name) {
        setGate(nameNodes.get(name), false);
    }

    /** Something that happens at the server. */
    public interface Action {
        void run() throws IOException;
    }

    /** Does something before the next call of a method that a NameNode with a gate lets through. */
    public void runBefore(String method, Action action) {
        actions.put(method, action);
    }

    /** NameNodes with gates tell no events of this file or directory, as if HDFS had none. */
    public void hideEvents(String path) {
        hidden.add(path);
    }

    /** The calls of a NameNode without RPC, which no gate sees. */
    public NamenodeProtocols rpcCalls(String name) {
        return nameNodes.get(name).getRpcServer();
    }

    private final class EventHidingCalls extends ClientCalls {
        EventHidingCalls(BlockingService inner) {
            super(inner);
        }

        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                throws ServiceException {
            Action action = actions.remove(method.getName());
            if (action != null) {
                try {
                    action.run();
                } catch (IOException e) {
                    throw new ServiceException(e);
                }
            }
            Message answer = inner().callBlockingMethod(method, controller, request);
            return answer instanceof GetEditsFromTxidResponseProto edits && !hidden.isEmpty()
                    ? edits.toBuilder()
                            .setEventsList(withoutHiddenEvents(edits.getEventsList()))
                            .build()
                    : answer;
        }

        private EventsListProto withoutHiddenEvents(EventsListProto response) {
            return response.toBuilder()
                    .clearBatch()
                    .addAllBatch(response.getBatchList().stream()
                            .filter(batch -> batch.getEventsList().stream().noneMatch(event -> hidden.stream()
                                    .anyMatch(event.getContents().toStringUtf8()::contains)))
                            .toList())
                    .build();
        }
    }

    /** Counts the directories that HDFS counts for a mover: their usage, which it does not want, is that of everything in them. */
    private final class CountingCalls extends ClientCalls {
        CountingCalls(BlockingService inner) {
            super(inner);
        }

        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                throws ServiceException {
            Message answer = inner().callBlockingMethod(method, controller, request);
            if (answer instanceof GetQuotaUsageResponseProto counts) {
                QuotaUsageProto usage = counts.getUsage();
                CallerContext context = CallerContext.getCurrent();
                boolean isMovers = context != null && context.getContext().startsWith(SubtreeCaller.QUOTAS);
                if (isMovers && usage.getQuota() < 0 && usage.getSpaceQuota() < 0) {
                    counted.add(((GetQuotaUsageRequestProto) request).getPath());
                }
            }
            return answer;
        }
    }

    /** The directories in which NameNodes with gates counted everything, because a mover asked for quotas that they do not have. */
    public Set<String> countedDirectories() {
        return counted;
    }

    /** Makes empty files without the time that calls take; {@code paths} below a directory. */
    public void makeFiles(String name, String directory, List<String> paths) {
        NamenodeProtocols calls = rpcCalls(name);
        paths.parallelStream().forEach(path -> {
            try {
                makeFile(calls, directory + "/" + path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void makeFile(NamenodeProtocols calls, String file) throws IOException {
        HdfsFileStatus made = calls.create(
                file,
                FsPermission.getFileDefault(),
                "maker",
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                (short) 1,
                1 << 20,
                CryptoProtocolVersion.supported(),
                null,
                null);
        calls.complete(file, "maker", null, made.getFileId());
    }

    /** All are stock NameNodes again. */
    public void disableGates() throws IOException {
        actions.clear();
        hidden.clear();
        for (Map.Entry<String, SubtreeGate> one : gates.entrySet()) {
            NameNode nameNode = nameNodes.get(one.getKey());
            ClientCalls.install(nameNode, ClientCalls.hdfsService(nameNode));
            setGate(nameNode, false);
            one.getValue().close();
        }
        gates.clear();
    }

    /** Lets the time of all freezes go by. */
    public void expireFreezes() {
        aheadMillis.set(Duration.ofMinutes(1).toMillis());
        try {
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(10)).until(() -> frozenMarks()
                    .isEmpty());
        } finally {
            aheadMillis.set(0);
        }
    }

    /** The marks of what is frozen. */
    public Set<String> frozenMarks() throws IOException {
        Set<String> frozen = new TreeSet<>();
        for (String name : gates.keySet()) {
            for (XAttr one : nameNodes.get(name).getRpcServer().getXAttrs(FrozenMark.DIRECTORY, null)) {
                String mark = XAttrHelper.getPrefixedName(one);
                if (mark.startsWith(FrozenMark.PREFIX)) {
                    frozen.add(mark);
                }
            }
        }
        return frozen;
    }

    /** One nameservice alone, past any table. */
    public DistributedFileSystem fileSystem(String name) throws IOException {
        DistributedFileSystem fileSystem = new DistributedFileSystem();
        fileSystem.initialize(URI.create("hdfs://" + name), clientConfiguration());
        return fileSystem;
    }

    @Override
    public void close() {
        dataNodes.values().forEach(DataNode::shutdown);
        gates.values().forEach(SubtreeGate::close);
        nameNodes.values().forEach(NameNode::stop);
    }
}
