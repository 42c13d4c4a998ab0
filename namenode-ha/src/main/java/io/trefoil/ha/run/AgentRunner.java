/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentEffect;
import io.trefoil.ha.agent.AgentEvent;
import io.trefoil.ha.agent.AgentSettings;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.Facts;
import io.trefoil.ha.agent.Request;
import io.trefoil.ha.agent.Succession;
import io.trefoil.ha.agent.Survey;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.Role;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.client.LeaseSurvey;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of one NameNode at work: one thread steps the rules, one asks the pool, and one does what takes long, the
 * epoch and the change of role, so that the first never waits.
 */
public final class AgentRunner implements FailoverRequests, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRunner.class);

    /** How often the process is looked at: this long after the end of a lease it is seen at the latest. */
    private static final long TICK_MILLIS = 10;
    /** How long a silent pool node is waited for. */
    private static final Duration SURVEY_PATIENCE = Duration.ofMillis(200);

    private final Coordination coordination;
    private final NameNodeControl nameNode;
    private final Journal journal;
    private final int writerReplicas;
    private final SecureRandom random = new SecureRandom();
    private final ScheduledExecutorService steps;
    private final ExecutorService surveys;
    private final ExecutorService changes;
    private final Map<Request, CompletableFuture<String>> requests = new HashMap<>();
    private final Effects effects = new Effects();
    private long requestNumber;
    private volatile AgentState state;

    /** On the thread of changes: the writer that no HDFS has yet. */
    private Optional<JournalWriter> prepared = Optional.empty();

    private volatile Optional<Thread> preparing = Optional.empty();
    private volatile boolean givenUp;

    /** Begins nothing yet; {@link #start} does. */
    public AgentRunner(
            AgentSettings settings,
            Coordination coordination,
            NameNodeControl nameNode,
            Journal journal,
            int writerReplicas) {
        this.coordination = coordination;
        this.nameNode = nameNode;
        this.journal = journal;
        this.writerReplicas = writerReplicas;
        this.state = AgentState.begin(settings, System.nanoTime());
        this.steps = Executors.newSingleThreadScheduledExecutor(named("mams-agent"));
        this.surveys = Executors.newSingleThreadExecutor(named("mams-survey"));
        this.changes = Executors.newSingleThreadExecutor(named("mams-change"));
    }

    private ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            // A bug stops the process: an agent that no longer acts would keep a NameNode active that should not be.
            thread.setUncaughtExceptionHandler((dead, cause) -> died(dead, cause));
            return thread;
        };
    }

    private void died(Thread thread, Throwable cause) {
        LOG.error("Thread {} died", thread.getName(), cause);
        nameNode.halt("the thread " + thread.getName() + " of the agent died: " + cause);
    }

    /** Begins to watch, and to act. */
    public void start() {
        coordination.start(new Listener());
        // Sooner than the next time; whether anything follows is for the rules to say.
        journal.onLeaseFreed(() -> onAgent(this::look));
        steps.scheduleWithFixedDelay(this::look, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The state of the agent at this moment. Thread-safe. */
    public AgentState state() {
        return state;
    }

    /** Whether this member may be active in a moment, so that clients had better wait for it. Thread-safe; waits for nothing. */
    public boolean mayBecomeActive() {
        return Succession.mayBecomeActive(state, this::isLeaseFree);
    }

    private boolean isLeaseFree() {
        return journal.heardTerm().filter(heard -> heard.leaseHeld().isZero()).isPresent();
    }

    /** The last failovers of the group as a JSON array, oldest first, as last read. Thread-safe. */
    public String historyJson() {
        return coordination.historyJson();
    }

    @Override
    public CompletableFuture<String> lead() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        onAgent(() -> step(AgentEvent.leadAsked(waiting(answer))));
        return answer;
    }

    @Override
    public CompletableFuture<String> cede(Duration holdBack) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        onAgent(() -> step(AgentEvent.cedeAsked(waiting(answer), holdBack.toMillis())));
        return answer;
    }

    @Override
    public CompletableFuture<String> rejoin() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        onAgent(() -> step(AgentEvent.rejoinAsked(waiting(answer))));
        return answer;
    }

    @Override
    public String describe() {
        return state.describe();
    }

    private Request waiting(CompletableFuture<String> answer) {
        Request request = Request.of(++requestNumber);
        requests.put(request, answer);
        return request;
    }

    private void onAgent(Runnable task) {
        submit(steps, () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                // An executor would keep it to itself.
                died(Thread.currentThread(), e);
            }
        });
    }

    /** Has it done, unless the agent has ended: {@link #close} may come while a step is being carried out. */
    private static void submit(ExecutorService executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not done any more, the agent has ended");
        }
    }

    private void look() {
        try {
            step(AgentEvent.observed(facts(), random.nextLong() >>> 1));
        } catch (RuntimeException | Error e) {
            died(Thread.currentThread(), e);
        }
    }

    private Facts facts() {
        return Facts.builder()
                .role(nameNode.role())
                .wallMillis(System.currentTimeMillis())
                .appliedTxId(nameNode.appliedTxId())
                .lagMillis(nameNode.lagMillis())
                .trouble(nameNode.trouble())
                .diskSilentMillis(journal.diskSilent().toMillis())
                .safeMode(nameNode.isInSafeMode())
                .busy(nameNode.isBusy())
                .own(journal.ownTerm()
                        .map(own -> Facts.OwnLease.of(
                                own.epoch(), own.fenced(), own.leaseLeft().toNanos())))
                .heard(journal.heardTerm()
                        .map(heard -> Facts.HeardLease.of(
                                heard.promised(), !heard.leaseHeld().isZero(), heard.committedTxId(), heard.abreast())))
                .build();
    }

    private void hear(AgentEvent event) {
        onAgent(() -> step(event));
    }

    private void step(AgentEvent event) {
        AgentState before = state;
        Step<AgentState, AgentEffect> step = Agent.step(before, event, System.nanoTime());
        state = step.next();
        if (state.stage() != before.stage()) {
            LOG.info("Agent {} -> {}, {}", before.stage(), state.stage(), state.describe());
        }
        for (AgentEffect effect : step.effects()) {
            effect.performedBy(effects);
        }
    }

    /** Ends the threads and the session with ZooKeeper; the NameNode stays what it is. */
    @Override
    public void close() {
        steps.shutdownNow();
        surveys.shutdownNow();
        changes.shutdownNow();
        coordination.close();
    }

    /** Takes the epoch; on the thread of changes. */
    private void prepare() {
        preparing = Optional.of(Thread.currentThread());
        try {
            if (!givenUp) {
                prepared = Optional.of(journal.prepareWriter(writerReplicas));
                hear(AgentEvent.promised(prepared.get().epoch()));
            }
        } catch (IOException e) {
            if (!givenUp) {
                hear(AgentEvent.promiseFailed(e.toString()));
            }
        } finally {
            preparing = Optional.empty();
            // An interrupt was meant for this alone.
            Thread.interrupted();
        }
    }

    private void unprepare() {
        prepared.ifPresent(JournalWriter::close);
        prepared = Optional.empty();
        hear(AgentEvent.promiseFailed("given up"));
    }

    private void becomeActive() {
        try {
            nameNode.becomeActive();
            prepared = Optional.empty();
            hear(AgentEvent.activated());
        } catch (IOException e) {
            LOG.warn("HDFS did not become active", e);
            hear(AgentEvent.activationFailed(e.toString()));
        }
    }

    private void becomeStandby() {
        try {
            nameNode.becomeStandby();
            hear(AgentEvent.steppedDown());
        } catch (IOException e) {
            LOG.warn("HDFS did not become standby", e);
            hear(AgentEvent.stepDownFailed(e.toString()));
        }
    }

    private void changeRole(Role role) {
        try {
            nameNode.changeRole(role);
            hear(AgentEvent.roleChanged(role));
        } catch (IOException e) {
            LOG.warn("HDFS did not become {}", role, e);
            hear(AgentEvent.roleChangeFailed(e.toString()));
        }
    }

    private void survey() {
        Survey survey;
        try {
            LeaseSurvey lease = journal.surveyLease(SURVEY_PATIENCE);
            Set<String> dead = new LinkedHashSet<>();
            for (NodeAddress address : lease.dead()) {
                dead.add(address.toString());
            }
            survey = Survey.of(lease.free(), lease.rivalsPossible(), lease.lastTxId(), dead);
        } catch (IOException e) {
            LOG.debug("The pool could not be asked", e);
            survey = Survey.SILENCE;
        }
        hear(AgentEvent.surveyed(survey));
    }

    /** Hands what is to be done to those who do it. */
    private final class Effects implements AgentEffect.Handler<Void> {

        private Void on(ExecutorService executor, Runnable task) {
            submit(executor, task);
            return null;
        }

        @Override
        public Void publish(MemberRecord record) {
            coordination.publish(record);
            return null;
        }

        @Override
        public Void survey() {
            return on(surveys, AgentRunner.this::survey);
        }

        @Override
        public Void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) {
            coordination.takeLock(lock, expected, replaced);
            return null;
        }

        @Override
        public Void showEpoch(LockRecord lock) {
            coordination.showEpoch(lock);
            return null;
        }

        @Override
        public Void releaseLock(LockRecord lock) {
            coordination.releaseLock(lock);
            return null;
        }

        @Override
        public Void takeEpoch() {
            givenUp = false;
            return on(changes, AgentRunner.this::prepare);
        }

        @Override
        public Void giveUpEpoch() {
            givenUp = true;
            preparing.ifPresent(Thread::interrupt);
            return on(changes, AgentRunner.this::unprepare);
        }

        @Override
        public Void activate() {
            return on(changes, AgentRunner.this::becomeActive);
        }

        @Override
        public Void stepDown() {
            return on(changes, AgentRunner.this::becomeStandby);
        }

        @Override
        public Void changeRole(Role role) {
            return on(changes, () -> AgentRunner.this.changeRole(role));
        }

        @Override
        public Void halt(String why) {
            LOG.error("This NameNode ends at once: {}", why);
            nameNode.halt(why);
            return null;
        }

        @Override
        public Void record(Failover failover) {
            LOG.info("Active in epoch {}: {}", failover.epoch(), failover);
            coordination.record(failover);
            return null;
        }

        @Override
        public Void answer(Request request, String refusal) {
            CompletableFuture<String> waiting = requests.remove(request);
            if (waiting != null) {
                waiting.complete(refusal);
            }
            return null;
        }
    }

    /** Hears what ZooKeeper tells. */
    private final class Listener implements Coordination.Listener {

        @Override
        public void viewChanged(View view) {
            hear(AgentEvent.viewChanged(view));
        }

        @Override
        public void disconnected() {
            hear(AgentEvent.disconnected());
        }

        @Override
        public void lockTaken(Ballot ballot) {
            hear(AgentEvent.lockTaken(ballot));
        }

        @Override
        public void lockMissed() {
            hear(AgentEvent.lockMissed());
        }
    }
}
