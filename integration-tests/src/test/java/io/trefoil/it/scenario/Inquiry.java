/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** What operators and monitors ask a NameNode that is in trouble; all of it must be answered while the trouble lasts. */
public final class Inquiry {
    private Inquiry() {}

    /** Asks for the role and all metrics, and runs commands for the state of the journal and of the group. */
    public static void assertAnsweredBy(NameNodeServer nameNode) throws Exception {
        nameNode.await("says its role", Await.TIMEOUT, () -> nameNode.haState() != HAServiceState.INITIALIZING);
        HttpRequest metrics = HttpRequest.newBuilder(URI.create("http://" + nameNode.address("http") + "/jmx"))
                .build();
        // The limit of a request would end with the first line of the answer.
        assertThat(HttpClient.newHttpClient().sendAsync(metrics, HttpResponse.BodyHandlers.ofString()))
                .as("all metrics of " + nameNode)
                .succeedsWithin(Await.TIMEOUT)
                .returns(200, HttpResponse::statusCode);
        for (String command : new String[] {"status", "view"}) {
            long begun = System.nanoTime();
            // Its exit code says that something is wrong, which is true.
            nameNode.trefoil(command);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("time for hdfs trefoil " + command)
                    .isLessThan(Await.TIMEOUT);
        }
    }
}
