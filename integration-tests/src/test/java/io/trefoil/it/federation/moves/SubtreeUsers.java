/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import io.trefoil.it.history.NamespaceModel;
import io.trefoil.it.history.Operation;
import io.trefoil.it.history.RandomRequests;
import io.trefoil.it.history.RecordingClients;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * Users of the whole file system who work on the same few names in some directories and record what they asked and were told: one history
 * per directory. Their files are empty; a move keeps the block sizes by which they are told apart. They write them as programs do, by a
 * stream that is closed: a file that stayed open would hold a move up.
 */
final class SubtreeUsers implements AutoCloseable {
    private static final int BUFFER = 4_096;
    /** Leaves the cores to the servers. */
    private static final Duration CALL_INTERVAL = Duration.ofMillis(25);

    private static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);

    private final Path root;
    private final RecordingClients recording;
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    private SubtreeUsers(Path root, int directories) {
        this.root = root;
        this.recording = new RecordingClients(directories, CALL_INTERVAL);
    }

    /**
     * Starts a client with each file system.
     *
     * @param owner the nameservice that has the directories now
     */
    static SubtreeUsers start(
            DistributedFileSystem owner, List<DistributedFileSystem> users, Path root, int directories, long seed)
            throws IOException {
        SubtreeUsers all = new SubtreeUsers(root, directories);
        for (int directory = 0; directory < directories; directory++) {
            owner.mkdirs(all.directory(directory));
            owner.setPermission(all.directory(directory), WORLD_WRITABLE);
        }
        for (DistributedFileSystem user : users) {
            int number = all.recording.clientCount();
            String name = "subtree-user-" + number;
            all.recording.add(name, new Random(seed + number), all.new User(name, user));
        }
        all.recording.start();
        return all;
    }

    private Path directory(int number) {
        return new Path(root, String.valueOf(number));
    }

    /** How many calls have an answer. */
    long answeredCalls() {
        return recording.completedCalls();
    }

    /** What ended without an answer that HDFS gives; no client should meet that. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    /** Ends the clients once they have their answers. */
    void stop() throws InterruptedException {
        recording.stop();
    }

    /** The histories, with what is there at the end; after {@link #stop}. */
    List<List<Operation>> historiesUpTo(DistributedFileSystem owner) throws IOException {
        List<List<Operation>> all = new ArrayList<>();
        List<List<Operation>> recorded = recording.histories();
        for (int directory = 0; directory < recorded.size(); directory++) {
            List<Operation> history = new ArrayList<>(recorded.get(directory));
            for (String name : RandomRequests.NAMES) {
                long from = System.nanoTime();
                ClientAnswer found = describeFound(owner, new Path(directory(directory), name));
                history.add(Operation.answered(
                        recording.clientCount(), HistoryRequest.read(name), found, from, System.nanoTime()));
            }
            all.add(history);
        }
        return all;
    }

    private static ClientAnswer describeFound(DistributedFileSystem files, Path path) throws IOException {
        try {
            FileStatus file = files.getFileStatus(path);
            return ClientAnswer.found(
                    file.isDirectory() ? NamespaceModel.DIRECTORY : String.valueOf(file.getBlockSize()));
        } catch (FileNotFoundException e) {
            return ClientAnswer.found(NamespaceModel.NOTHING);
        }
    }

    @Override
    public void close() {
        recording.close();
    }

    private final class User implements RecordingClients.Caller {
        private final String name;
        private final DistributedFileSystem files;

        User(String name, DistributedFileSystem files) {
            this.name = name;
            this.files = files;
        }

        @Override
        public ClientAnswer send(int directory, HistoryRequest request) throws IOException {
            return answer(directory(directory), request);
        }

        @Override
        public void failed(int directory, HistoryRequest request, Exception cause) {
            if (!recording.isStopped()) {
                errors.add(name + ", " + request + " in " + directory(directory) + ": " + cause);
            }
        }

        private ClientAnswer answer(Path directory, HistoryRequest request) throws IOException {
            try {
                return answerOrRefusal(new Path(directory, request.name()), directory, request);
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

        private ClientAnswer answerOrRefusal(Path path, Path directory, HistoryRequest request) throws IOException {
            return switch (request.kind()) {
                case CREATE -> {
                    close(create(path, Long.parseLong(request.otherPath())));
                    yield ClientAnswer.YES;
                }
                case DELETE -> files.delete(path, true) ? ClientAnswer.YES : ClientAnswer.NO;
                case RENAME -> {
                    files.rename(path, new Path(directory, request.otherPath()), Options.Rename.NONE);
                    yield ClientAnswer.YES;
                }
                case MKDIRS -> files.mkdirs(path) ? ClientAnswer.YES : ClientAnswer.NO;
                case READ -> describeFound(files, path);
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

        /** Another client may have deleted the file, which was created nevertheless. */
        private static boolean isOfDeletedFile(IOException e) {
            return e instanceof FileNotFoundException
                    || (e instanceof RemoteException answer
                            && answer.unwrapRemoteException() instanceof FileNotFoundException);
        }
    }
}
