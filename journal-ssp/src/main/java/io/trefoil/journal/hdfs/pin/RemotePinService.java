/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import io.trefoil.foundation.NoServerReachedException;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.NameNodeAddresses;
import io.trefoil.foundation.hdfs.RpcFailure;
import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.model.JournalId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Sends orders about pins to the active NameNode of a journal: tries one NameNode after the other, until the one that
 * writes the journal accepts. Each other one that is asked has a warning with a stack trace in its log, as Hadoop knows no such handler
 * there.
 *
 * <p>Uses {@code NameNode.initializeGenericKeys}, {@code
 * FSNamesystem.getSharedEditsDirs}.
 */
public final class RemotePinService implements PinService {

    private final Configuration conf;
    private final JournalId journal;
    private final BiPredicate<List<URI>, Configuration> isJournal;
    private final Duration timeout;
    private final Supplier<Optional<String>> active;

    private RemotePinService(
            Configuration conf,
            JournalId journal,
            BiPredicate<List<URI>, Configuration> isJournal,
            Duration timeout,
            Supplier<Optional<String>> active) {
        this.conf = conf;
        this.journal = journal;
        this.isJournal = isJournal;
        this.timeout = timeout;
        this.active = active;
    }

    /**
     * Creates a pin service for a journal on a pool.
     *
     * @param timeout how long one NameNode may take to answer
     */
    public static RemotePinService of(Configuration conf, JournalId journal, Duration timeout) {
        return of(
                conf,
                journal,
                (shared, resolved) -> PoolUri.isPool(shared)
                        && PoolUri.parse(shared.get(0), resolved).journal().equals(journal),
                timeout,
                Optional::empty);
    }

    /**
     * Creates a pin service for a caller that knows which NameNode is probably active.
     *
     * @param isJournal whether the shared edits of a NameNode are this journal
     * @param active the NameNode's nameservice and name, with a dot between; it is asked first
     */
    public static RemotePinService of(
            Configuration conf,
            JournalId journal,
            BiPredicate<List<URI>, Configuration> isJournal,
            Duration timeout,
            Supplier<Optional<String>> active) {
        return new RemotePinService(conf, journal, isJournal, timeout, active);
    }

    /**
     * Checks that the configuration of the NameNodes is usable; connects to nothing. Each order reads it again.
     *
     * @throws IllegalArgumentException if an address or a journal in it is wrong
     */
    public void requireConfigured() {
        nameNodes();
    }

    @Override
    public String pin(long txId, long keepFrom, Optional<Duration> duration) throws IOException {
        return sendOrder(
                PinRegistry.PIN,
                Long.toString(txId),
                Long.toString(keepFrom),
                duration.map(time -> formatSeconds(time)).orElse(""));
    }

    @Override
    public String unpin(String name) throws IOException {
        return sendOrder(PinRegistry.UNPIN, name);
    }

    @Override
    public String pinForRenewal(String nameNode, long txId, Duration duration) throws IOException {
        return sendOrder(PinRegistry.RENEW, nameNode, Long.toString(txId), formatSeconds(duration));
    }

    @Override
    public String unpinAfterRenewal(String nameNode) throws IOException {
        return sendOrder(PinRegistry.RENEWED, nameNode);
    }

    private static String formatSeconds(Duration duration) {
        return Long.toString(TimeUnit.MILLISECONDS.toSeconds(duration.toMillis()));
    }

    private String sendOrder(String... arguments) throws IOException {
        StringBuilder refusals = new StringBuilder();
        boolean isAnswered = false;
        boolean isKnown = true;
        for (Map.Entry<String, Target> nameNode : sortActiveFirst(nameNodes())) {
            try {
                RefreshResponse response = nameNode.getValue().call(PinRegistry.identifier(journal), arguments);
                if (response.getReturnCode() == 0) {
                    return response.getMessage();
                }
                throw new OrderRefusedException(nameNode.getKey() + " refuses: " + response.getMessage());
            } catch (OrderRefusedException e) {
                throw e;
            } catch (IOException e) {
                // This NameNode is down or does not write the journal, so it does not take the order.
                refusals.append('\n').append(nameNode.getKey()).append(": ").append(RpcFailure.describe(e));
                isAnswered |= e instanceof RemoteException;
                isKnown &= e instanceof RemoteException || e instanceof ConnectException;
            }
        }
        String text = "No NameNode that writes journal " + journal + " took the order, "
                + (isKnown ? "nothing was changed:" : "as far as is known:") + refusals;
        throw isAnswered ? new IOException(text) : new NoServerReachedException(text);
    }

    private List<Map.Entry<String, Target>> sortActiveFirst(Map<String, Target> nameNodes) {
        Optional<String> first = active.get();
        List<Map.Entry<String, Target>> ordered = new ArrayList<>(nameNodes.entrySet());
        ordered.sort(Comparator.comparing(
                nameNode -> !first.filter(nameNode.getKey()::equals).isPresent()));
        return ordered;
    }

    /** The NameNodes whose shared edits are this journal, by name. */
    private Map<String, Target> nameNodes() {
        Map<String, Target> targets = new LinkedHashMap<>();
        NameNodeAddresses.rpcAddresses(conf)
                .forEach((nameservice, nameNodes) -> nameNodes.forEach((name, address) -> {
                    Configuration resolved = new Configuration(conf);
                    NameNode.initializeGenericKeys(resolved, nameservice, name);
                    List<URI> shared = new ArrayList<>(FSNamesystem.getSharedEditsDirs(resolved));
                    if (isJournal.test(shared, resolved)) {
                        targets.put(
                                nameservice + "." + name,
                                new Target(address, new RefreshClient(resolved, timeout, timeout)));
                    }
                }));
        return targets;
    }

    /** A NameNode to call, with its own principal. */
    private static final class Target {
        private final InetSocketAddress address;
        private final RefreshClient client;

        Target(InetSocketAddress address, RefreshClient client) {
            this.address = address;
            this.client = client;
        }

        RefreshResponse call(String identifier, String... arguments) throws IOException {
            return client.call(address, identifier, arguments);
        }
    }
}
