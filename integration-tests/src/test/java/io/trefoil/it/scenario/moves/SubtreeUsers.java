/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.moves;

import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import io.trefoil.it.history.Names;
import io.trefoil.it.history.Operation;
import io.trefoil.it.history.RandomRequests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Users of the whole file system who work on the same few names in some folders and record what they asked and were told: one history
 * per folder. Their files are empty and told apart by their block sizes, which a move keeps. They write them as programs do, by a stream
 * that is closed: a file that stayed open would hold a move up.
 */
final class SubtreeUsers implements AutoCloseable {
    private static final long SMALLEST_BLOCK = 1 << 20;
    private static final int BLOCK_STEP = 512;
    private static final int BUFFER = 4_096;
    /** Leaves the cores to the servers. */
    private static final long BETWEEN_CALLS_NANOS = 25_000_000;

    private static final FsPermission FOR_ALL = new FsPermission((short) 0777);

    private final Path root;
    private final List<Queue<Operation>> histories;
    private final List<Client> clients = new ArrayList<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong contents = new AtomicLong();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    private SubtreeUsers(Path root, int folders) {
        this.root = root;
        this.histories = IntStream.range(0, folders)
                .<Queue<Operation>>mapToObj(unused -> new ConcurrentLinkedQueue<>())
                .toList();
    }

    /**
     * Starts a client with each file system.
     *
     * @param owner the nameservice that has the folders now
     */
    static SubtreeUsers start(
            DistributedFileSystem owner, List<DistributedFileSystem> users, Path root, int folders, long seed)
            throws IOException {
        SubtreeUsers all = new SubtreeUsers(root, folders);
        for (int folder = 0; folder < folders; folder++) {
            owner.mkdirs(all.folder(folder));
            owner.setPermission(all.folder(folder), FOR_ALL);
        }
        for (DistributedFileSystem user : users) {
            int number = all.clients.size();
            all.clients.add(all.new Client(number, user, new Random(seed + number)));
        }
        all.clients.forEach(Thread::start);
        return all;
    }

    private Path folder(int number) {
        return new Path(root, String.valueOf(number));
    }

    /** How many calls have an answer. */
    long asked() {
        return asked.get();
    }

    /** What ended without an answer that HDFS gives; nobody should meet that. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    /** Ends the clients once they have their answers. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Client client : clients) {
            client.join();
        }
    }

    /** The histories, with what is there at the end; after {@link #stop}. */
    List<List<Operation>> historiesUpTo(DistributedFileSystem owner) throws IOException {
        List<List<Operation>> all = new ArrayList<>();
        for (int folder = 0; folder < histories.size(); folder++) {
            List<Operation> history = new ArrayList<>(histories.get(folder));
            for (String name : RandomRequests.NAMES) {
                long from = System.nanoTime();
                ClientAnswer found = found(owner, new Path(folder(folder), name));
                history.add(
                        Operation.answered(clients.size(), HistoryRequest.read(name), found, from, System.nanoTime()));
            }
            all.add(history);
        }
        return all;
    }

    private static ClientAnswer found(DistributedFileSystem files, Path path) throws IOException {
        try {
            FileStatus file = files.getFileStatus(path);
            return ClientAnswer.found(file.isDirectory() ? Names.DIRECTORY : String.valueOf(file.getBlockSize()));
        } catch (FileNotFoundException e) {
            return ClientAnswer.found(Names.NOTHING);
        }
    }

    @Override
    public void close() {
        stopped = true;
        clients.forEach(Thread::interrupt);
    }

    private final class Client extends Thread {
        private final int number;
        private final DistributedFileSystem files;
        private final Random random;

        Client(int number, DistributedFileSystem files, Random random) {
            super("subtree-user-" + number);
            setDaemon(true);
            this.number = number;
            this.files = files;
            this.random = random;
        }

        @Override
        public void run() {
            while (!stopped) {
                int folder = random.nextInt(histories.size());
                long blockSize = SMALLEST_BLOCK + BLOCK_STEP * contents.incrementAndGet();
                HistoryRequest request = RandomRequests.next(random, String.valueOf(blockSize));
                histories.get(folder).add(operation(folder(folder), request));
                asked.incrementAndGet();
                LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
            }
        }

        private Operation operation(Path folder, HistoryRequest request) {
            long from = System.nanoTime();
            try {
                ClientAnswer answer = answer(folder, request);
                return Operation.answered(number, request, answer, from, System.nanoTime());
            } catch (IOException | RuntimeException e) {
                if (!stopped) {
                    errors.add(getName() + ", " + request + " in " + folder + ": " + e);
                }
                return Operation.unknown(number, request, from);
            }
        }

        private ClientAnswer answer(Path folder, HistoryRequest request) throws IOException {
            try {
                return answerOrRefusal(new Path(folder, request.name()), folder, request);
            } catch (FileAlreadyExistsException | FileNotFoundException | ParentNotDirectoryException e) {
                return ClientAnswer.NO;
            } catch (RemoteException e) {
                // A file cannot be renamed to an existing directory; HDFS has no error class for that.
                if (e.getClassName().equals(AlreadyBeingCreatedException.class.getName())
                        || String.valueOf(e.getMessage()).contains(" must both be ")) {
                    return ClientAnswer.NO;
                }
                throw e;
            }
        }

        private ClientAnswer answerOrRefusal(Path path, Path folder, HistoryRequest request) throws IOException {
            return switch (request.kind()) {
                case CREATE -> {
                    close(create(path, Long.parseLong(request.other())));
                    yield ClientAnswer.YES;
                }
                case DELETE -> files.delete(path, true) ? ClientAnswer.YES : ClientAnswer.NO;
                case RENAME -> {
                    files.rename(path, new Path(folder, request.other()), Options.Rename.NONE);
                    yield ClientAnswer.YES;
                }
                case MKDIRS -> files.mkdirs(path) ? ClientAnswer.YES : ClientAnswer.NO;
                case READ -> found(files, path);
            };
        }

        private FSDataOutputStream create(Path path, long blockSize) throws IOException {
            return files.create(path, FsPermission.getFileDefault(), false, BUFFER, (short) 1, blockSize, null);
        }

        private static void close(OutputStream out) throws IOException {
            try {
                out.close();
            } catch (IOException e) {
                if (!isOfDeletedFile(e)) {
                    throw e;
                }
            }
        }

        /** Somebody else may have deleted the file, which was created nevertheless. */
        private static boolean isOfDeletedFile(IOException e) {
            return e instanceof FileNotFoundException
                    || (e instanceof RemoteException answer
                            && answer.unwrapRemoteException() instanceof FileNotFoundException);
        }
    }
}
