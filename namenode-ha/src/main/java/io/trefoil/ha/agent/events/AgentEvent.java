/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;

/** Something that an agent learns. A value; dispatched by a {@link Handler}. */
public abstract class AgentEvent {

    private AgentEvent() {}

    public abstract <X extends Exception> void dispatch(Handler<X> handler) throws X;

    /** One method per event. */
    public interface Handler<X extends Exception> {

        void observed(LocalObservation observation, long bid) throws X;

        void viewChanged(View view) throws X;

        void disconnected() throws X;

        void surveyed(LeaseReport survey) throws X;

        void lockTaken(Ballot ballot) throws X;

        void lockMissed() throws X;

        void promised(Epoch epoch) throws X;

        void promiseFailed(String why) throws X;

        void activated() throws X;

        void activationFailed(String why) throws X;

        void steppedDown() throws X;

        void stepDownFailed(String why) throws X;

        void roleChanged(HaRole role) throws X;

        void roleChangeFailed(String why) throws X;

        void leadAsked(AgentRequest request) throws X;

        void cedeAsked(AgentRequest request, long holdBackMillis) throws X;

        void rejoinAsked(AgentRequest request) throws X;
    }

    /** The state of the agent's own process, and the bid for the next election; comes every few milliseconds. */
    public static AgentEvent observed(LocalObservation observation, long bid) {
        return new AutoValue_AgentEvent_Observed(observation, bid);
    }

    /** The global view was read. */
    public static AgentEvent viewChanged(View view) {
        return new AutoValue_AgentEvent_ViewChanged(view);
    }

    /** ZooKeeper is out of reach; what was read before may be old. */
    public static AgentEvent disconnected() {
        return new AutoValue_AgentEvent_Disconnected();
    }

    /** The pool answered, or stayed silent. */
    public static AgentEvent surveyed(LeaseReport survey) {
        return new AutoValue_AgentEvent_Surveyed(survey);
    }

    /** This member asked for the lock and has it. */
    public static AgentEvent lockTaken(Ballot ballot) {
        return new AutoValue_AgentEvent_LockTaken(ballot);
    }

    /** This member asked for the lock; another member has it, or the outcome is unknown. */
    public static AgentEvent lockMissed() {
        return new AutoValue_AgentEvent_LockMissed();
    }

    /** A majority has promised the requested epoch, and everything older is committed. */
    public static AgentEvent promised(Epoch epoch) {
        return new AutoValue_AgentEvent_EpochPromised(epoch);
    }

    /** The requested epoch was not acquired, or was given up. */
    public static AgentEvent promiseFailed(String why) {
        return new AutoValue_AgentEvent_PromiseFailed(why);
    }

    /** HDFS is active. */
    public static AgentEvent activated() {
        return new AutoValue_AgentEvent_Activated();
    }

    /** HDFS refused, and keeps its role. */
    public static AgentEvent activationFailed(String why) {
        return new AutoValue_AgentEvent_ActivationFailed(why);
    }

    /** HDFS is standby. */
    public static AgentEvent steppedDown() {
        return new AutoValue_AgentEvent_SteppedDown();
    }

    /** HDFS refused, and keeps its role. */
    public static AgentEvent stepDownFailed(String why) {
        return new AutoValue_AgentEvent_StepDownFailed(why);
    }

    /** HDFS has the requested role: observer, or standby again. */
    public static AgentEvent roleChanged(HaRole role) {
        return new AutoValue_AgentEvent_RoleChanged(role);
    }

    /** HDFS refused, and keeps its role. */
    public static AgentEvent roleChangeFailed(String why) {
        return new AutoValue_AgentEvent_RoleChangeFailed(why);
    }

    /** An operator wants this member to be active. */
    public static AgentEvent leadAsked(AgentRequest request) {
        return new AutoValue_AgentEvent_LeadAsked(request);
    }

    /** Somebody wants this member to give up being active, and to leave the role to others for a while. */
    public static AgentEvent cedeAsked(AgentRequest request, long holdBackMillis) {
        return new AutoValue_AgentEvent_CedeAsked(request, holdBackMillis);
    }

    /** Somebody wants this member to take part in elections again. */
    public static AgentEvent rejoinAsked(AgentRequest request) {
        return new AutoValue_AgentEvent_RejoinAsked(request);
    }

    @AutoValue
    public abstract static class Observed extends AgentEvent {

        public abstract LocalObservation observation();

        public abstract long bid();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.observed(observation(), bid());
        }
    }

    @AutoValue
    public abstract static class ViewChanged extends AgentEvent {

        public abstract View view();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.viewChanged(view());
        }
    }

    @AutoValue
    public abstract static class Disconnected extends AgentEvent {

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.disconnected();
        }
    }

    @AutoValue
    public abstract static class Surveyed extends AgentEvent {

        public abstract LeaseReport survey();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.surveyed(survey());
        }
    }

    @AutoValue
    abstract static class LockTaken extends AgentEvent {

        abstract Ballot ballot();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.lockTaken(ballot());
        }
    }

    @AutoValue
    abstract static class LockMissed extends AgentEvent {

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.lockMissed();
        }
    }

    @AutoValue
    abstract static class EpochPromised extends AgentEvent {

        abstract Epoch epoch();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.promised(epoch());
        }
    }

    @AutoValue
    abstract static class PromiseFailed extends AgentEvent {

        abstract String why();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.promiseFailed(why());
        }
    }

    @AutoValue
    abstract static class Activated extends AgentEvent {

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.activated();
        }
    }

    @AutoValue
    abstract static class ActivationFailed extends AgentEvent {

        abstract String why();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.activationFailed(why());
        }
    }

    @AutoValue
    abstract static class SteppedDown extends AgentEvent {

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.steppedDown();
        }
    }

    @AutoValue
    abstract static class StepDownFailed extends AgentEvent {

        abstract String why();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.stepDownFailed(why());
        }
    }

    @AutoValue
    public abstract static class RoleChanged extends AgentEvent {

        abstract HaRole role();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.roleChanged(role());
        }
    }

    @AutoValue
    abstract static class RoleChangeFailed extends AgentEvent {

        abstract String why();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.roleChangeFailed(why());
        }
    }

    @AutoValue
    abstract static class LeadAsked extends AgentEvent {

        abstract AgentRequest request();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.leadAsked(request());
        }
    }

    @AutoValue
    abstract static class CedeAsked extends AgentEvent {

        abstract AgentRequest request();

        abstract long holdBackMillis();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.cedeAsked(request(), holdBackMillis());
        }
    }

    @AutoValue
    abstract static class RejoinAsked extends AgentEvent {

        abstract AgentRequest request();

        @Override
        public <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.rejoinAsked(request());
        }
    }
}
