/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.it.process.Await;
import io.trefoil.it.process.ServerLog;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A MapReduce job and the client process that submitted it, which follows it and reports its progress. */
public final class RunningJob {
    private static final Pattern PROGRESS = Pattern.compile(" map (\\d+)% reduce (\\d+)%");

    private final Server client;

    public RunningJob(Server client) {
        this.client = client;
    }

    /**
     * The progress reported by the client.
     *
     * @param maps of the map phase, in percent
     * @param reduces of the reduce phase, in percent
     */
    public record Progress(int maps, int reduces) {
        public boolean isInMapPhase() {
            return maps > 0 && maps < 100;
        }

        public boolean isInReducePhase() {
            return maps == 100 && reduces < 100;
        }
    }

    public Progress progress() {
        Matcher lines = PROGRESS.matcher(client.log().textSince(0));
        return lines.results()
                .reduce((earlier, later) -> later)
                .map(RunningJob::progress)
                .orElse(new Progress(0, 0));
    }

    private static Progress progress(MatchResult line) {
        return new Progress(Integer.parseInt(line.group(1)), Integer.parseInt(line.group(2)));
    }

    /** Waits until some of the maps are done; by then, all may be, or the job may have ended. */
    public void awaitProgress() {
        client.await(
                "has done some of its maps, or has ended",
                Await.TIMEOUT,
                () -> progress().maps() > 0 || !client.isAlive());
    }

    /** Waits until some of the maps are done, but not all. */
    public void awaitMapPhase() {
        await("is in its map phase", () -> progress().isInMapPhase());
    }

    /** Waits until all maps are done, but not all reduces. */
    public void awaitReducePhase() {
        await("is in its reduce phase", () -> progress().isInReducePhase());
    }

    /** Whether the client is still waiting for the end of the job. */
    public boolean isRunning() {
        return client.isAlive();
    }

    /** Returns the client's log. */
    public ServerLog log() {
        return client.log();
    }

    private interface Phase {
        boolean isReached();
    }

    private void await(String description, Phase phase) {
        client.await(description + ", or has ended", Await.TIMEOUT, () -> phase.isReached() || !client.isAlive());
        if (!phase.isReached()) {
            throw new AssertionError("has ended before it was seen that it " + description + ": " + client.describe());
        }
    }

    /**
     * Waits for the end of the job.
     *
     * @throws AssertionError if the client's exit code is not zero, which means that the job failed
     */
    public void awaitSuccess(Duration limit) {
        client.awaitExit(0, limit);
        int code = client.exits().get(0).code();
        if (code != 0) {
            throw new AssertionError("exit code " + code + " of job " + client.describe());
        }
    }

    @Override
    public String toString() {
        return client.name();
    }
}
