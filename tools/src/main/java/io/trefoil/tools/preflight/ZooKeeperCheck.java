/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.HostPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks whether each ZooKeeper server serves, with the one command that all of them answer unless it is disabled. */
final class ZooKeeperCheck implements Check {
    private static final byte[] QUESTION = "srvr".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_ANSWER_BYTES = 65_536;

    private final int timeoutMillis;

    ZooKeeperCheck(Duration timeout) {
        this.timeoutMillis = (int) timeout.toMillis();
    }

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        List<PreflightFinding> findings = new ArrayList<>();
        plan.zooKeepers().forEach(server -> findings.add(checkServer(NodeAddress.parse(server))));
        return findings;
    }

    private PreflightFinding checkServer(NodeAddress server) {
        try {
            String answer = queryServer(server);
            if (answer.contains("not currently serving")) {
                return PreflightFinding.problem(
                        "ZooKeeper at " + server + " does not serve: it has no majority", "start its other servers");
            }
            return PreflightFinding.ok("ZooKeeper at " + server + " answers");
        } catch (IOException e) {
            return PreflightFinding.problem(
                    "ZooKeeper at " + server + " does not answer: " + e.getMessage(),
                    "start it, open its port, or correct ha.zookeeper.quorum");
        }
    }

    private String queryServer(NodeAddress server) throws IOException {
        InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
        if (address.isUnresolved()) {
            throw new IOException("the host has no address");
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            socket.getOutputStream().write(QUESTION);
            socket.getOutputStream().flush();
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            InputStream stream = socket.getInputStream();
            int next = stream.read();
            while (next >= 0 && answer.size() < MAX_ANSWER_BYTES) {
                answer.write(next);
                next = stream.read();
            }
            return new String(answer.toByteArray(), StandardCharsets.UTF_8);
        }
    }
}
