/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.foundation.LogThread;
import io.trefoil.foundation.RuleDriver;
import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.AgentTrace;
import io.trefoil.ha.agent.ClientWaitPolicy;
import io.trefoil.ha.agent.ForwardTarget;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEffectHandler;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.replica.ObservedTerm;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the agent of one NameNode. One thread steps the rules, one queries the pool, and one does the slow work:
 * acquiring the epoch and changing the role. The first thus never waits, not even for the disk of the log.
 */
public final class AgentRunner implements FailoverRequests, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRunner.class);

    /** How often the agent checks the process; it notices the end of a lease at most this much later. */
    private static final long TICK_MILLIS = 10;
    /** How long to wait for a silent pool node. */
    private static final Duration SURVEY_TIMEOUT = Duration.ofMillis(200);
    /** How long an active waits for silent pool nodes that accept connections and were slower than {@code SURVEY_TIMEOUT}. */
    private static final Duration SLOW_SURVEY_TIMEOUT = Duration.ofMillis(500);

    private static final String EARLIER_NAMESPACE =
            "its namespace is not known to be of the journal's present incarnation, which "
                    + "began with a promotion: if it is from before, run hdfs namenode -bootstrapStandby on its host";

    private static final String OTHER_INCARNATION =
            "the pool node in its process holds another incarnation of the journal than the one in force: if the "
                    + "journal was initialized there alone, run hdfs namenode -bootstrapStandby on its host, then hdfs "
                    + "trefoil journal repair --execute";
    /** How long a terminating process waits for its last log messages. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final Coordination coordination;
    private final NameNodeControl nameNode;
    private final Journal journal;
    private final int writerReplicas;
    private final AgentTrace trace;
    /** The source of bids, which must differ from member to member. Nothing else depends on it, and one bid is drawn at each check. */
    private final Random random = new Random(new SecureRandom().nextLong());

    private final ScheduledExecutorService steps;
    private final ExecutorService surveys;
    private final ExecutorService changes;
    private final LogThread log = new LogThread("mams-agent-log");
    private final Map<AgentRequest, CompletableFuture<String>> requests = new HashMap<>();
    private final RuleDriver<AgentState, AgentEvent, AgentEffect, RuntimeException> driver;
    private final AtomicLong takeovers = new AtomicLong();
    private long requestNumber;

    /** Whether the other nodes were slow at the last survey; used only on the thread of surveys. */
    private boolean areOthersSlow;

    /** The prepared writer that HDFS does not use yet; used only on the thread that changes roles. */
    private Optional<JournalWriter> prepared = Optional.empty();

    private volatile Optional<Thread> preparing = Optional.empty();
    private volatile boolean givenUp;
    private volatile Runnable activeListener = () -> {};

    /** Creates the agent, which does nothing before {@link #start}. */
    public AgentRunner(
            AgentSettings settings,
            Coordination coordination,
            NameNodeControl nameNode,
            Journal journal,
            int writerReplicas,
            AgentTrace trace) {
        this.coordination = CallTracer.wrap(Coordination.class, coordination, trace);
        this.nameNode = CallTracer.wrap(NameNodeControl.class, nameNode, trace);
        this.journal = CallTracer.wrap(Journal.class, journal, trace);
        this.trace = trace;
        this.writerReplicas = writerReplicas;
        Effects effects = new Effects();
        this.driver = new RuleDriver<>(
                "the agent of " + settings.name(),
                initialState(settings),
                this::decide,
                this::reportChange,
                effect -> effect.dispatch(effects));
        this.steps = Executors.newSingleThreadScheduledExecutor(threadFactory("mams-agent"));
        this.surveys = Executors.newSingleThreadExecutor(threadFactory("mams-survey"));
        this.changes = Executors.newSingleThreadExecutor(threadFactory("mams-change"));
    }

    private AgentState initialState(AgentSettings settings) {
        long nowNanos = System.nanoTime();
        AgentState state = AgentState.begin(settings, nowNanos);
        trace.began(state, nowNanos);
        return state;
    }

    private Step<AgentState, AgentEffect> decide(AgentState state, AgentEvent event) {
        long nowNanos = System.nanoTime();
        trace.received(state, event, nowNanos);
        return Agent.step(state, event, nowNanos);
    }

    private ThreadFactory threadFactory(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            // A bug stops the process: an agent that no longer acts would keep a NameNode active that must not be.
            thread.setUncaughtExceptionHandler((dead, cause) -> onThreadDeath(dead, cause));
            return thread;
        };
    }

    private void onThreadDeath(Thread thread, Throwable cause) {
        log.write(() -> LOG.error(
                "thread={} died; do: report the cause; this NameNode exits, and another takes over",
                thread.getName(),
                cause));
        halt("the thread " + thread.getName() + " of the agent died: " + cause);
    }

    private void halt(String reason) {
        log.awaitWritten(LAST_WORDS);
        nameNode.halt(reason);
    }

    /** Starts watching and acting. */
    public void start() {
        coordination.start(new Listener());
        // Looks before the next tick; the rules decide whether anything follows.
        journal.setLeaseFreedWatcher(() -> executeOnAgent(this::observe));
        steps.scheduleWithFixedDelay(this::observe, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The state of the agent at this moment. Thread-safe. */
    public AgentState state() {
        return driver.state();
    }

    /** Whether this member may soon be active, so that clients should wait for it. Thread-safe; waits for nothing. */
    public boolean mayBecomeActive() {
        return timeUntilMayBecomeActive().filter(Duration::isZero).isPresent();
    }

    /**
     * Returns how long until this member may become active, unless the active is heard from again: zero if clients should wait for it
     * already; empty if it must not become active. Thread-safe; waits for nothing.
     */
    public Optional<Duration> timeUntilMayBecomeActive() {
        return ClientWaitPolicy.timeUntilMayBecomeActive(
                state(), () -> journal.observedTerm().map(ObservedTerm::timeUntilMayEnd));
    }

    /** Whether calls for the active should wait here for the next one. Thread-safe; waits for nothing. */
    public boolean expectsActive() {
        return ForwardTarget.isTargetExpected(state());
    }

    /**
     * Adds a listener that is called after each change that may give the group another active; it runs on the agent's thread, so it must
     * not block.
     */
    public void onActiveChange(Runnable listener) {
        activeListener = listener;
    }

    /** Whether this member is about to stop being active. Thread-safe; waits for nothing. */
    public boolean isSteppingDown() {
        return state().stage() == AgentStage.STEPPING_DOWN;
    }

    /** The last failovers of the group as a JSON array, oldest first, as of the last reading. Thread-safe. */
    public String historyJson() {
        return coordination.historyJson();
    }

    /** Returns the number of takeovers that this member has completed since it began. Thread-safe. */
    public long takeovers() {
        return takeovers.get();
    }

    @Override
    public CompletableFuture<String> takeOver() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        executeOnAgent(() -> driver.handle(AgentEvent.takeoverRequested(registerRequest(answer))));
        return answer;
    }

    @Override
    public CompletableFuture<String> stepDown(Duration holdBack) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        executeOnAgent(() -> driver.handle(AgentEvent.stepDownRequested(registerRequest(answer), holdBack.toMillis())));
        return answer;
    }

    @Override
    public CompletableFuture<String> rejoin() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        executeOnAgent(() -> driver.handle(AgentEvent.rejoinRequested(registerRequest(answer))));
        return answer;
    }

    /** Carries out an operator's order about elections; answered as {@link Coordination#order} does. Thread-safe. */
    public CompletableFuture<ElectionOrder.Outcome> order(ElectionOrder order, Collection<String> configured) {
        return coordination.order(order, configured);
    }

    @Override
    public String describe() {
        return state().describe();
    }

    private AgentRequest registerRequest(CompletableFuture<String> answer) {
        AgentRequest request = AgentRequest.of(++requestNumber);
        requests.put(request, answer);
        return request;
    }

    private void executeOnAgent(Runnable task) {
        submit(steps, () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                // An executor would swallow it.
                onThreadDeath(Thread.currentThread(), e);
            }
        });
    }

    /** Submits a task, unless the agent has ended: {@link #close} may come while a step is being carried out. */
    private static void submit(ExecutorService executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Task dropped: the agent has stopped");
        }
    }

    private void observe() {
        try {
            driver.handle(AgentEvent.observed(observation(), random.nextLong() >>> 1));
        } catch (RuntimeException | Error e) {
            onThreadDeath(Thread.currentThread(), e);
        }
    }

    private LocalObservation observation() {
        return LocalObservation.builder()
                .role(nameNode.role())
                .wallMillis(System.currentTimeMillis())
                .appliedTxId(nameNode.appliedTxId())
                .lagMillis(nameNode.lagMillis())
                .preparing(nameNode.isPreparing())
                .unhealthyReason(nameNode.unhealthyReason())
                .diskSilentMillis(journal.diskStallTime().toMillis())
                .safeMode(nameNode.isInSafeMode())
                .busy(nameNode.isBusy())
                .localLease(journal.localTerm()
                        .map(own -> LocalObservation.LocalLease.of(
                                own.epoch(),
                                own.fenced(),
                                own.refusedByVoter(),
                                own.leaseRemaining().toNanos())))
                .observedLease(journal.observedTerm()
                        .map(heard -> LocalObservation.ObservedLease.of(
                                heard.promisedEpoch(),
                                !heard.leaseRemaining().isZero(),
                                heard.committedTxId(),
                                heard.caughtUp())))
                .build();
    }

    private void handle(AgentEvent event) {
        executeOnAgent(() -> driver.handle(event));
    }

    private void reportChange(AgentState before, AgentState after) {
        if (after.stage() != before.stage()) {
            log.write(() -> LOG.info("Agent stage={} -> {}, {}", before.stage(), after.stage(), after.describe()));
        }
        if (after.stage() != before.stage() || !after.view().equals(before.view())) {
            activeListener.run();
        }
    }

    /** Ends the threads and the session with ZooKeeper; the NameNode keeps its role. */
    @Override
    public void close() {
        steps.shutdownNow();
        surveys.shutdownNow();
        changes.shutdownNow();
        log.shutDown();
        trace.closed();
        coordination.close();
    }

    /** Opens the sessions of the next writer, on the thread that changes roles. */
    private void openSessions() {
        try {
            journal.openSessions(writerReplicas);
        } catch (IOException e) {
            LOG.debug("Cannot open the sessions of the next writer yet; they are opened when it asks for its epoch", e);
        }
    }

    /** Acquires the epoch, on the thread that changes roles. */
    private void prepare() {
        preparing = Optional.of(Thread.currentThread());
        try {
            if (!givenUp) {
                prepared = Optional.of(journal.prepareWriter(writerReplicas));
                handle(AgentEvent.epochPromised(prepared.get().epoch()));
            }
        } catch (IOException e) {
            if (!givenUp) {
                handle(AgentEvent.promiseFailed(e.toString()));
            }
        } finally {
            preparing = Optional.empty();
            // An interrupt was meant for this task alone.
            Thread.interrupted();
        }
    }

    private void releasePrepared() {
        journal.closeSessions();
        prepared.ifPresent(JournalWriter::close);
        prepared = Optional.empty();
        handle(AgentEvent.promiseFailed("given up"));
    }

    private void becomeActive() {
        try {
            nameNode.becomeActive();
            prepared = Optional.empty();
            handle(AgentEvent.activated());
        } catch (IOException e) {
            LOG.warn("Transition to active failed; no action needed: another NameNode takes over, or it is retried", e);
            handle(AgentEvent.activationFailed(e.toString()));
        }
    }

    private void becomeStandby() {
        try {
            nameNode.becomeStandby();
            handle(AgentEvent.steppedDown());
        } catch (IOException e) {
            LOG.warn(
                    "Transition to standby failed; no action needed: this NameNode exits, and becomes a standby "
                            + "when it is restarted",
                    e);
            handle(AgentEvent.stepDownFailed(e.toString()));
        }
    }

    private void changeRole(HaRole role) {
        try {
            nameNode.changeRole(role);
            handle(AgentEvent.roleChanged(role));
        } catch (IOException e) {
            LOG.warn("Transition to role={} failed; no action needed: it is retried", role, e);
            handle(AgentEvent.roleChangeFailed(e.toString()));
        }
    }

    private void survey() {
        LeaseReport survey;
        try {
            PoolLeaseStatus lease = journal.queryLease(areOthersSlow ? SLOW_SURVEY_TIMEOUT : SURVEY_TIMEOUT);
            areOthersSlow = lease.decisionPending();
            Set<String> dead = new LinkedHashSet<>();
            for (NodeAddress address : lease.deadNodes()) {
                dead.add(address.toString());
            }
            LeaseReport found = LeaseReport.of(lease.leaseFree(), lease.rivalTermPossible(), lease.lastTxId(), dead)
                    .withPromise(lease.promisedEpoch());
            LeaseReport heard = lease.decisionPending() ? found.withPendingAnswers() : found;
            survey = objection(lease).map(heard::withObjection).orElse(heard);
        } catch (IOException e) {
            LOG.debug("The pool could not be queried", e);
            areOthersSlow = false;
            survey = LeaseReport.SILENCE;
        }
        handle(AgentEvent.surveyed(survey));
    }

    /** Why this process must not write to the journal in force, if it must not. */
    private Optional<String> objection(PoolLeaseStatus lease) {
        if (!journal.localNamespace().mayWrite(lease.incarnation(), lease.lostRanges())) {
            return Optional.of(EARLIER_NAMESPACE);
        }
        return lease.ownReplicaForeign() ? Optional.of(OTHER_INCARNATION) : Optional.empty();
    }

    /** Passes effects to the threads that carry them out. */
    private final class Effects implements AgentEffectHandler<RuntimeException> {

        @Override
        public void publish(MemberRecord record) {
            coordination.publish(record);
        }

        @Override
        public void survey() {
            submit(surveys, AgentRunner.this::survey);
        }

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock) {
            coordination.takeLock(lock, expected, replacedLock);
        }

        @Override
        public void publishEpoch(LockRecord lock) {
            coordination.publishEpoch(lock);
        }

        @Override
        public void releaseLock(LockRecord lock) {
            coordination.releaseLock(lock);
        }

        @Override
        public void openSessions() {
            submit(changes, AgentRunner.this::openSessions);
        }

        @Override
        public void closeSessions() {
            submit(changes, journal::closeSessions);
        }

        @Override
        public void takeEpoch() {
            givenUp = false;
            submit(changes, AgentRunner.this::prepare);
        }

        @Override
        public void abandonEpoch() {
            givenUp = true;
            preparing.ifPresent(Thread::interrupt);
            submit(changes, AgentRunner.this::releasePrepared);
        }

        @Override
        public void activate() {
            submit(changes, AgentRunner.this::becomeActive);
        }

        @Override
        public void stepDown() {
            submit(changes, AgentRunner.this::becomeStandby);
        }

        @Override
        public void changeRole(HaRole role) {
            submit(changes, () -> AgentRunner.this.changeRole(role));
        }

        @Override
        public void halt(String reason) {
            log.write(() -> LOG.error(
                    "Terminating this NameNode: {}; do: start it again if its service does not; it then becomes "
                            + "a standby",
                    reason));
            AgentRunner.this.halt(reason);
        }

        @Override
        public void record(Failover failover) {
            log.write(() -> LOG.info("Active in epoch={}: {}", failover.epoch(), failover));
            takeovers.incrementAndGet();
            coordination.record(failover);
        }

        @Override
        public void answer(AgentRequest request, String refusal) {
            trace.called(CallTracer.text("answer", request, refusal));
            CompletableFuture<String> waiting = requests.remove(request);
            if (waiting != null) {
                waiting.complete(refusal);
            }
        }
    }

    /** Receives news from ZooKeeper. */
    private final class Listener implements Coordination.Listener {

        @Override
        public void viewChanged(View view) {
            handle(AgentEvent.viewChanged(view));
        }

        @Override
        public void disconnected() {
            handle(AgentEvent.disconnected());
        }

        @Override
        public void lockTaken(LockRecord lock) {
            handle(AgentEvent.lockTaken(lock));
        }

        @Override
        public void lockMissed() {
            handle(AgentEvent.lockMissed());
        }
    }
}
