/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.foundation.NoServerReachedException;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.NameNodeAddresses;
import io.trefoil.foundation.hdfs.RpcFailure;
import io.trefoil.journal.hdfs.pin.RefreshClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Sends operators' orders about elections to a nameservice: tries one NameNode after the other, whatever their roles,
 * until one accepts the order. Each method returns the result as text; no order is carried out in part.
 *
 * <p>Uses {@code NameNode.initializeGenericKeys}, {@code Configuration}, {@code RefreshResponse}.
 */
public final class RemoteElectionOrders {

    private final Configuration conf;
    private final String nameservice;
    private final Duration timeout;

    /** @param timeout how long one NameNode may take */
    public RemoteElectionOrders(Configuration conf, String nameservice, Duration timeout) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.timeout = timeout;
    }

    /**
     * Makes a NameNode the preferred one in elections.
     *
     * @param time how long it is preferred; if empty, until that is revoked
     * @throws OrderRefusedException if a NameNode refused the order
     * @throws IOException if no NameNode accepted it
     */
    public String prefer(String nameNode, Optional<Duration> time) throws IOException {
        return order(
                ElectionOrders.PREFER,
                nameNode,
                time.map(duration -> Long.toString(TimeUnit.MILLISECONDS.toSeconds(duration.toMillis())))
                        .orElse(""));
    }

    /** Revokes the preference. */
    public String clearPreference() throws IOException {
        return order(ElectionOrders.PREFER_NOBODY);
    }

    /** Drains a NameNode: it leaves the active role to others. */
    public String drain(String nameNode) throws IOException {
        return order(ElectionOrders.DRAIN, nameNode);
    }

    /** Drains a NameNode unless another one is drained. */
    public String drainAlone(String nameNode) throws IOException {
        return order(ElectionOrders.DRAIN_ALONE, nameNode);
    }

    /** Ends the draining. */
    public String undrain(String nameNode) throws IOException {
        return order(ElectionOrders.UNDRAIN, nameNode);
    }

    private String order(String... arguments) throws IOException {
        StringBuilder failures = new StringBuilder("No NameNode of " + nameservice + " took the order:");
        boolean answered = false;
        for (Map.Entry<String, InetSocketAddress> nameNode :
                NameNodeAddresses.rpcAddresses(conf, nameservice).entrySet()) {
            Configuration resolved = new Configuration(conf);
            NameNode.initializeGenericKeys(resolved, nameservice, nameNode.getKey());
            RefreshResponse response;
            try {
                response = new RefreshClient(resolved, timeout, timeout)
                        .call(nameNode.getValue(), ElectionOrders.identifier(nameservice), arguments);
            } catch (IOException e) {
                answered |= e instanceof RemoteException;
                failures.append('\n').append(nameNode.getKey()).append(": ").append(RpcFailure.describe(e));
                continue;
            }
            if (response.getReturnCode() == 0) {
                return response.getMessage();
            }
            if (response.getReturnCode() != NameserviceOrders.NOT_TAKEN) {
                throw new OrderRefusedException("Refused: " + response.getMessage());
            }
            answered = true;
            failures.append('\n').append(nameNode.getKey()).append(": ").append(response.getMessage());
        }
        throw answered ? new IOException(failures.toString()) : new NoServerReachedException(failures.toString());
    }
}
