/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import io.trefoil.it.history.Names;
import io.trefoil.it.history.Operation;
import io.trefoil.it.history.RandomRequests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
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
 * asked and were told: one history per folder. Files are told apart by their block sizes, so that no DataNode is
 * needed.
 */
final class HistoryClients implements AutoCloseable {
    private static final long SMALLEST_BLOCK = 1 << 20;
    private static final int BLOCK_STEP = 512;
    private static final Set<String> REFUSALS = Set.of(
            FileAlreadyExistsException.class.getName(),
            AlreadyBeingCreatedException.class.getName(),
            FileNotFoundException.class.getName());

    private final String root;
    private final List<Queue<Operation>> histories;
    private final List<Client> clients = new ArrayList<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong contents = new AtomicLong();
    private final Map<String, Integer> unknown = new ConcurrentHashMap<>();
    private final Queue<String> unexplained = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

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

    private HistoryClients(String root, int folders) {
        this.root = root;
        this.histories = IntStream.range(0, folders)
                .<Queue<Operation>>mapToObj(unused -> new ConcurrentLinkedQueue<>())
                .toList();
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
        HistoryClients all = new HistoryClients(root, folders);
        ClientProtocol operator =
                cluster.newFileSystem(configuration).getClient().getNamenode();
        for (int folder = 0; folder < folders; folder++) {
            operator.mkdirs(all.folder(folder), new FsPermission((short) 0777), true);
            operator.setPermission(all.folder(folder), new FsPermission((short) 0777));
        }
        for (int number = 0; number < clients; number++) {
            ClientProtocol nameNode = UserGroupInformation.createRemoteUser("client-" + number)
                    .doAs((PrivilegedExceptionAction<ClientProtocol>) () ->
                            cluster.newFileSystem(configuration).getClient().getNamenode());
            all.clients.add(all.new Client(number, nameNode, sending));
        }
        all.clients.forEach(Thread::start);
        return all;
    }

    private String folder(int number) {
        return root + "/" + number;
    }

    /** How many calls have an answer or will never have one. */
    long asked() {
        return asked.get();
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
        stopped = true;
        for (Client client : clients) {
            client.join();
        }
        return histories.stream().map(List::<Operation>copyOf).toList();
    }

    @Override
    public void close() {
        stopped = true;
        clients.forEach(Thread::interrupt);
    }

    private final class Client extends Thread {
        private final int number;
        private final ClientProtocol nameNode;
        private final Sending sending;
        private final Random random;
        private volatile boolean givesUp;

        Client(int number, ClientProtocol nameNode, Sending sending) {
            super("history-client-" + number);
            setDaemon(true);
            this.number = number;
            this.nameNode = nameNode;
            this.sending = sending;
            this.random = new Random(number);
        }

        @Override
        public void run() {
            while (!stopped) {
                int folder = random.nextInt(histories.size());
                long blockSize = SMALLEST_BLOCK + BLOCK_STEP * contents.incrementAndGet();
                HistoryRequest request = RandomRequests.next(random, String.valueOf(blockSize));
                histories.get(folder).add(operation(folder(folder), request));
                asked.incrementAndGet();
            }
        }

        void giveUp() {
            givesUp = true;
            interrupt();
        }

        private Operation operation(String folder, HistoryRequest request) {
            long from = System.nanoTime();
            try {
                ClientAnswer answer = sending.send(() -> answer(folder, request), random);
                return Operation.answered(number, request, answer, from, System.nanoTime());
            } catch (IOException | RuntimeException nobodyKnows) {
                String error = nobodyKnows instanceof RemoteException answer
                        ? answer.getClassName() + ": " + answer.getMessage()
                        : nobodyKnows.getClass().getSimpleName();
                unknown.merge(error, 1, Integer::sum);
                boolean ofConnection = nobodyKnows instanceof IOException && !(nobodyKnows instanceof RemoteException);
                if (!givesUp || !ofConnection) {
                    unexplained.add(getName() + ": " + nobodyKnows);
                }
                givesUp = false;
                // The interrupt was for this call, or came too late for it.
                Thread.interrupted();
                return Operation.unknown(number, request, from);
            }
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
                    getName(),
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
