/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.util.StringUtils;

/** A real RPC server with a NameNode's protocols, a role that the test gives it, and no namespace. */
final class FakeNameNode implements AutoCloseable {

    /** What {@code mkdirs} does on an active one. */
    interface Behaviour {
        boolean mkdirs(String path) throws IOException;
    }

    /** What meets every request, questions too, before anything else does. */
    interface RequestHook {
        void run() throws IOException;
    }

    /** What a read does before it is answered with the last transaction. */
    interface ReadHook {
        void run() throws IOException, InterruptedException;
    }

    /** The only read that it has, which is answered with the last transaction. */
    private static final String READ = "getPreferredBlockSize";

    private final RPC.Server server;
    private final int port;
    private final String address;
    private final List<String> executed = new CopyOnWriteArrayList<>();
    private final List<String> operationIds = new CopyOnWriteArrayList<>();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final Queue<Long> arrivals = new ConcurrentLinkedQueue<>();
    private volatile HAServiceState role = HAServiceState.STANDBY;
    private volatile Behaviour behaviour = path -> true;
    private volatile ReadHook beforeRead = () -> {};
    private volatile RequestHook door = () -> {};
    private volatile List<String> named = List.of();
    private volatile String site = "";
    private final AtomicLong lastTxid = new AtomicLong();
    private final AtomicInteger early = new AtomicInteger();
    private volatile CountDownLatch running = new CountDownLatch(0);

    FakeNameNode() throws IOException {
        this(new Configuration(false), null);
    }

    /**
     * @param conf how it is to authenticate its callers
     * @param tokens knows the passwords of delegation tokens; null if no client has any
     */
    FakeNameNode(Configuration conf, SecretManager<?> tokens) throws IOException {
        RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        RPC.setProtocolEngine(conf, NamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        server = new RPC.Builder(conf)
                .setProtocol(ClientNamenodeProtocolPB.class)
                .setInstance(new MemberAdvertiser(ClientNamenodeProtocol.newReflectiveBlockingService(
                        new ClientNamenodeProtocolServerSideTranslatorPB(fakeProtocol(ClientProtocol.class)))))
                .setBindAddress("127.0.0.1")
                .setPort(0)
                .setNumHandlers(8)
                .setAlignmentContext(new States())
                .setSecretManager(tokens)
                .build();
        server.addProtocol(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                NamenodeProtocolPB.class,
                NamenodeProtocolService.newReflectiveBlockingService(
                        new NamenodeProtocolServerSideTranslatorPB(fakeProtocol(NamenodeProtocol.class))));
        server.start();
        port = server.getListenerAddress().getPort();
        address = "127.0.0.1:" + port;
    }

    /** Says with its role who belongs to the group, as {@code MembershipAdvertiser} of {@code namenode-ha}. */
    private final class MemberAdvertiser implements BlockingService {
        private final BlockingService inner;

        MemberAdvertiser(BlockingService inner) {
            this.inner = inner;
        }

        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                throws ServiceException {
            Message answer = inner.callBlockingMethod(method, controller, request);
            if (!method.getName().equals("getHAServiceState")) {
                return answer;
            }
            UnknownFieldSet.Field.Builder members = UnknownFieldSet.Field.newBuilder();
            named.forEach(member -> members.addLengthDelimited(ByteString.copyFromUtf8(member)));
            return answer.toBuilder()
                    .setUnknownFields(UnknownFieldSet.newBuilder()
                            .addField(RoleRequest.MEMBERS_FIELD, members.build())
                            .addField(
                                    RoleRequest.SITE_FIELD,
                                    UnknownFieldSet.Field.newBuilder()
                                            .addLengthDelimited(ByteString.copyFromUtf8(site))
                                            .build())
                            .build())
                    .build();
        }

        @Override
        public ServiceDescriptor getDescriptorForType() {
            return inner.getDescriptorForType();
        }

        @Override
        public Message getRequestPrototype(MethodDescriptor method) {
            return inner.getRequestPrototype(method);
        }

        @Override
        public Message getResponsePrototype(MethodDescriptor method) {
            return inner.getResponsePrototype(method);
        }
    }

    private <T> T fakeProtocol(Class<T> protocol) {
        return protocol.cast(Proxy.newProxyInstance(
                FakeNameNode.class.getClassLoader(), new Class<?>[] {protocol}, (proxy, method, args) -> {
                    arrivals.add(System.nanoTime());
                    running.await();
                    door.run();
                    return answer(method, args);
                }));
    }

    /** Tells clients the last transaction, as a NameNode does; 0 is what one says that does not tell. */
    private final class States implements AlignmentContext {
        @Override
        public void updateResponseState(RpcResponseHeaderProto.Builder header) {
            header.setStateId(lastTxid.get());
        }

        @Override
        public void receiveResponseState(RpcResponseHeaderProto header) {}

        @Override
        public void updateRequestState(RpcRequestHeaderProto.Builder header) {}

        @Override
        public long receiveRequestState(RpcRequestHeaderProto header, long threshold) {
            if (header.getStateId() > lastTxid.get()) {
                early.incrementAndGet();
            }
            return header.getStateId();
        }

        @Override
        public long getLastSeenStateId() {
            return lastTxid.get();
        }

        @Override
        public boolean isCoordinatedCall(String protocol, String method) {
            return method.equals(READ);
        }
    }

    private Object answer(Method method, Object[] args) throws IOException, InterruptedException {
        if (method.getName().equals("getHAServiceState")) {
            questions.incrementAndGet();
            return role;
        }
        boolean read = method.getName().equals(READ) && role == HAServiceState.OBSERVER;
        if (role != HAServiceState.ACTIVE && !read) {
            refusals.incrementAndGet();
            throw new StandbyException("not here");
        }
        operationIds.add(StringUtils.byteToHexString(Server.getClientId()) + ":" + Server.getCallId());
        executed.add(method.getName());
        return switch (method.getName()) {
            case "mkdirs", "delete" -> {
                boolean made = behaviour.mkdirs((String) args[0]);
                lastTxid.updateAndGet(txid -> txid > 0 ? txid + 1 : 0);
                yield made;
            }
            case READ -> {
                beforeRead.run();
                yield lastTxid.get();
            }
            case "msync" -> null;
            case "getTransactionID" -> 7L;
            default -> throw new IOException("this NameNode is made up and has no " + method.getName());
        };
    }

    String address() {
        return address;
    }

    /** Whom it names as members of the group. */
    void setMembers(List<String> members) {
        named = members;
    }

    /** Where it says that it is. */
    void setSite(String newSite) {
        site = newSite;
    }

    int port() {
        return port;
    }

    /** How many requests came, questions and calls. */
    int requestCount() {
        return arrivals.size();
    }

    void become(HAServiceState next) {
        role = next;
    }

    void setBehaviour(Behaviour next) {
        behaviour = next;
    }

    /** Every request meets this first. */
    void setRequestHook(RequestHook next) {
        door = next;
    }

    void setReadHook(ReadHook next) {
        beforeRead = next;
    }

    /** Makes this its last transaction, and so lets clients read from observers. */
    void apply(long txid) {
        lastTxid.set(txid);
    }

    long lastTxid() {
        return lastTxid.get();
    }

    /** How many reads came before the transactions that their clients had seen. */
    int earlyReadCount() {
        return early.get();
    }

    /** How many reads it executed. */
    long readCount() {
        return executed.stream().filter(READ::equals).count();
    }

    /** The most requests of any second, questions and calls, of those after that time. */
    int peakRequestsPerSecond(long sinceNanos) {
        long[] times = arrivals.stream()
                .mapToLong(time -> time)
                .filter(time -> time - sinceNanos >= 0)
                .sorted()
                .toArray();
        int most = 0;
        int first = 0;
        for (int last = 0; last < times.length; last++) {
            while (times[last] - times[first] > TimeUnit.SECONDS.toNanos(1)) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** How many connections are open now. */
    int connectionCount() {
        return server.getNumOpenConnections();
    }

    /** Takes connections and requests and answers none of them, as a stopped process. */
    void freeze() {
        running = new CountDownLatch(1);
    }

    void thaw() {
        running.countDown();
    }

    /** The names of the methods that were executed. */
    List<String> executedMethods() {
        return Collections.unmodifiableList(executed);
    }

    /** The RPC ids of what was executed. */
    List<String> operationIds() {
        return Collections.unmodifiableList(operationIds);
    }

    /** How often it was asked what it is. */
    int roleQueryCount() {
        return questions.get();
    }

    /** How often it refused a call, as it was not active. */
    int refusalCount() {
        return refusals.get();
    }

    @Override
    public void close() {
        thaw();
        server.stop();
    }
}
