/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.foundation.TraceFile;
import io.trefoil.foundation.ValueWriter;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.AgentTrace;
import io.trefoil.ha.agent.events.AgentEvent;
import java.nio.file.Path;

/**
 * Writes the trace of an agent to a file: in each group the name of a record and its values. A thread of its own passes them to the
 * operating system soon: a process that is killed leaves the beginning of its trace. Thread-safe.
 */
public final class AgentTraceFile implements AgentTrace {

    /** The suffix of the names of such traces. */
    public static final String SUFFIX = ".agent";

    /** Followed by the settings and the time. */
    public static final String BEGAN = "began";

    /** Followed by the digest of the state, the event and the time. */
    public static final String SAW = "saw";

    /** Followed by a method and its arguments. */
    public static final String CALLED = "called";

    private final TraceFile file;
    private final ValueWriter values = new ValueWriter();

    /** @param prefix of the name of the file, which is new for each agent */
    public AgentTraceFile(Path directory, String prefix) {
        this.file = new TraceFile(directory, prefix, SUFFIX);
    }

    @Override
    public void began(AgentState state, long nowNanos) {
        write(BEGAN, state.settings(), nowNanos);
    }

    @Override
    public void received(AgentState state, AgentEvent event, long nowNanos) {
        write(SAW, state.digest(), event, nowNanos);
    }

    @Override
    public void called(String call) {
        write(CALLED, call);
    }

    @Override
    public void closed() {
        file.close();
    }

    private synchronized void write(Object... record) {
        file.add(values.write(record));
        file.flushSoon();
    }
}
