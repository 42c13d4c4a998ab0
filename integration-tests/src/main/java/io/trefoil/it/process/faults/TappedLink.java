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
 * A layer in front of a server that carries everything at once, and does something when a word goes by, before it goes on: so a
 * test can kill a process between two steps of a protocol, without a switch in the process itself. Threads and connections end
 * with {@link #close}.
 */
public final class TappedLink implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final Relay relay;
    private final AtomicReference<Tap> tap;

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

    private TappedLink(Relay relay, AtomicReference<Tap> tap) {
        this.relay = relay;
        this.tap = tap;
    }

    /**
     * What connects to {@code front} is connected to {@code target}; both are {@code host:port}.
     *
     * @param tap what to look for, taken out when it was seen; several links may share one
     */
    public static TappedLink between(String front, String target, AtomicReference<Tap> tap) throws IOException {
        TappedLink link = new TappedLink(Relay.between(front, target), tap);
        Relay.start("tapped-link", link::accept);
        return link;
    }

    private void accept() {
        while (!relay.isClosed()) {
            try {
                Socket near = relay.accept();
                Relay.start("tapped-link-connect", () -> connect(near));
            } catch (IOException e) {
                // It is over, or the caller is gone.
            }
        }
    }

    private void connect(Socket near) {
        try {
            Socket far = relay.connect(near);
            Relay.start("tapped-link-there", () -> carry(near, far, Way.THERE));
            Relay.start("tapped-link-back", () -> carry(far, near, Way.BACK));
        } catch (IOException e) {
            // Nobody is there: who connects hears it as from a server that dies.
            relay.close(List.of(near));
        }
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
        relay.close(List.of(from, to));
    }

    private void look(Way way, String text) {
        Tap wanted = tap.get();
        if (wanted != null && wanted.way() == way && text.contains(wanted.word()) && tap.compareAndSet(wanted, null)) {
            wanted.action().run();
        }
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }
}
