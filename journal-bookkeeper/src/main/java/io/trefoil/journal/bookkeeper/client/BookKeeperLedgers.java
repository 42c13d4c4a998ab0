/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.client;

import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.pool.StoreStatus;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.net.BookieId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ledgers of a real cluster. Thread-safe. */
public final class BookKeeperLedgers implements LedgerStore {
    private static final Logger LOG = LoggerFactory.getLogger(BookKeeperLedgers.class);

    private static final BookKeeper.DigestType DIGEST = BookKeeper.DigestType.CRC32C;
    /** The name under which a ledger's metadata says which incarnation of a journal it is for. */
    private static final String OWNER = "trefoil.incarnation";
    /** How long the last entry before a silence may take to be confirmed for readers. */
    private static final int CONFIRM_MILLIS = 10;

    private final BookKeeper client;
    private final Quorums quorums;
    private final byte[] password;

    private BookKeeperLedgers(BookKeeper client, Quorums quorums, byte[] password) {
        this.client = client;
        this.quorums = quorums;
        this.password = password;
    }

    /**
     * Connects to a cluster.
     *
     * @param servers of its ZooKeeper, with semicolons between
     * @param root the directory of its ledgers there
     * @throws IOException if there is no such cluster, or it cannot be reached
     * @throws IllegalArgumentException if the client's settings cannot be used
     */
    public static BookKeeperLedgers connect(String servers, String root, Quorums quorums, ClientAccess access)
            throws IOException {
        String uri = "zk+hierarchical://" + servers + root;
        ClientConfiguration conf = access.toConfiguration();
        conf.setMetadataServiceUri(uri);
        // A bookie that is away does not end a ledger which an ack quorum still takes.
        conf.setDelayEnsembleChange(true);
        conf.setExplictLacInterval(CONFIRM_MILLIS);
        return new BookKeeperLedgers(
                call("connect to " + uri, () -> new BookKeeper(conf)),
                quorums,
                access.password().toByteArray());
    }

    @Override
    public WritableLedger create(Incarnation owner) throws IOException {
        return new WrittenLedger(call("create a ledger", () -> {
            try {
                return create(owner, quorums);
            } catch (BKException.BKNotEnoughBookiesException e) {
                LedgerHandle made = create(owner, quorums.fewest());
                LOG.warn(
                        "ledger={} was created on bookies={} instead of {}, as no more are available; do: start "
                                + "the others before one of these is lost",
                        made.getId(),
                        quorums.ack(),
                        quorums.ensemble());
                return made;
            }
        }));
    }

    private LedgerHandle create(Incarnation owner, Quorums wanted) throws BKException, InterruptedException {
        return client.createLedger(
                wanted.ensemble(),
                wanted.write(),
                wanted.ack(),
                DIGEST,
                password,
                Collections.singletonMap(OWNER, toBytes(owner)));
    }

    private static byte[] toBytes(Incarnation owner) {
        return owner.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<Long> find(Incarnation owner, long above, long below) throws IOException {
        Map<Long, CompletableFuture<LedgerMetadata>> asked = new LinkedHashMap<>();
        for (long ledger = above + 1; ledger < below; ledger++) {
            asked.put(ledger, client.getLedgerMetadata(ledger));
        }
        List<Long> found = new ArrayList<>();
        for (Map.Entry<Long, CompletableFuture<LedgerMetadata>> ledger : asked.entrySet()) {
            call("look for ledger " + ledger.getKey(), () -> {
                if (isOf(owner, ledger.getValue())) {
                    found.add(ledger.getKey());
                }
                return ledger.getKey();
            });
        }
        return found;
    }

    /** A ledger whose metadata cannot be read, as one of another user of the cluster, counts as another's. */
    private static boolean isOf(Incarnation owner, CompletableFuture<LedgerMetadata> asked)
            throws InterruptedException {
        try {
            return Arrays.equals(toBytes(owner), asked.get().getCustomMetadata().get(OWNER));
        } catch (ExecutionException e) {
            return false;
        }
    }

    @Override
    public List<String> availableBookies() throws IOException {
        return call("list the bookies", () -> {
            List<String> names = new ArrayList<>();
            for (BookieId bookie : client.getMetadataClientDriver()
                    .getRegistrationClient()
                    .getWritableBookies()
                    .get()
                    .getValue()) {
                names.add(bookie.toString());
            }
            return names;
        });
    }

    @Override
    public StoreStatus.Ledger describe(LedgerSpan ledger) throws IOException {
        return call("describe ledger " + ledger.ledger(), () -> {
            LedgerMetadata metadata = client.getLedgerMetadata(ledger.ledger()).get();
            List<String> names = new ArrayList<>();
            for (BookieId bookie : metadata.getAllEnsembles().lastEntry().getValue()) {
                names.add(bookie.toString());
            }
            return StoreStatus.Ledger.of(ledger.ledger(), ledger.firstSn(), names, metadata.getAckQuorumSize());
        });
    }

    @Override
    public ReadableLedger recover(long ledger) throws IOException {
        return newReadLedger(call("recover ledger " + ledger, () -> client.openLedger(ledger, DIGEST, password)));
    }

    @Override
    public ReadableLedger open(long ledger) throws IOException {
        return newReadLedger(
                call("open ledger " + ledger, () -> client.openLedgerNoRecovery(ledger, DIGEST, password)));
    }

    private ReadLedger newReadLedger(LedgerHandle handle) {
        return new ReadLedger(handle, client.getClientCtx().getBookieClient());
    }

    @Override
    public void delete(long ledger) throws IOException {
        call("delete ledger " + ledger, () -> {
            try {
                client.deleteLedger(ledger);
            } catch (BKException.BKNoSuchLedgerExistsException
                    | BKException.BKNoSuchLedgerExistsOnMetadataServerException e) {
                LOG.debug("ledger={} does not exist", ledger);
            }
            return ledger;
        });
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (BKException e) {
            LOG.debug("BookKeeper's client did not shut down cleanly", e);
        }
    }

    /** Calls the client, and translates its exceptions, whose messages only its authors understand. */
    static <T> T call(String what, Callable<T> client) throws IOException {
        try {
            return client.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("BookKeeper: interrupted, so this process cannot " + what);
        } catch (Exception e) {
            throw new IOException("BookKeeper: cannot " + what + ": " + e.getMessage(), e);
        }
    }
}
