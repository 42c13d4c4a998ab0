/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.foundation.hdfs.TrefoilSettings;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.hdfs.metrics.CallWaitCounters;
import io.trefoil.ha.hdfs.metrics.WarmUpState;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;

/**
 * The details of a NameNode beyond its record in the view: its lease, its disk, the nodes as its writer sees them, its
 * last hour as a writer, its checkpoints, its part in archiving, the calls that it forwards, and its settings. A JSON document, for
 * {@code TrefoilGroup}.
 *
 * <p>Uses {@code Configuration}.
 */
final class GroupDetails {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Supplier<AgentState> state;
    private final Journal journal;
    private final Supplier<WarmUpState> warmUp;
    private final CallWaitCounters calls;
    private final WriterHourStats hour;
    private final Configuration conf;

    GroupDetails(
            Supplier<AgentState> state,
            Journal journal,
            Supplier<WarmUpState> warmUp,
            CallWaitCounters calls,
            WriterHourStats hour,
            Configuration conf) {
        this.state = state;
        this.journal = journal;
        this.warmUp = warmUp;
        this.calls = calls;
        this.hour = hour;
        this.conf = conf;
    }

    /** The current document; does not block. */
    String text() {
        ObjectNode document = JSON.createObjectNode();
        document.put("warmUp", warmUp.get().name().toLowerCase(Locale.ROOT));
        document.put("heldCalls", calls.waitingCalls());
        state.get()
                .observation()
                .localLease()
                .ifPresent(own ->
                        document.put("leaseMillis", Math.max(0, TimeUnit.NANOSECONDS.toMillis(own.remainingNanos()))));
        journal.derivedLease().ifPresent(lease -> document.put(
                        "derivedLeaseMillis", lease.length().toMillis())
                .put("derivedLeaseReason", lease.reason()));
        metric("SspReplica-" + journal.id(), "Syncs60s99thPercentileLatencyMicros")
                .filter(micros -> micros > 0)
                .ifPresent(micros -> document.put("diskP99Micros", micros));
        addNodes(document.putArray("nodes"));
        hour.addTo(document);
        addCheckpoints(document);
        addArchive(document);
        addForwarding(document);
        addSettings(document.putArray("settings"));
        return document.toString();
    }

    private void addNodes(ArrayNode nodes) {
        if (!journal.writerStatus().isPresent()) {
            return;
        }
        for (WriterStatus.NodeLag node : journal.writerStatus().get().nodes()) {
            nodes.addObject()
                    .put("address", node.progress().address().toString())
                    .put("inSync", node.progress().inSync())
                    .put("timeouts", node.progress().timeoutCount())
                    .put("lagEntries", node.lagEntries())
                    .put("lagBytes", node.lagBytes())
                    .put("lagMillis", node.lagTime().toMillis());
        }
    }

    private static void addCheckpoints(ObjectNode document) {
        Optional<Long> complete = metric("GlobalCheckpoint", "LedComplete");
        if (!complete.isPresent()) {
            return;
        }
        ObjectNode checkpoints = document.putObject("checkpoints").put("ledComplete", complete.get());
        metric("GlobalCheckpoint", "LedFailed").ifPresent(count -> checkpoints.put("ledFailed", count));
        metric("GlobalCheckpoint", "LedUnknown").ifPresent(count -> checkpoints.put("ledUnknown", count));
        metric("GlobalCheckpoint", "LastFreezeMicros").ifPresent(micros -> checkpoints.put("lastFreezeMicros", micros));
    }

    private static void addArchive(ObjectNode document) {
        Optional<Long> lag = metric("TrefoilArchive", "LagSeconds");
        if (!lag.isPresent()) {
            return;
        }
        ObjectNode archive = document.putObject("archive").put("lagSeconds", lag.get());
        metric("TrefoilArchive", "Archiving").ifPresent(value -> archive.put("archiving", value == 1));
    }

    private static void addForwarding(ObjectNode document) {
        Optional<Long> forwarded = metric("ForwardedCalls", "Forwarded");
        if (!forwarded.isPresent()) {
            return;
        }
        ObjectNode forwarding = document.putObject("forwarding").put("forwarded", forwarded.get());
        metric("ForwardedCalls", "Answered").ifPresent(count -> forwarding.put("answered", count));
        metric("ForwardedCalls", "Waiting").ifPresent(count -> forwarding.put("waiting", count));
    }

    private void addSettings(ArrayNode settings) {
        TrefoilSettings.findChanged(conf).forEach((name, changed) -> settings.addObject()
                .put("name", name)
                .put("value", changed.value())
                .put("default", changed.defaultText().orElse(null)));
    }

    /** A number from this process's metrics, as the metrics system last read it; empty if there is none of that name. */
    private static Optional<Long> metric(String source, String name) {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            Object value = beans.getAttribute(new ObjectName("Hadoop:service=NameNode,name=" + source), name);
            return value instanceof Number ? Optional.of(((Number) value).longValue()) : Optional.<Long>empty();
        } catch (JMException notThere) {
            return Optional.empty();
        }
    }
}
