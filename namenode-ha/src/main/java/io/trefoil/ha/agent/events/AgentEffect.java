/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import java.util.Optional;

/** Something that an agent wants done. A value; dispatched by a {@link Handler}. */
public abstract class AgentEffect {

    private AgentEffect() {}

    /**
     * Has a driver carry it out.
     *
     * @throws X if the handler does
     */
    public abstract <X extends Exception> void performedBy(Handler<X> handler) throws X;

    /** One method per effect. */
    public interface Handler<X extends Exception> {

        /** Publishes a record of this member in the view, replacing the previous one. */
        public void publish(MemberRecord record) throws X;

        /** Asks the pool for the lease; {@code surveyed} follows. */
        public void survey() throws X;

        /** Takes the lock if the last ballot is still the expected one; {@code lockTaken} or {@code lockMissed} follows. */
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) throws X;

        /** Writes the epoch into the held lock. */
        public void showEpoch(LockRecord lock) throws X;

        /** Releases the lock. */
        public void releaseLock(LockRecord lock) throws X;

        /** Opens the sessions with the pool that {@link #takeEpoch} needs, and asks for nothing; nothing follows. */
        public void openSessions() throws X;

        /** Closes the sessions that {@link #openSessions} opened: they are not needed; nothing follows. */
        public void closeSessions() throws X;

        /** Becomes the journal's writer; {@code promised} or {@code promiseFailed} follows. */
        public void takeEpoch() throws X;

        /** Gives up the epoch, acquired or not; {@code promiseFailed} follows, unless {@code promised} came before. */
        public void giveUpEpoch() throws X;

        /** Makes HDFS active; {@code activated} or {@code activationFailed} follows. */
        public void activate() throws X;

        /** Makes HDFS standby; {@code steppedDown} or {@code stepDownFailed} follows. */
        public void stepDown() throws X;

        /**
         * Makes HDFS an observer, or an observer a standby; {@code roleChanged} or {@code roleChangeFailed} follows.
         */
        public void changeRole(HaRole role) throws X;

        /** Ends the process at once, without waiting for anything. */
        public void halt(String why) throws X;

        /** Adds a failover to the history. */
        public void record(Failover failover) throws X;

        /** Answers a request; an empty refusal is a yes. */
        public void answer(AgentRequest request, String refusal) throws X;
    }

    public static AgentEffect publish(MemberRecord record) {
        return new AutoValue_AgentEffect_PublishRecord(record);
    }

    public static AgentEffect survey() {
        return new AutoValue_AgentEffect_SurveyLease();
    }

    public static AgentEffect takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) {
        return new AutoValue_AgentEffect_TakeLock(lock, expected, replaced);
    }

    public static AgentEffect showEpoch(LockRecord lock) {
        return new AutoValue_AgentEffect_ShowEpoch(lock);
    }

    public static AgentEffect releaseLock(LockRecord lock) {
        return new AutoValue_AgentEffect_ReleaseLock(lock);
    }

    public static AgentEffect openSessions() {
        return new AutoValue_AgentEffect_OpenSessions();
    }

    public static AgentEffect closeSessions() {
        return new AutoValue_AgentEffect_CloseSessions();
    }

    public static AgentEffect takeEpoch() {
        return new AutoValue_AgentEffect_TakeEpoch();
    }

    public static AgentEffect giveUpEpoch() {
        return new AutoValue_AgentEffect_GiveUpEpoch();
    }

    public static AgentEffect activate() {
        return new AutoValue_AgentEffect_Activate();
    }

    public static AgentEffect stepDown() {
        return new AutoValue_AgentEffect_StepDown();
    }

    public static AgentEffect changeRole(HaRole role) {
        return new AutoValue_AgentEffect_ChangeRole(role);
    }

    public static AgentEffect halt(String why) {
        return new AutoValue_AgentEffect_HaltProcess(why);
    }

    public static AgentEffect record(Failover failover) {
        return new AutoValue_AgentEffect_RecordFailover(failover);
    }

    public static AgentEffect answer(AgentRequest request, String refusal) {
        return new AutoValue_AgentEffect_AnswerRequest(request, refusal);
    }

    @AutoValue
    abstract static class PublishRecord extends AgentEffect {

        abstract MemberRecord record();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.publish(record());
        }
    }

    @AutoValue
    abstract static class SurveyLease extends AgentEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.survey();
        }
    }

    @AutoValue
    abstract static class TakeLock extends AgentEffect {

        abstract LockRecord lock();

        abstract Ballot expected();

        abstract Optional<LockRecord> replaced();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.takeLock(lock(), expected(), replaced());
        }
    }

    @AutoValue
    abstract static class ShowEpoch extends AgentEffect {

        abstract LockRecord lock();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.showEpoch(lock());
        }
    }

    @AutoValue
    abstract static class ReleaseLock extends AgentEffect {

        abstract LockRecord lock();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.releaseLock(lock());
        }
    }

    @AutoValue
    abstract static class OpenSessions extends AgentEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.openSessions();
        }
    }

    @AutoValue
    abstract static class CloseSessions extends AgentEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.closeSessions();
        }
    }

    @AutoValue
    abstract static class TakeEpoch extends AgentEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.takeEpoch();
        }
    }

    @AutoValue
    abstract static class GiveUpEpoch extends AgentEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.giveUpEpoch();
        }
    }

    @AutoValue
    abstract static class Activate extends AgentEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.activate();
        }
    }

    @AutoValue
    abstract static class StepDown extends AgentEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.stepDown();
        }
    }

    @AutoValue
    abstract static class ChangeRole extends AgentEffect {

        abstract HaRole role();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.changeRole(role());
        }
    }

    @AutoValue
    abstract static class HaltProcess extends AgentEffect {

        abstract String why();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.halt(why());
        }
    }

    @AutoValue
    public abstract static class RecordFailover extends AgentEffect {

        public abstract Failover failover();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.record(failover());
        }
    }

    @AutoValue
    abstract static class AnswerRequest extends AgentEffect {

        abstract AgentRequest request();

        abstract String refusal();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.answer(request(), refusal());
        }
    }
}
