/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An attacker in the middle: hands on what a caller and a node say to each other, frame by frame or piece by piece, as both begin
 * with their length; and does with each of the caller's what a test wants.
 */
final class WireTap implements AutoCloseable {

    /** What becomes of the caller's words; counted from 0 on each connection. */
    interface FrameInterceptor {
        List<byte[]> intercept(int index, byte[] words);
    }

    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress node;
    private final FrameInterceptor meddler;
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    /** All that callers said, as it came. */
    final List<byte[]> said = new CopyOnWriteArrayList<>();
    /** All that the node said. */
    final List<byte[]> answered = new CopyOnWriteArrayList<>();

    WireTap(InetSocketAddress node, FrameInterceptor meddler) throws IOException {
        this.node = node;
        this.meddler = meddler;
        open.add(door);
        start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) door.getLocalSocketAddress();
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (Exception e) {
                        // The connection or the test is over.
                    }
                },
                "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket caller = door.accept();
            Socket onward = new Socket(node.getAddress(), node.getPort());
            open.add(caller);
            open.add(onward);
            start(() -> {
                try (caller;
                        onward) {
                    DataOutputStream out = new DataOutputStream(onward.getOutputStream());
                    for (int i = 0; true; i++) {
                        byte[] words = read(caller);
                        said.add(words);
                        for (byte[] passed : meddler.intercept(i, words)) {
                            out.writeInt(passed.length);
                            out.write(passed);
                        }
                        out.flush();
                    }
                }
            });
            start(() -> {
                try (caller;
                        onward) {
                    DataOutputStream out = new DataOutputStream(caller.getOutputStream());
                    while (true) {
                        byte[] words = read(onward);
                        answered.add(words);
                        out.writeInt(words.length);
                        out.write(words);
                        out.flush();
                    }
                }
            });
        }
    }

    private static byte[] read(Socket from) throws IOException {
        DataInputStream in = new DataInputStream(from.getInputStream());
        byte[] words = new byte[in.readInt()];
        in.readFully(words);
        return words;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }
}
