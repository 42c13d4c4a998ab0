/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.hdfs.promote.NamespaceTimeline;
import io.trefoil.journal.hdfs.promote.VoidNamespaceException;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.storage.image.ImageSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A NameNode with a pool node in its process. It loads its image and follows the journal, or ends because it cannot, and is
 * started again. What it knows of its namespace is the production class, over real files.
 */
public final class SimNameNode {
    private static final JournalId JOURNAL = JournalId.of("simulated");
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** Long enough for its pool node to become a voter meanwhile. */
    private static final int MAX_LOAD_MILLIS = 900;
    /** How long it may not see what is new in the journal. */
    private static final int MAX_POLL_MILLIS = 800;
    /** Its supervisor waits before it starts it again. */
    private static final int MAX_PAUSE_MILLIS = 1_500;

    private static final int MAX_SILENCE_MILLIS = 100;

    private final WriterWorld world;
    private final SimNode node;
    private final Path directory;
    private final UnaryOperator<LocalNamespace> guards;
    private NamespaceTimeline timeline;
    private boolean hasImage = true;

    /**
     * @param directory its name directory
     * @param guards what its pool node is told in place of what it knows of its namespace
     */
    public SimNameNode(WriterWorld world, SimNode node, Path directory, UnaryOperator<LocalNamespace> guards) {
        this.world = world;
        this.node = node;
        this.directory = directory;
        this.guards = guards;
    }

    /** Its namespace is from before: it was made from these incarnations of the journal. */
    public void setIncarnations(Incarnation... incarnations) {
        String text = Stream.of(incarnations).map(Incarnation::toString).collect(Collectors.joining("\n", "", "\n"));
        try {
            Files.createDirectories(file().getParent());
            Files.writeString(file(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file() {
        return directory.resolve("current").resolve(ImageSource.LINE);
    }

    /** Its image can no longer be loaded. */
    public void loseImage() {
        hasImage = false;
    }

    /** It has followed this incarnation for long, in the process that runs now. */
    public void followForLong(Incarnation incarnation) {
        begin();
        require(incarnation);
        timeline.markInUse();
    }

    /** An operator gives it the namespace of the active, and starts it. */
    public void bootstrap() {
        if (node.host().isUp()) {
            world.stop(node, false);
        }
        hasImage = true;
        try {
            Files.deleteIfExists(file());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    /** A supervisor, or an operator, starts it after a while, if it does not run then. */
    public void scheduleStart() {
        world.schedule(drawNanos(MAX_PAUSE_MILLIS), label("is started"), () -> {
            if (!node.host().isUp()) {
                start();
            }
        });
    }

    private void start() {
        node.start();
        begin();
    }

    private void begin() {
        timeline = NamespaceTimeline.of(JOURNAL, List.of(directory), new AtomicReference<>(Incarnation.NONE));
        node.setNamespace(guards.apply(timeline));
        schedule(MAX_LOAD_MILLIS, "has read its image", this::onLoaded);
        schedule(MAX_SILENCE_MILLIS, "may ask to join", this::requestJoin);
    }

    private void onLoaded() {
        if (hasImage) {
            follow();
        } else {
            end();
        }
    }

    private void follow() {
        Incarnation shown = newestInReach();
        if (!require(shown)) {
            end();
            return;
        }
        timeline.markInUse();
        schedule(MAX_POLL_MILLIS, "looks at the journal", this::follow);
    }

    /** Whether its namespace may go on with an incarnation. */
    private boolean require(Incarnation incarnation) {
        try {
            timeline.requireCompatible(incarnation, List::of);
            return true;
        } catch (VoidNamespaceException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Incarnation newestInReach() {
        Incarnation newest = Incarnation.NONE;
        for (SimNode other : world.nodes()) {
            Optional<Incarnation> existing = other.disk().incarnation();
            if (other.host().isUp() && existing.isPresent() && existing.get().isAbove(newest)) {
                newest = existing.get();
            }
        }
        return newest;
    }

    private void end() {
        world.stop(node, false);
        scheduleStart();
    }

    /** As {@code JoinRequester} does, but more often. */
    private void requestJoin() {
        if (node.isRequestingToJoin()) {
            ChangeMembersRequest request = ChangeMembersRequest.of(
                    MemberChange.join("join-" + node.address().host(), node.address()));
            for (SimNode other : world.nodes()) {
                if (other != node) {
                    world.network().send(node.host(), other.host(), request, () -> other.receive(request, reply -> {}));
                }
            }
        }
        schedule(MAX_SILENCE_MILLIS, "may ask to join", this::requestJoin);
    }

    private void schedule(int mostMillis, String operation, Runnable happening) {
        node.host().schedule(drawNanos(mostMillis), label(operation), happening);
    }

    private long drawNanos(int mostMillis) {
        return (1 + world.random().nextInt(mostMillis)) * NANOS_PER_MILLI;
    }

    private String label(String operation) {
        return "the NameNode of " + node.address().host() + " " + operation;
    }
}
