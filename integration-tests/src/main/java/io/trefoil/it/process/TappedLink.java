/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A layer in front of a server that carries everything at once, and does something when a word goes by, before it goes on: so a
 * test can kill a process between two steps of a protocol, without a switch in the process itself. Threads and connections end
 * with {@link #close}.
 */
public final class TappedLink implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final AtomicReference<Tap> tap;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** On which way a word goes by. */
    public enum Way {
        THERE,
        BACK
    }

    /**
     * What is to be done when a word goes by, once.
     *
     * @param word of letters that are one byte each
     */
    public record Tap(Way way, String word, Runnable action) {}

    private TappedLink(ServerSocket listener, InetSocketAddress target, AtomicReference<Tap> tap) {
        this.listener = listener;
        this.target = target;
        this.tap = tap;
    }

    /**
     * What connects to {@code front} is connected to {@code target}; both are {@code host:port}.
     *
     * @param tap what to look for, taken out when it was seen; several links may share one
     */
    public static TappedLink between(String front, String target, AtomicReference<Tap> tap) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(address(front));
        TappedLink link = new TappedLink(listener, address(target), tap);
        start("tapped-link", link::accept);
        return link;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private void accept() {
        while (!listener.isClosed()) {
            Optional<Socket> near = next();
            near.ifPresent(socket -> start("tapped-link-connect", () -> connect(socket)));
        }
    }

    private Optional<Socket> next() {
        try {
            Socket socket = listener.accept();
            sockets.add(socket);
            return Optional.of(socket);
        } catch (IOException e) {
            // It is over, or whoever connected is gone.
            return Optional.empty();
        }
    }

    private void connect(Socket near) {
        Socket far = new Socket();
        sockets.add(far);
        try {
            far.connect(target);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
        } catch (IOException e) {
            // Nobody is there: who connects hears it as from a server that dies.
            close(List.of(near, far));
            return;
        }
        start("tapped-link-there", () -> carry(near, far, Way.THERE));
        start("tapped-link-back", () -> carry(far, near, Way.BACK));
    }

    private void carry(Socket from, Socket to, Way way) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[CHUNK_BYTES];
            String before = "";
            int count = in.read(buffer);
            while (count >= 0) {
                String text = before + new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
                look(way, text);
                before = text.substring(Math.max(0, text.length() - 100));
                out.write(buffer, 0, count);
                count = in.read(buffer);
            }
        } catch (IOException e) {
            // Both ends are closed, so that each side hears of it.
        }
        close(List.of(from, to));
    }

    private void look(Way way, String text) {
        Tap wanted = tap.get();
        if (wanted != null && wanted.way() == way && text.contains(wanted.word()) && tap.compareAndSet(wanted, null)) {
            wanted.action().run();
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void close(Iterable<Socket> some) {
        for (Socket socket : some) {
            sockets.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // It is as good as closed.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        close(Set.copyOf(sockets));
    }
}
