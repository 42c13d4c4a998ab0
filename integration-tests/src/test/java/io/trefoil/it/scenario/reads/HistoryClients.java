/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import io.trefoil.it.history.Names;
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
 * Clients, each with its own user and connections, that work on the same few names in many folders and record what they
 * asked and were told: one history per folder.
 */
final class HistoryClients implements AutoCloseable {
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
    interface Sending {
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
    interface Call {
        ClientAnswer send() throws IOException;
    }

    /** Clients with the same configuration and the same habits. */
    record Group(Configuration configuration, int clients, RecordingClients.Requests requests) {}

    private HistoryClients(String root, int folders, Duration between) {
        this.root = root;
        this.recording = new RecordingClients(folders, between);
    }

    /** Starts the clients; the cluster's own client configuration says which provider they use to find the active. */
    static HistoryClients start(HaCluster cluster, String root, int clients, int folders, Sending sending)
            throws Exception {
        return start(cluster, cluster.clientConfiguration(), root, clients, folders, sending);
    }

    /** Starts the clients, with another configuration. */
    static HistoryClients start(
            HaCluster cluster, Configuration configuration, String root, int clients, int folders, Sending sending)
            throws Exception {
        Group alike = new Group(configuration, clients, RandomRequests::next);
        return start(cluster, root, List.of(alike), folders, Duration.ZERO, sending);
    }

    /**
     * Starts clients of several kinds.
     *
     * @param between how long each waits after an answer until it asks again
     */
    static HistoryClients start(
            HaCluster cluster, String root, List<Group> groups, int folders, Duration between, Sending sending)
            throws Exception {
        HistoryClients all = new HistoryClients(root, folders, between);
        ClientProtocol operator =
                cluster.newFileSystem(groups.get(0).configuration()).getClient().getNamenode();
        for (int folder = 0; folder < folders; folder++) {
            operator.mkdirs(all.folder(folder), new FsPermission((short) 0777), true);
            operator.setPermission(all.folder(folder), new FsPermission((short) 0777));
        }
        for (Group group : groups) {
            for (int i = 0; i < group.clients(); i++) {
                ClientProtocol nameNode = UserGroupInformation.createRemoteUser("client-" + all.recording.clients())
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
        int number = recording.clients();
        Random random = new Random(number);
        Client client = new Client(number, random, nameNode, sending);
        clients.add(client);
        recording.add(client.name, random, requests, client);
    }

    private String folder(int number) {
        return root + "/" + number;
    }

    /** How many calls have an answer or will never have one. */
    long asked() {
        return recording.asked();
    }

    /** How many of these would change something. */
    long changes() {
        return recording.changes();
    }

    /** Makes every third client give up the call that it waits for. */
    void interruptSome() {
        clients.stream().filter(client -> client.number % 3 == 0).forEach(Client::giveUp);
    }

    /** How many calls ended without a clear answer, by error. */
    Map<String, Integer> unknown() {
        return new TreeMap<>(unknown);
    }

    /**
     * Errors that nobody should get. A client that is told to give up may get any error of its connection, once: HDFS
     * does not retry a call whose thread was interrupted. All others get answers.
     */
    List<String> unexplained() {
        return List.copyOf(unexplained);
    }

    /** Ends the clients once they have their answers. */
    List<List<Operation>> stop() throws InterruptedException {
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

        void giveUp() {
            givesUp = true;
            recording.interrupt(number);
        }

        @Override
        public ClientAnswer send(int folder, HistoryRequest request) throws IOException {
            return sending.send(() -> answer(folder(folder), request), random);
        }

        @Override
        public void failed(int folder, HistoryRequest request, Exception why) {
            String error = why instanceof RemoteException answer
                    ? answer.getClassName() + ": " + answer.getMessage()
                    : why.getClass().getSimpleName();
            unknown.merge(error, 1, Integer::sum);
            boolean ofConnection = why instanceof IOException && !(why instanceof RemoteException);
            if (!givesUp || !ofConnection) {
                unexplained.add(name + ": " + why);
            }
            givesUp = false;
            // The interrupt was for this call, or came too late for it.
            Thread.interrupted();
        }

        private ClientAnswer answer(String folder, HistoryRequest request) throws IOException {
            try {
                return answerOrRefusal(folder + "/" + request.name(), folder + "/" + request.other(), request);
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

        private ClientAnswer answerOrRefusal(String path, String other, HistoryRequest request) throws IOException {
            switch (request.kind()) {
                case CREATE -> create(path, Long.parseLong(request.other()));
                case DELETE -> {
                    return nameNode.delete(path, true) ? ClientAnswer.YES : ClientAnswer.NO;
                }
                case RENAME -> nameNode.rename2(path, other, Options.Rename.NONE);
                case MKDIRS -> {
                    return nameNode.mkdirs(path, FsPermission.getDirDefault(), false)
                            ? ClientAnswer.YES
                            : ClientAnswer.NO;
                }
                case READ -> {
                    return found(nameNode.getFileInfo(path));
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

        private static ClientAnswer found(HdfsFileStatus file) {
            if (file == null) {
                return ClientAnswer.found(Names.NOTHING);
            }
            return ClientAnswer.found(file.isDirectory() ? Names.DIRECTORY : String.valueOf(file.getBlockSize()));
        }
    }
}
