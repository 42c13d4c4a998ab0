/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import io.trefoil.it.history.Names;
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
 * Users of the whole file system who work on the same few names in some folders and record what they asked and were told: one history
 * per folder. Their files are empty; a move keeps the block sizes by which they are told apart. They write them as programs do, by a
 * stream that is closed: a file that stayed open would hold a move up.
 */
final class SubtreeUsers implements AutoCloseable {
    private static final int BUFFER = 4_096;
    /** Leaves the cores to the servers. */
    private static final Duration BETWEEN_CALLS = Duration.ofMillis(25);

    private static final FsPermission FOR_ALL = new FsPermission((short) 0777);

    private final Path root;
    private final RecordingClients recording;
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    private SubtreeUsers(Path root, int folders) {
        this.root = root;
        this.recording = new RecordingClients(folders, BETWEEN_CALLS);
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
            int number = all.recording.clients();
            String name = "subtree-user-" + number;
            all.recording.add(name, new Random(seed + number), all.new User(name, user));
        }
        all.recording.start();
        return all;
    }

    private Path folder(int number) {
        return new Path(root, String.valueOf(number));
    }

    /** How many calls have an answer. */
    long asked() {
        return recording.asked();
    }

    /** What ended without an answer that HDFS gives; nobody should meet that. */
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
        for (int folder = 0; folder < recorded.size(); folder++) {
            List<Operation> history = new ArrayList<>(recorded.get(folder));
            for (String name : RandomRequests.NAMES) {
                long from = System.nanoTime();
                ClientAnswer found = found(owner, new Path(folder(folder), name));
                history.add(Operation.answered(
                        recording.clients(), HistoryRequest.read(name), found, from, System.nanoTime()));
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
        public ClientAnswer send(int folder, HistoryRequest request) throws IOException {
            return answer(folder(folder), request);
        }

        @Override
        public void failed(int folder, HistoryRequest request, Exception why) {
            if (!recording.isStopped()) {
                errors.add(name + ", " + request + " in " + folder(folder) + ": " + why);
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
