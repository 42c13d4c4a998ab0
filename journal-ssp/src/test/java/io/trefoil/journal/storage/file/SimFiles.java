/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A file system in memory that is as unkind as a real one may be: what was not synced is lost sector by sector when
 * the power goes, names that were not synced are lost as well, and after a sync that failed the data looks written and
 * is not (as Linux does). For one thread.
 */
public final class SimFiles implements FileLayer {

    private static final int SECTOR = 512;

    /** The power went out in the middle of an operation. */
    public static final class PowerLoss extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private interface Node {}

    /** A directory; its names are durable after {@link #forceDirectory}. */
    private static final class Directory implements Node {
        private final Map<String, Node> names = new TreeMap<>();
        /** What the disk says, and what it will say after each change that is not durable yet. */
        private final List<Map<String, Node>> onDisk = new ArrayList<>(List.of(new TreeMap<>()));

        private void onChanged() {
            onDisk.add(new TreeMap<>(names));
        }

        private void losePower(Random random) {
            Map<String, Node> left = onDisk.get(random.nextInt(onDisk.size()));
            names.clear();
            names.putAll(left);
            force();
            for (Node node : names.values()) {
                if (node instanceof Directory directory) {
                    directory.losePower(random);
                } else if (node instanceof Content content) {
                    content.losePower(random);
                }
            }
        }

        private void force() {
            onDisk.clear();
            onChanged();
        }
    }

    /** A file; its bytes are durable after {@code force}. */
    private static final class Content implements Node {
        private byte[] bytes = new byte[0];
        private byte[] onDisk = new byte[0];
        private final BitSet dirty = new BitSet();

        private void write(byte[] source, long position) {
            int end = (int) position + source.length;
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length, end));
            System.arraycopy(source, 0, bytes, (int) position, source.length);
            dirty.set((int) position / SECTOR, (end + SECTOR - 1) / SECTOR);
        }

        private void force() {
            dirty.stream().forEach(this::persist);
            onDisk = Arrays.copyOf(onDisk, Math.max(onDisk.length, bytes.length));
            dirty.clear();
        }

        private void losePower(Random random) {
            dirty.stream().filter(sector -> random.nextBoolean()).forEach(this::persist);
            dirty.clear();
            bytes = onDisk.clone();
        }

        private void persist(int sector) {
            int from = sector * SECTOR;
            int to = Math.min(from + SECTOR, bytes.length);
            if (from < to) {
                onDisk = Arrays.copyOf(onDisk, Math.max(onDisk.length, to));
                System.arraycopy(bytes, from, onDisk, from, to - from);
            }
        }
    }

    private final Random random;
    private final Directory root = new Directory();
    private final Set<Path> locks = new HashSet<>();
    private int operationCount;
    private int failAt = -1;
    private int failEnd = -1;
    private int powerLossAt = -1;
    private int capacity = Integer.MAX_VALUE;
    private int openHandles;

    public SimFiles(Random random) {
        this.random = random;
    }

    /** How many operations that change something there were. */
    int operationCount() {
        return operationCount;
    }

    /** How many files are open. */
    public int openHandles() {
        return openHandles;
    }

    /** Operations that change something fail from the {@code k}-th on from now, 1 being the next. */
    public void failFrom(int k) {
        failAt = operationCount + k;
        failEnd = Integer.MAX_VALUE;
    }

    /** Only that one fails. */
    public void failAt(int k) {
        failAt = operationCount + k;
        failEnd = failAt;
    }

    /** The power goes in the middle of the {@code k}-th operation that changes something. */
    public void losePowerAt(int k) {
        powerLossAt = operationCount + k;
    }

    /** From now on, files grow by no more than this altogether; what has room already can be written. */
    public void limitSpace(int bytes) {
        capacity = bytes;
    }

    @Override
    public long usableBytes(Path directory) {
        return capacity;
    }

    public void heal() {
        failAt = -1;
        failEnd = -1;
        powerLossAt = -1;
    }

    /** The process ends: its locks are free. */
    public void kill() {
        locks.clear();
        openHandles = 0;
        heal();
    }

    /** The machine stops and starts again. */
    public void losePower() {
        kill();
        root.losePower(random);
    }

    /** A byte of a file, where it lies. */
    public void flip(Path file, int offset, int mask) {
        Content content = (Content) find(file);
        content.bytes[offset] ^= (byte) mask;
        content.onDisk[offset] ^= (byte) mask;
    }

    /** Whether these bytes of a file are on the disk whenever the power goes, as they are read now. */
    public boolean isDurable(Path file, int from, int to) {
        return find(file) instanceof Content content
                && isNameDurable(file, content)
                && to <= content.onDisk.length
                && Arrays.equals(content.bytes, from, to, content.onDisk, from, to);
    }

    private boolean isNameDurable(Path path, Node node) {
        Path parent = path.getParent();
        if (parent == null || !(find(parent) instanceof Directory directory)) {
            return root.onDisk.stream().allMatch(names -> names.get(name(path)) == node);
        }
        return directory.onDisk.stream().allMatch(names -> names.get(name(path)) == node)
                && (parent.getNameCount() == 0 || isNameDurable(parent, directory));
    }

    @Override
    public boolean exists(Path path) {
        return find(path) != null;
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return new ArrayList<>(directory(directory).names.keySet());
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        Node node = find(file);
        if (!(node instanceof Content content)) {
            throw new NoSuchFileException(file.toString());
        }
        return new Handle(content);
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        Content content = new Content();
        change(() -> {
            Directory parent = directory(file.getParent());
            parent.names.put(name(file), content);
            parent.onChanged();
        });
        return new Handle(content);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        Directory parent = root;
        for (Path name : directory) {
            Node next = parent.names.get(name.toString());
            if (next == null) {
                next = new Directory();
                Node made = next;
                Directory above = parent;
                change(() -> {
                    above.names.put(name.toString(), made);
                    above.force();
                });
            }
            parent = (Directory) next;
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        if (!from.getParent().equals(to.getParent())) {
            throw new IllegalArgumentException(from + " and " + to + " are not in one directory");
        }
        change(() -> {
            Directory parent = directory(from.getParent());
            Node node = parent.names.get(name(from));
            if (node == null) {
                throw new NoSuchFileException(from.toString());
            }
            if (parent.names.get(name(to)) instanceof Directory) {
                throw new FileAlreadyExistsException(to.toString());
            }
            parent.names.remove(name(from));
            parent.names.put(name(to), node);
            parent.onChanged();
        });
    }

    @Override
    public void delete(Path file) throws IOException {
        change(() -> {
            Directory parent = directory(file.getParent());
            if (parent.names.remove(name(file)) == null) {
                throw new NoSuchFileException(file.toString());
            }
            parent.onChanged();
        });
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        delete(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        change(() -> directory(directory).force());
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        if (!locks.add(file)) {
            throw new IOException("In use: " + file);
        }
        return () -> locks.remove(file);
    }

    private Node find(Path path) {
        Node node = root;
        for (Path name : path) {
            node = node instanceof Directory directory ? directory.names.get(name.toString()) : null;
        }
        return node;
    }

    private Directory directory(Path path) throws IOException {
        if (find(path) instanceof Directory directory) {
            return directory;
        }
        throw new NoSuchFileException(path.toString());
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }

    private interface Change {
        void perform() throws IOException;
    }

    private void change(Change change) throws IOException {
        change(change, () -> {});
    }

    private void change(Change change, Change failing) throws IOException {
        operationCount++;
        if (powerLossAt > 0 && operationCount >= powerLossAt) {
            // Whether it still got into the memory of the machine: either is possible.
            if (operationCount == powerLossAt && random.nextBoolean()) {
                change.perform();
            }
            throw new PowerLoss();
        }
        if (operationCount >= failAt && operationCount <= failEnd) {
            failing.perform();
            throw new IOException("No space left on device (simulated)");
        }
        change.perform();
    }

    private final class Handle implements OpenFile {
        private final Content content;
        private boolean closed;

        private Handle(Content content) {
            this.content = content;
            openHandles++;
        }

        @Override
        public long size() {
            return content.bytes.length;
        }

        @Override
        public void read(ByteBuffer buffer, long position) throws IOException {
            if (position + buffer.remaining() > content.bytes.length) {
                throw new EOFException();
            }
            buffer.put(content.bytes, (int) position, buffer.remaining());
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            byte[] source = new byte[from.remaining()];
            from.get(source);
            long growth = Math.max(0, position + source.length - content.bytes.length);
            if (growth > capacity) {
                throw new IOException("No space left on device (simulated)");
            }
            if (capacity < Integer.MAX_VALUE) {
                capacity -= (int) growth;
            }
            byte[] half = Arrays.copyOf(source, random.nextInt(source.length + 1));
            change(() -> content.write(source, position), () -> content.write(half, position));
        }

        @Override
        public void force() throws IOException {
            // As Linux: what could not be written is taken for written afterwards.
            change(content::force, content.dirty::clear);
        }

        @Override
        public void close() {
            openHandles -= closed ? 0 : 1;
            closed = true;
        }
    }
}
