/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import io.trefoil.it.history.NamespaceModel;
import io.trefoil.it.history.Operation;
import io.trefoil.it.history.RandomRequests;
import io.trefoil.it.history.RecordingClients;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Clients, each with its own user and connections, that work on the same few names in many directories and record what they
 * asked and were told: one history per directory.
 */
public final class HistoryClients implements AutoCloseable {
    private static final Set<String> REFUSALS = Set.of(
            FileAlreadyExistsException.class.getName(),
            AlreadyBeingCreatedException.class.getName(),
            FileNotFoundException.class.getName());

    private final String root;
    private final RecordingClients recording;
    private final List<Client> clients = new ArrayList<>();
    private final Map<String, Integer> unknown = new ConcurrentHashMap<>();
    private final Queue<String> unexplained = new ConcurrentLinkedQueue<>();

    /** How a client sends its requests. */
    public interface Sending {
        /** Correctly. */
        Sending ONCE = (call, random) -> call.send();

        /** A client that sometimes assumes that the reply is lost, and sends the call again under a new id. */
        Sending AGAIN_UNDER_A_NEW_ID = (call, random) -> {
            ClientAnswer answer = call.send();
            return random.nextInt(10) == 0 ? call.send() : answer;
        };

        ClientAnswer send(Call call, Random random) throws IOException;
    }

    /** One call; each send uses a new id. */
    public interface Call {
        ClientAnswer send() throws IOException;
    }

    /** Clients with the same configuration and the same habits. */
    public record Group(Configuration configuration, int clients, RecordingClients.Requests requests) {}

    private HistoryClients(String root, int directories, Duration between) {
        this.root = root;
        this.recording = new RecordingClients(directories, between);
    }

    /** Starts the clients; the cluster's own client configuration says which provider they use to find the active. */
    public static HistoryClients start(HaCluster cluster, String root, int clients, int directories, Sending sending)
            throws Exception {
        return start(cluster, cluster.clientConfiguration(), root, clients, directories, sending);
    }

    /** Starts the clients, with another configuration. */
    public static HistoryClients start(
            HaCluster cluster, Configuration configuration, String root, int clients, int directories, Sending sending)
            throws Exception {
        Group alike = new Group(configuration, clients, RandomRequests::next);
        return start(cluster, root, List.of(alike), directories, Duration.ZERO, sending);
    }

    /**
     * Starts clients of several kinds.
     *
     * @param between how long each waits after an answer until it asks again
     */
    public static HistoryClients start(
            HaCluster cluster, String root, List<Group> groups, int directories, Duration between, Sending sending)
            throws Exception {
        HistoryClients all = new HistoryClients(root, directories, between);
        ClientProtocol operator =
                cluster.newFileSystem(groups.get(0).configuration()).getClient().getNamenode();
        for (int directory = 0; directory < directories; directory++) {
            operator.mkdirs(all.directory(directory), new FsPermission((short) 0777), true);
            operator.setPermission(all.directory(directory), new FsPermission((short) 0777));
        }
        for (Group group : groups) {
            for (int i = 0; i < group.clients(); i++) {
                ClientProtocol nameNode = UserGroupInformation.createRemoteUser("client-" + all.recording.clientCount())
                        .doAs((PrivilegedExceptionAction<ClientProtocol>)
                                () -> cluster.newFileSystem(group.configuration())
                                        .getClient()
                                        .getNamenode());
                all.add(group.requests(), nameNode, sending);
            }
        }
        all.recording.start();
        return all;
    }

    private void add(RecordingClients.Requests requests, ClientProtocol nameNode, Sending sending) {
        int number = recording.clientCount();
        Random random = new Random(number);
        Client client = new Client(number, random, nameNode, sending);
        clients.add(client);
        recording.add(client.name, random, requests, client);
    }

    private String directory(int number) {
        return root + "/" + number;
    }

    /** How many calls have an answer or will never have one. */
    public long finishedCalls() {
        return recording.completedCalls();
    }

    /** How many of these would change something. */
    long finishedChanges() {
        return recording.completedChanges();
    }

    /** Makes every third client give up the call that it waits for. */
    void interruptSome() {
        clients.stream().filter(client -> client.number % 3 == 0).forEach(Client::abandonCall);
    }

    /** How many calls ended without a clear answer, by error. */
    public Map<String, Integer> unknownOutcomes() {
        return new TreeMap<>(unknown);
    }

    /**
     * Errors that no client should get. A client that is told to give up may get any error of its connection, once:
     * HDFS does not retry a call whose thread was interrupted. All others get answers.
     */
    public List<String> unexpectedErrors() {
        return List.copyOf(unexplained);
    }

    /** Ends the clients once they have their answers. */
    public List<List<Operation>> stop() throws InterruptedException {
        recording.stop();
        return recording.histories();
    }

    @Override
    public void close() {
        recording.close();
    }

    private final class Client implements RecordingClients.Caller {
        private final int number;
        private final String name;
        private final Random random;
        private final ClientProtocol nameNode;
        private final Sending sending;
        private volatile boolean givesUp;

        Client(int number, Random random, ClientProtocol nameNode, Sending sending) {
            this.number = number;
            this.name = "history-client-" + number;
            this.random = random;
            this.nameNode = nameNode;
            this.sending = sending;
        }

        void abandonCall() {
            givesUp = true;
            recording.interrupt(number);
        }

        @Override
        public ClientAnswer send(int directory, HistoryRequest request) throws IOException {
            return sending.send(() -> answer(directory(directory), request), random);
        }

        @Override
        public void failed(int directory, HistoryRequest request, Exception cause) {
            String error = cause instanceof RemoteException answer
                    ? answer.getClassName() + ": " + answer.getMessage()
                    : cause.getClass().getSimpleName();
            unknown.merge(error, 1, Integer::sum);
            boolean ofConnection = cause instanceof IOException && !(cause instanceof RemoteException);
            if (!givesUp || !ofConnection) {
                unexplained.add(name + ": " + cause);
            }
            givesUp = false;
            // The interrupt was for this call, or came too late for it.
            Thread.interrupted();
        }

        private ClientAnswer answer(String directory, HistoryRequest request) throws IOException {
            try {
                return answerOrRefusal(
                        directory + "/" + request.name(), directory + "/" + request.otherPath(), request);
            } catch (RemoteException e) {
                if (isRefusal(e)) {
                    return ClientAnswer.NO;
                }
                throw e;
            }
        }

        private static boolean isRefusal(RemoteException e) {
            // A file cannot be renamed to an existing directory; HDFS has no error class for that.
            return REFUSALS.contains(e.getClassName())
                    || String.valueOf(e.getMessage()).contains(" must both be ");
        }

        private ClientAnswer answerOrRefusal(String path, String otherPath, HistoryRequest request) throws IOException {
            switch (request.kind()) {
                case CREATE -> create(path, Long.parseLong(request.otherPath()));
                case DELETE -> {
                    return nameNode.delete(path, true) ? ClientAnswer.YES : ClientAnswer.NO;
                }
                case RENAME -> nameNode.rename2(path, otherPath, Options.Rename.NONE);
                case MKDIRS -> {
                    return nameNode.mkdirs(path, FsPermission.getDirDefault(), false)
                            ? ClientAnswer.YES
                            : ClientAnswer.NO;
                }
                case READ -> {
                    return describeFound(nameNode.getFileInfo(path));
                }
            }
            return ClientAnswer.YES;
        }

        private void create(String path, long blockSize) throws IOException {
            nameNode.create(
                    path,
                    FsPermission.getFileDefault(),
                    name,
                    new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE), CreateFlag.class),
                    false,
                    (short) 1,
                    blockSize,
                    new CryptoProtocolVersion[0],
                    null,
                    null);
        }

        private static ClientAnswer describeFound(HdfsFileStatus file) {
            if (file == null) {
                return ClientAnswer.found(NamespaceModel.NOTHING);
            }
            return ClientAnswer.found(
                    file.isDirectory() ? NamespaceModel.DIRECTORY : String.valueOf(file.getBlockSize()));
        }
    }
}
