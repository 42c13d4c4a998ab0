/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.run.NameNodeControl;
import io.trefoil.journal.hdfs.NameNodeJournal;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StartupState;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.ExitUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's NameNode as the agent sees it.
 *
 * <p>Uses {@code NameNode.isStarted}, {@code isActiveState}, {@code isStandbyState}, {@code isObserverState},
 * {@code isInSafeMode}, {@code getFSImage}, {@code getRpcServer}; {@code FSImage.getLastAppliedOrWrittenTxId}, which
 * takes no lock; {@code NamenodeProtocols.transitionToActive} and {@code transitionToStandby} with the request source
 * of a ZKFC, which this replaces, {@code transitionToObserver}; {@code ExitUtil.halt}.
 */
final class HdfsNameNode implements NameNodeControl {
    private static final Logger LOG = LoggerFactory.getLogger(HdfsNameNode.class);

    private static final long LAST_WORDS_MILLIS = 1_000;

    private final NameNode nameNode;
    private final NameNodeJournal journal;
    private final HealthProbe health;
    private final RetryWindow retryWindow;
    private final BooleanSupplier countsQuotas;
    private final Runnable earlierCalls;

    /**
     * @param countsQuotas whether it counts the whole namespace now
     * @param earlierCalls waits, not for long, for calls of the time when this NameNode was active before
     */
    HdfsNameNode(
            NameNode nameNode,
            NameNodeJournal journal,
            HealthProbe health,
            RetryWindow retryWindow,
            BooleanSupplier countsQuotas,
            Runnable earlierCalls) {
        this.nameNode = nameNode;
        this.journal = journal;
        this.health = health;
        this.retryWindow = retryWindow;
        this.countsQuotas = countsQuotas;
        this.earlierCalls = earlierCalls;
    }

    static boolean hasStarted(NameNode nameNode) {
        return StartupState.hasStarted(nameNode);
    }

    @Override
    public HaRole role() {
        // Before it has started, HDFS calls itself a standby and refuses everything.
        if (!hasStarted(nameNode)) {
            return HaRole.NONE;
        }
        if (nameNode.isActiveState()) {
            return HaRole.ACTIVE;
        }
        if (nameNode.isObserverState()) {
            return HaRole.OBSERVER;
        }
        return nameNode.isStandbyState() ? HaRole.STANDBY : HaRole.NONE;
    }

    @Override
    public long appliedTxId() {
        return nameNode.getFSImage().getLastAppliedOrWrittenTxId();
    }

    @Override
    public long lagMillis() {
        return journal.lag().toMillis();
    }

    @Override
    public boolean isPreparing() {
        return retryWindow.isRestoringNewest() || countsQuotas.getAsBoolean();
    }

    @Override
    public String unhealthyReason() {
        return health.unhealthyReason();
    }

    @Override
    public boolean isInSafeMode() {
        return nameNode.isInSafeMode();
    }

    @Override
    public boolean isBusy() {
        return health.isLockHolderProgressing();
    }

    @Override
    public void becomeActive() throws IOException {
        health.change(() -> {
            restoreRetryWindow();
            earlierCalls.run();
            SecurityUtil.doAsLoginUser((PrivilegedExceptionAction<Void>) () -> {
                nameNode.getRpcServer().transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_ZKFC));
                return null;
            });
        });
    }

    /**
     * Waits for the newest part of the retry window, which has usually been read long before. A group without an active is worse
     * than one that may execute a repeated call twice, as HDFS does.
     */
    private void restoreRetryWindow() {
        try {
            retryWindow.restoreNewest();
        } catch (IOException e) {
            LOG.warn(
                    "Retries of calls from before this NameNode's image will not be recognized; do: before "
                            + "you repeat a call that failed in this failover, check whether it was done",
                    e);
        }
    }

    @Override
    public void becomeStandby() throws IOException {
        health.change(() -> SecurityUtil.doAsLoginUser((PrivilegedExceptionAction<Void>) () -> {
            nameNode.getRpcServer().transitionToStandby(new StateChangeRequestInfo(RequestSource.REQUEST_BY_ZKFC));
            return null;
        }));
    }

    /** Forces the change of role: HDFS accepts it only with force. */
    @Override
    public void changeRole(HaRole role) throws IOException {
        StateChangeRequestInfo insisting = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED);
        health.change(() -> SecurityUtil.doAsLoginUser((PrivilegedExceptionAction<Void>) () -> {
            if (role == HaRole.OBSERVER) {
                nameNode.getRpcServer().transitionToObserver(insisting);
            } else {
                nameNode.getRpcServer().transitionToStandby(insisting);
            }
            return null;
        }));
    }

    /**
     * Terminates the process, but lets HDFS log the reason first. Logging may wait for a disk, perhaps the one that hangs, so the process
     * does not wait for it.
     */
    @Override
    public void halt(String reason) {
        Thread saying =
                new Thread(() -> ExitUtil.halt(1, "Automatic failover ends this NameNode: " + reason), "mams-halt");
        saying.setDaemon(true);
        try {
            saying.start();
            saying.join(LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // Halts even without memory for a thread or for a message.
            Runtime.getRuntime().halt(1);
        }
    }
}
