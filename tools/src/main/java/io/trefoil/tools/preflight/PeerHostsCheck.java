/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.HostPlan;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks the other hosts: their names, firewalls in between, and their clocks. */
final class PeerHostsCheck implements Check {
    /** The tolerated difference of clocks: an answer gives its time in whole seconds, and takes some time itself. */
    private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(5);

    private static final long MILLIS_PER_SECOND = 1000;

    private static final String LATER = "nothing to do if it is to start later";

    private final Clock clock;
    private final int timeoutMillis;

    PeerHostsCheck(Clock clock, Duration timeout) {
        this.clock = clock;
        this.timeoutMillis = (int) timeout.toMillis();
    }

    @Override
    public String name() {
        return "others";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        List<PreflightFinding> findings = new ArrayList<>();
        plan.otherNodes().forEach(node -> findings.add(connect(NodeAddress.parse(node))));
        plan.otherPages().forEach(page -> findings.add(compareClock(page)));
        return findings;
    }

    private PreflightFinding connect(NodeAddress node) {
        InetSocketAddress address = new InetSocketAddress(node.host(), node.port());
        if (address.isUnresolved()) {
            return PreflightFinding.problem(
                    "pool node " + node + " has no address", "add the host to DNS or /etc/hosts");
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, timeoutMillis);
            return PreflightFinding.ok("pool node " + node + " answers");
        } catch (ConnectException refused) {
            return PreflightFinding.note("pool node " + node + " is not up: " + refused.getMessage(), LATER);
        } catch (IOException silent) {
            return PreflightFinding.problem(
                    "pool node " + node + " cannot be reached: " + silent.getMessage(),
                    "open the port in the firewalls between the hosts");
        }
    }

    private PreflightFinding compareClock(URI page) {
        try {
            HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            connection.setRequestMethod("HEAD");
            connection.setInstanceFollowRedirects(false);
            // Before the date, which is 0 where no server answers.
            connection.getResponseCode();
            long theirs = connection.getDate();
            if (theirs == 0) {
                return PreflightFinding.note(
                        "the clock of " + page + " is not known: its answer has no date", "check NTP there");
            }
            Duration difference = Duration.ofMillis(theirs - clock.millis());
            return difference.abs().compareTo(MAX_CLOCK_SKEW) <= 0
                    ? PreflightFinding.ok("the clock of " + page + " agrees")
                    : PreflightFinding.problem(
                            "the clock of " + page + " differs by " + difference.toMillis() / MILLIS_PER_SECOND + " s",
                            "run NTP on both hosts: timedatectl");
        } catch (IOException e) {
            return PreflightFinding.note("the clock of " + page + " is not known: no answer", LATER);
        }
    }
}
