/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the calls that this NameNode has forwarded since it started, of their outcomes, and of the reasons for not forwarding others.
 * Thread-safe; counting takes no lock, because each forwarded call does it.
 */
final class ForwardingCounters {

    /** Describes how a count is shown to operators. Immutable. */
    static final class Metric {

        private final String name;
        private final String description;

        private Metric(String name, String description) {
            this.name = name;
            this.description = description;
        }

        String name() {
            return name;
        }

        String description() {
            return description;
        }
    }

    /** Describes why a call was not forwarded; its client was refused as by HDFS, or asked to retry. */
    enum Refusal {
        NO_ACTIVE("RefusedNoActive", "Calls refused because no active was known, or this NameNode is far behind"),
        AUXILIARY_PORT(
                "RefusedAuxiliaryPort", "Calls refused because they came by an auxiliary port with its own protection"),
        TOO_LARGE("RefusedTooLarge", "Calls refused because of the size of their requests"),
        TOO_MANY("RefusedTooMany", "Calls refused because as many as possible were under way"),
        NO_ROOM("RefusedNoRoom", "Calls refused because answers with what is not applied here took all room");

        @SuppressWarnings(
                "ImmutableEnumChecker") // It is immutable, which Error Prone wants to be told by its own annotation.
        private final Metric metric;

        Refusal(String name, String description) {
            this.metric = new Metric(name, description);
        }

        Metric metric() {
            return metric;
        }
    }

    /** The outcome of a forwarded call. */
    enum Outcome {
        ANSWERED("Answered", "Calls answered as by the active, after that was applied here"),
        NOT_EXECUTED("HandedBackNotExecuted", "Calls that the active certainly did not execute"),
        UNKNOWN("HandedBackUnknown", "Calls whose session ended, or to which the active gave no answer"),
        NO_ANSWER("HandedBackNoAnswer", "Calls to which the active was silent for as long as a client waits"),
        NOT_APPLIED("HandedBackNotApplied", "Calls with an answer that was not applied here in time"),
        NO_ROOM("HandedBackNoRoom", "Calls with an answer for which there was no room until it is applied"),
        CLIENT_GONE("ClientGone", "Calls whose clients did not wait any longer");

        @SuppressWarnings(
                "ImmutableEnumChecker") // It is immutable, which Error Prone wants to be told by its own annotation.
        private final Metric metric;

        Outcome(String name, String description) {
            this.metric = new Metric(name, description);
        }

        Metric metric() {
            return metric;
        }
    }

    private final LongAdder forwarded = new LongAdder();
    private final LongAdder sentAgain = new LongAdder();
    private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);
    private final Map<Outcome, LongAdder> ended = new EnumMap<>(Outcome.class);

    ForwardingCounters() {
        for (Refusal each : Refusal.values()) {
            refused.put(each, new LongAdder());
        }
        for (Outcome each : Outcome.values()) {
            ended.put(each, new LongAdder());
        }
    }

    /** Counts a call that is about to be forwarded; {@link #ended} follows once. */
    void recordBegin() {
        forwarded.increment();
    }

    void recordEnd(Outcome outcome) {
        ended.get(outcome).increment();
    }

    void recordRefusal(Refusal reason) {
        refused.get(reason).increment();
    }

    /** Counts a call that is resent. */
    void recordResend() {
        sentAgain.increment();
    }

    long resentCount() {
        return sentAgain.sum();
    }

    long forwardedCount() {
        return forwarded.sum();
    }

    long count(Outcome outcome) {
        return ended.get(outcome).sum();
    }

    long count(Refusal reason) {
        return refused.get(reason).sum();
    }
}
