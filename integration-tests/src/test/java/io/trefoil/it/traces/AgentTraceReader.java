/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.traces;

import io.trefoil.foundation.TracedGroups;
import io.trefoil.foundation.ValueReader;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.run.AgentTraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the trace of an agent, and replays it through the rules. */
final class AgentTraceReader {

    private AgentTraceReader() {}

    /**
     * Replays a trace, whose last record may be incomplete.
     *
     * @return how many events the rules saw
     * @throws io.trefoil.foundation.DriverFault if the driver did something else than the rules asked for
     */
    static long replay(Path file) throws IOException {
        AgentReplay replay = new AgentReplay();
        ValueReader values = new ValueReader();
        try (TracedGroups groups = TracedGroups.open(file)) {
            for (Optional<byte[]> group = groups.next(); group.isPresent(); group = groups.next()) {
                List<Object> record = values.read(group.get());
                switch ((String) record.get(0)) {
                    case AgentTraceFile.BEGAN -> replay.onBegin((AgentSettings) record.get(1), (Long) record.get(2));
                    case AgentTraceFile.SAW ->
                        replay.onEvent((Long) record.get(1), (AgentEvent) record.get(2), (Long) record.get(3));
                    case AgentTraceFile.CALLED -> replay.onCall((String) record.get(1));
                    default -> throw new IOException("A record " + record);
                }
            }
        }
        return replay.eventCount();
    }
}
