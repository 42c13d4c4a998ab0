/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.events;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.writer.delivery.PartReader;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.pool.writer.term.WriterLogger;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEvent;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Sends entries that are no longer in memory: a worker reads them from a node that has them. */
public final class PartLoader {
    private final WriterDriver driver;
    private final PartReader parts;
    private final Executor worker;
    private final WriterLogger log;

    public PartLoader(WriterDriver driver, PartReader parts, Executor worker, WriterLogger log) {
        this.driver = driver;
        this.parts = parts;
        this.worker = worker;
        this.log = log;
    }

    /** Makes the worker load and send a part; does not block. The rules learn later how many bytes were sent. */
    public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        try {
            worker.execute(() -> load(to, from, range, terms));
        } catch (RejectedExecutionException e) {
            log.logEventDropped();
        }
    }

    private void load(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        AppendRequest part;
        try {
            part = parts.read(from, range, terms);
        } catch (PurgedException e) {
            driver.handle(WriterEvent.loadPurged(to, e.base()));
            return;
        } catch (IOException e) {
            log.logUnreadable(to, from, e);
            driver.handle(WriterEvent.loadFailed(to, from));
            return;
        }
        send(to, part);
    }

    private void send(NodeAddress to, AppendRequest part) {
        long bytes = 0;
        for (Entry entry : part.entries()) {
            bytes += entry.payload().size();
        }
        driver.deliver(
                to,
                part,
                WriterEvent.partSent(to, part.prev().sn() + part.entries().size(), bytes));
    }
}
