/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.hdfs.WebPages;
import io.trefoil.ha.hdfs.config.ConfiguredSites;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.pool.StoreStatus;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all NameNodes and pool nodes for their state, at most once a second regardless of the number of viewers. Thread-safe.
 *
 * <p>Uses {@code Configuration}.
 */
public final class StatusSurvey implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StatusSurvey.class);

    /** How long a survey waits for answers: a page should not take longer, and a node that is silent for that long is reported. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String nameservice;
    private final WebPages pages;
    private final Configuration conf;
    private final Optional<PoolStatusClient> pool;
    private final NameNodeJournal journal;
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.newFactory("trefoil-status"));
    private Optional<Survey> last = Optional.empty();

    private static final class Survey {
        final String json;
        final long nanos;

        Survey(String json, long takenAtNanos) {
            this.json = json;
            this.nanos = takenAtNanos;
        }
    }

    /**
     * @param conf read again in each survey for the NameNodes
     * @throws IOException if connections to pool nodes must use TLS and the keys are unusable
     */
    public StatusSurvey(String nameservice, NameNodeJournal journal, Configuration conf) throws IOException {
        this.nameservice = nameservice;
        this.pages = new WebPages(conf);
        this.conf = conf;
        this.journal = journal;
        this.pool = journal.pool().isPresent()
                ? Optional.of(PoolStatusClient.open(journal.pool().get(), TIMEOUT))
                : Optional.empty();
    }

    /**
     * The document; callers that arrive while it is being built wait for it.
     *
     * @throws IOException if the calling thread was interrupted
     */
    synchronized String json() throws IOException {
        long nowNanos = System.nanoTime();
        if (!last.isPresent() || nowNanos - last.get().nanos > FRESH_NANOS) {
            String json = collect();
            last = Optional.of(new Survey(json, System.nanoTime()));
        }
        return last.get().json;
    }

    private String collect() throws IOException {
        long askedAtMillis = System.currentTimeMillis();
        // The configuration may have gained a NameNode since the last survey.
        GroupQueryClient group = new GroupQueryClient(
                pages, pages.addresses().getOrDefault(nameservice, Collections.<String, String>emptyMap()), TIMEOUT);
        Future<PoolStatusClient.Answers> nodes = threads.submit(this::queryPool);
        Future<Optional<StoreStatus>> store = threads.submit(this::queryStore);
        try {
            Map<String, GroupBean> members = group.query(threads);
            return new StatusDocument(
                            nameservice,
                            group.addresses(),
                            members,
                            nodes.get(),
                            pool.isPresent() ? Optional.empty() : Optional.of(answerInTime(store)),
                            ConfiguredSites.of(conf, nameservice))
                    .json(askedAtMillis)
                    .toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while asking how the nameservice is");
        } catch (ExecutionException e) {
            throw new IOException("The journal could not be asked: " + e.getCause(), e);
        }
    }

    private static Optional<StoreStatus> answerInTime(Future<Optional<StoreStatus>> asked)
            throws InterruptedException, ExecutionException {
        try {
            return asked.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.empty();
        }
    }

    private PoolStatusClient.Answers queryPool() throws IOException {
        return pool.isPresent() ? pool.get().query() : PoolStatusClient.Answers.NONE;
    }

    /** The status that the store of the journal reports; empty if it does not answer. */
    private Optional<StoreStatus> queryStore() {
        try {
            return journal.open().storeStatus();
        } catch (IOException e) {
            LOG.debug("The store of the journal does not answer", e);
            return Optional.empty();
        }
    }

    /** Stops its threads and closes its connections. */
    @Override
    public void close() {
        threads.shutdownNow();
        pool.ifPresent(PoolStatusClient::close);
    }
}
