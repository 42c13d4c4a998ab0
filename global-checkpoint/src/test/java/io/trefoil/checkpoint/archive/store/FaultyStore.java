/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Objects in memory, behind a network that throttles, loses requests and answers, delays puts, and gives old listings. */
final class FaultyStore implements ArchiveStore {

    final Map<String, byte[]> objects = new TreeMap<>();

    /** Puts that failed for the writer, and arrive later. */
    final List<Runnable> late = new ArrayList<>();

    private final Random random;
    private List<String> before = List.of();
    double faults;

    FaultyStore(Random random) {
        this.random = random;
    }

    @Override
    public void put(String name, Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.writeTo(bytes);
        if (random.nextDouble() < faults) {
            switch (random.nextInt(3)) {
                case 0 -> throw new IOException("503 Slow Down");
                case 1 -> late.add(() -> objects.put(name, bytes.toByteArray()));
                default -> objects.put(name, bytes.toByteArray());
            }
            throw new IOException("connection reset");
        }
        objects.put(name, bytes.toByteArray());
    }

    @Override
    public InputStream open(String name) throws IOException {
        fail();
        byte[] object = objects.get(name);
        if (object == null) {
            throw new FileNotFoundException(name);
        }
        return new ByteArrayInputStream(object);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        fail();
        List<String> old = before;
        before = List.copyOf(objects.keySet());
        return (random.nextDouble() < faults ? old : before)
                .stream().filter(name -> name.startsWith(directory + "/")).toList();
    }

    @Override
    public void delete(String name) throws IOException {
        fail();
        objects.remove(name);
    }

    private void fail() throws IOException {
        if (random.nextDouble() < faults) {
            throw new IOException("503 Slow Down");
        }
    }
}
