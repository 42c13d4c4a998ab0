/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A layer in front of a server that passes on everything without delay, and runs an action when it sees a word, before it passes that on,
 * so that a test can kill a process between two steps of a protocol, without a switch in the process itself. Threads and connections end
 * with {@link #close}.
 */
public final class TappedLink implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final Relay relay;
    private final AtomicReference<Tap> tap;

    /** The direction in which a word passes. */
    public enum Direction {
        THERE,
        BACK
    }

    /**
     * An action to run once when a word passes.
     *
     * @param word of characters that are one byte each
     */
    public record Tap(Direction direction, String word, Runnable action) {}

    private TappedLink(Relay relay, AtomicReference<Tap> tap) {
        this.relay = relay;
        this.tap = tap;
    }

    /**
     * Connects callers of {@code front} to {@code target}, both as {@code host:port}.
     *
     * @param tap what to look for, removed once it was seen; several links may share one
     */
    public static TappedLink between(String front, String target, AtomicReference<Tap> tap) throws IOException {
        TappedLink link = new TappedLink(Relay.between(front, target), tap);
        Relay.start("tapped-link", link::accept);
        return link;
    }

    private void accept() {
        while (!relay.isClosed()) {
            try {
                Socket nearSocket = relay.accept();
                Relay.start("tapped-link-connect", () -> connect(nearSocket));
            } catch (IOException e) {
                // The link is closed, or the caller is gone.
            }
        }
    }

    private void connect(Socket nearSocket) {
        try {
            Socket far = relay.connect(nearSocket);
            Relay.start("tapped-link-there", () -> forward(nearSocket, far, Direction.THERE));
            Relay.start("tapped-link-back", () -> forward(far, nearSocket, Direction.BACK));
        } catch (IOException e) {
            // No process listens at the target: the caller sees what it would see of a dying server.
            relay.close(List.of(nearSocket));
        }
    }

    private void forward(Socket from, Socket to, Direction direction) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[CHUNK_BYTES];
            String before = "";
            int count = in.read(buffer);
            while (count >= 0) {
                String text = before + new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
                checkTap(direction, text);
                before = text.substring(Math.max(0, text.length() - 100));
                out.write(buffer, 0, count);
                count = in.read(buffer);
            }
        } catch (IOException e) {
            // Both ends are closed, so that each side notices.
        }
        relay.close(List.of(from, to));
    }

    private void checkTap(Direction direction, String text) {
        Tap wanted = tap.get();
        if (wanted != null
                && wanted.direction() == direction
                && text.contains(wanted.word())
                && tap.compareAndSet(wanted, null)) {
            wanted.action().run();
        }
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }
}
