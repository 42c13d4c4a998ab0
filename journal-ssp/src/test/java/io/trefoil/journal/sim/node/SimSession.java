/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.node;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.sim.world.SimNetwork;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** A connection between a writer and a node. It ends with either side, and answers never cross into the next connection. */
public final class SimSession {

    private final SimNetwork network;
    private final SimHost client;
    private final SimNode node;
    private final int nodeIncarnation;
    private final Runnable onBreak;
    private boolean open = true;
    private boolean openAtNode = true;
    private final Set<SimHost> silenced = new HashSet<>();

    /** @param onBreak what the client does when it notices */
    public SimSession(SimNetwork network, SimHost client, SimNode node, Runnable onBreak) {
        this.network = network;
        this.client = client;
        this.node = node;
        this.nodeIncarnation = node.host().incarnation();
        this.onBreak = onBreak;
    }

    public boolean isOpen() {
        return open;
    }

    /** Whether the node still keeps its end. */
    public boolean isOpenAtNode() {
        return openAtNode;
    }

    /** The node gives its end up, or hears that the client has. */
    public void endAtNode() {
        openAtNode = false;
    }

    /** Whether nothing arrives any more that this end sends, though neither has noticed. */
    public boolean isSilent(SimHost sender) {
        return silenced.contains(sender);
    }

    /** From now on nothing arrives that this end sends; what the other one sends does. */
    public void fallSilent(SimHost sender) {
        silenced.add(sender);
    }

    SimHost client() {
        return client;
    }

    SimNode node() {
        return node;
    }

    /** Whether the node is still the process that the connection began with. */
    public boolean isWithSameProcess() {
        return node.host().isUp() && node.host().incarnation() == nodeIncarnation;
    }

    public void send(PoolRequest request, Consumer<PoolReply> onReply) {
        network.send(client, node.host(), request, () -> {
            // The node may still read what was on its way when the client left; after a restart of the node it is gone.
            if (isWithSameProcess()) {
                node.receive(request, reply -> answer(reply, onReply));
            }
        });
    }

    private void answer(PoolReply reply, Consumer<PoolReply> onReply) {
        network.send(node.host(), client, reply, () -> {
            if (open) {
                onReply.accept(reply);
            }
        });
    }

    /** The client notices that the connection is gone. */
    public void breakNow() {
        if (open) {
            open = false;
            onBreak.run();
        }
    }

    /** The client closes the connection. */
    public void close() {
        open = false;
    }
}
