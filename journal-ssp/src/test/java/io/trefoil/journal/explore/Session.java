/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * The connection of a writer with a node.
 *
 * @param strays what was on its way when an earlier connection ended: the node may read it yet, or not
 */
record Session(Mode mode, List<Sent> requests, List<Answer> replies, List<Sent> strays) {

    /** Whether a connection is there, as the writer sees it. */
    enum Mode {
        DOWN,
        UP,
        /** It is gone, and the writer does not know yet. */
        BROKEN
    }

    private static final int MAX_AGE = JournalWorld.MAX_TICK_AGE * JournalWorld.JUMPS_OF_TICK;

    /** @param age for how long it has been sent, by the writer's clock, in jumps of a clock */
    record Sent(PoolRequest request, int age) {}

    /** @param age for how long its request has been sent */
    record Answer(PoolReply reply, int age) {}

    static final Session NEW = new Session(Mode.UP, List.of(), List.of(), List.of());

    Session connect() {
        return new Session(Mode.UP, List.of(), List.of(), strays);
    }

    /** The network breaks it: the node may still read what it has received. */
    Session breakConnection() {
        return new Session(Mode.BROKEN, List.of(), replies, plus(strays, requests));
    }

    /** The node's process died. */
    Session loseNode() {
        return new Session(mode == Mode.UP ? Mode.BROKEN : mode, List.of(), replies, List.of());
    }

    /** The writer notices, or closes it. */
    Session end() {
        return new Session(Mode.DOWN, List.of(), List.of(), plus(strays, requests));
    }

    Session withRequest(PoolRequest request) {
        return mode == Mode.UP
                ? new Session(mode, plus(requests, List.of(new Sent(request, 0))), replies, strays)
                : this;
    }

    Session withReply(PoolReply reply, int age) {
        return mode == Mode.UP
                ? new Session(mode, requests, plus(replies, List.of(new Answer(reply, age))), strays)
                : this;
    }

    Session withoutRequest(int index) {
        return new Session(mode, without(requests, index), replies, strays);
    }

    Session withoutReply(int index) {
        return new Session(mode, requests, without(replies, index), strays);
    }

    Session withoutStray(int index) {
        return new Session(mode, requests, replies, without(strays, index));
    }

    /** A few jumps of a clock later. */
    Session age(int jumps) {
        return new Session(
                mode,
                requests.stream()
                        .map(sent -> new Sent(sent.request, Math.min(MAX_AGE, sent.age + jumps)))
                        .toList(),
                replies.stream()
                        .map(sent -> new Answer(sent.reply, Math.min(MAX_AGE, sent.age + jumps)))
                        .toList(),
                strays);
    }

    private static <T> List<T> plus(List<T> list, List<T> more) {
        if (more.isEmpty()) {
            return list;
        }
        List<T> longer = new ArrayList<>(list);
        longer.addAll(more);
        return List.copyOf(longer);
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> shorter = new ArrayList<>(list);
        shorter.remove(index);
        return List.copyOf(shorter);
    }
}
