/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.util.StringUtils;

/** A real RPC server with a NameNode's protocols, a role that the test gives it, and no namespace. */
final class FakeNameNode implements AutoCloseable {

    /** What {@code mkdirs} does on an active one. */
    interface Behaviour {
        boolean mkdirs(String path) throws IOException;
    }

    private final RPC.Server server;
    private final String address;
    private final List<String> executed = new CopyOnWriteArrayList<>();
    private final List<String> operationIds = new CopyOnWriteArrayList<>();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile HAServiceState role = HAServiceState.STANDBY;
    private volatile Behaviour behaviour = path -> true;
    private volatile CountDownLatch running = new CountDownLatch(0);

    FakeNameNode() throws IOException {
        Configuration conf = new Configuration(false);
        RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        RPC.setProtocolEngine(conf, NamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        server = new RPC.Builder(conf)
                .setProtocol(ClientNamenodeProtocolPB.class)
                .setInstance(ClientNamenodeProtocol.newReflectiveBlockingService(
                        new ClientNamenodeProtocolServerSideTranslatorPB(madeUp(ClientProtocol.class))))
                .setBindAddress("127.0.0.1")
                .setPort(0)
                .setNumHandlers(8)
                .build();
        server.addProtocol(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                NamenodeProtocolPB.class,
                NamenodeProtocolService.newReflectiveBlockingService(
                        new NamenodeProtocolServerSideTranslatorPB(madeUp(NamenodeProtocol.class))));
        server.start();
        address = "127.0.0.1:" + server.getListenerAddress().getPort();
    }

    private <T> T madeUp(Class<T> protocol) {
        return protocol.cast(Proxy.newProxyInstance(
                FakeNameNode.class.getClassLoader(), new Class<?>[] {protocol}, (proxy, method, args) -> {
                    running.await();
                    return answer(method, args);
                }));
    }

    private Object answer(Method method, Object[] args) throws IOException {
        if (method.getName().equals("getHAServiceState")) {
            questions.incrementAndGet();
            return role;
        }
        if (role != HAServiceState.ACTIVE) {
            refusals.incrementAndGet();
            throw new StandbyException("not here");
        }
        operationIds.add(StringUtils.byteToHexString(Server.getClientId()) + ":" + Server.getCallId());
        executed.add(method.getName());
        return switch (method.getName()) {
            case "mkdirs" -> behaviour.mkdirs((String) args[0]);
            case "getTransactionID" -> 7L;
            default -> throw new IOException("this NameNode is made up and has no " + method.getName());
        };
    }

    String address() {
        return address;
    }

    void become(HAServiceState next) {
        role = next;
    }

    void does(Behaviour next) {
        behaviour = next;
    }

    /** Takes connections and requests and answers none of them, as a stopped process. */
    void freeze() {
        running = new CountDownLatch(1);
    }

    void thaw() {
        running.countDown();
    }

    /** The names of the methods that were executed. */
    List<String> executed() {
        return Collections.unmodifiableList(executed);
    }

    /** The RPC ids of what was executed. */
    List<String> operationIds() {
        return Collections.unmodifiableList(operationIds);
    }

    /** How often it was asked what it is. */
    int questions() {
        return questions.get();
    }

    /** How often it refused a call, as it was not active. */
    int refusals() {
        return refusals.get();
    }

    @Override
    public void close() {
        thaw();
        server.stop();
    }
}
