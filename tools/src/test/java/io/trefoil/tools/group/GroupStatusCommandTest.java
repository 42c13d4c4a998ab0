/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakeNameNodes;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator and a monitoring system are told, given what the NameNodes found. */
class GroupStatusCommandTest {
    private static final String STATUS =
            """
            {"nameservice":"ns1","askedAt":5000,"verdict":{"level":"%s","sentence":"%s: nn1 is active; may lose one more node",
            "mayLose":1,"findings":[%s]},"lock":{"holder":"nn1","epoch":7,"takingOver":false},"ballot":2,
            "members":[
            {"name":"nn1","http":"host1:9870","answered":true,"trouble":"","state":"active","role":"active","reason":"","since":1000,
            "changing":false,"txId":42,"lag":0,"lagMillis":0,"epoch":7,"zooKeeper":true,"version":"1","leaseMillis":4321,
            "warmUp":"done","heldCalls":0,"checkpoints":null},
            {"name":"nn2","http":"host2:9870","answered":%s,"trouble":"","state":"standby","role":"observer","reason":"","since":2000,
            "changing":false,"txId":42,"lag":1,"lagMillis":3,"epoch":7,"zooKeeper":true,"version":"1","leaseMillis":null,
            "warmUp":"done","heldCalls":0,"checkpoints":null}],
            "pool":{"voters":3,"majority":2,"votersServing":3,"committed":12,"txId":42,"nodes":[
            {"address":"host1:8487","nameNode":"nn1","kind":"voter","state":"serves","trouble":"","inSync":true,"epoch":7,"end":12,
            "lag":0,"lagMillis":0,"timeouts":0,"diskSilentMillis":0,"diskP99Micros":1234},
            {"address":"host9:8487","nameNode":"","kind":null,"state":"down","trouble":"no answer","inSync":null,"epoch":null,
            "end":null,"lag":null,"lagMillis":null,"timeouts":null,"diskSilentMillis":null,"diskP99Micros":null}]},
            "failovers":[{"ballot":2,"from":"nn2","to":"nn1","cause":"the lease of nn2 has ended","epoch":7,"detectedAt":1000,
            "lockedAfterMs":4,"promisedAfterMs":11,"activatedAfterMs":101,"announcedAfterMs":104}],
            "checkpoints":[{"name":"a.1","txId":1,"keepFrom":1}],"pins":[],"images":[],
            "settings":[{"name":"trefoil.x","value":"1","default":"2","nameNodes":["nn1"]}]}
            """;

    private final FakePool cluster = new FakePool(3);
    private final FakeNameNodes nameNodes = cluster.nameNodes;

    private static String status(String level, String findings, boolean hearsAll) {
        return STATUS.formatted(level, level, findings, hearsAll);
    }

    @BeforeEach
    void setAllHealthy() {
        for (int number = 1; number <= 3; number++) {
            nameNodes.statuses.put("host" + number + ":9870", status("healthy", "", true));
        }
    }

    @Test
    void printsVerdictBeforeTables() {
        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .isEqualTo(
                        """
                        Nameservice ns1 is healthy: nn1 is active; may lose one more node

                        NAMENODE  STATE              TXID  LAG  LAG-MS  EPOCH  LEASE-MS  HEALTH
                        nn1       active               42    0       0      7      4321  ok
                        nn2       standby, observer    42    1       3      7         -  ok

                        POOL NODE   OF   KIND   STATE   IN-SYNC  LAG  EPOCH  DISK-P99-MS
                        host1:8487  nn1  voter  serves  yes        0      7  1.2
                        host9:8487  -    -      down    -          -      -  -

                        last failover 1970-01-01T00:00:01Z: nn2 to nn1 in 104 ms, the lease of nn2 has ended
                        1 checkpoint, 0 pins, 0 images in the pool; 1 setting not at the default
                        """);
    }

    @Test
    void printsDerivedLeaseWithReason() {
        nameNodes.statuses.replaceAll((address, page) -> page.replace(
                "\"leaseMillis\":4321",
                "\"leaseMillis\":921,\"derivedLeaseMillis\":1000,\"derivedLeaseReason\":\"all is calm\""));

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).contains("\nlease of nn1 is 1000 ms long: all is calm\n");
    }

    @Test
    void printsLedgersInPlaceOfPoolNodes() {
        String ledgers =
                """
                "ledgers":{"epoch":7,"committed":12,"txId":42,"mayLose":1,"list":[
                {"ledger":17,"firstEntry":5,"quorum":2,"bookies":["b1:3181","b2:3181","b3:3181"],"missing":["b3:3181"]}]},
                """;
        nameNodes.statuses.replaceAll(
                (address, status) -> status.replace("\"failovers\":", ledgers + "\"failovers\":"));

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .contains(
                        """
                        LEDGER  FIRST ENTRY  QUORUM  BOOKIES                    MISSING
                            17            5       2  b1:3181, b2:3181, b3:3181  b3:3181
                        """)
                .doesNotContain("POOL NODE");
    }

    @Test
    void printsArchivingMember() {
        setArchivers(
                ",\"archive\":{\"lagSeconds\":40,\"archiving\":false}",
                ",\"archive\":{\"lagSeconds\":1,\"archiving\":true}");
        cluster.run("status");
        assertThat(cluster.output).endsWith("default\nnn2 archives, all but the last 1 s is in the archive\n");

        setAllHealthy();
        setArchivers(",\"archive\":{\"lagSeconds\":41,\"archiving\":false}", "");
        cluster.run("status");
        assertThat(cluster.output)
                .endsWith("no NameNode archives, and the archive lacks what was committed in the last 41 s;"
                        + " see the logs of the NameNodes for the reason\n");
    }

    private void setArchivers(String first, String second) {
        nameNodes.statuses.replaceAll((address, page) -> page.replace("\"name\":\"nn1\"", "\"name\":\"nn1\"" + first)
                .replace("\"name\":\"nn2\"", "\"name\":\"nn2\"" + second));
    }

    @Test
    void marksDrainedPreferredAndPreparingMembers() {
        nameNodes.statuses.replaceAll(
                (address, page) -> page.replace("\"name\":\"nn1\"", "\"name\":\"nn1\",\"preferred\":true")
                        .replace("\"name\":\"nn2\"", "\"name\":\"nn2\",\"drained\":true,\"preparing\":true"));

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).contains("active, preferred ").contains("standby, observer, drained, preparing ");
    }

    @Test
    void showsSiteColumnWhenConfigured() {
        nameNodes.statuses.replaceAll(
                (address, page) -> page.replace("\"name\":\"nn2\"", "\"name\":\"nn2\",\"site\":\"west\"")
                        .replace("\"address\":\"host1:8487\"", "\"address\":\"host1:8487\",\"site\":\"east\""));

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .contains(
                        "NAMENODE  SITE  STATE",
                        "nn1       -     active",
                        "nn2       west  standby",
                        "POOL NODE   SITE  OF ",
                        "host1:8487  east  nn1");
    }

    @Test
    void printsFindingsWithAdvice() {
        nameNodes.statuses.replaceAll((address, page) ->
                status("degraded", "{\"what\":\"nn3 does not answer\",\"advice\":\"Start it, or see its log\"}", true));

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("* nn3 does not answer\n  Start it, or see its log\n");
    }

    @Test
    void outageHasSeparateExitCode() {
        nameNodes.statuses.replaceAll((address, page) -> status("down", "", true));

        assertThat(cluster.run("status")).isEqualTo(ExitCode.DOWN);
    }

    @Test
    void ignoresStatusOfIsolatedNameNode() {
        nameNodes.statuses.put("host1:9870", status("down", "", false));

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void singleAnswerSuffices() {
        nameNodes.statuses.remove("host1:9870");
        nameNodes.statuses.remove("host3:9870");

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void ignoresPageWithoutStatus() {
        nameNodes.statuses.put("host1:9870", "<html>Log in</html>");
        nameNodes.statuses.put("host2:9870", "{}");

        assertThat(cluster.run("status")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void ignoresPagesWithoutStatus() {
        nameNodes.statuses.put("host1:9870", "<html>Log in</html>");
        nameNodes.statuses.put("host2:9870", "{}");
        nameNodes.statuses.put("host3:9870", "");

        assertThat(cluster.run("status")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(cluster.errors)
                .contains("nn1 at host1:9870: java.io.IOException: wanted the status as JSON, found something else")
                .contains("nn2 at host2:9870: java.io.IOException: wanted the status as JSON, found no verdict");
    }

    @Test
    void reportsWhenNoNameNodeAnswers() {
        nameNodes.statuses.clear();

        assertThat(cluster.run("status")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(cluster.errors)
                .contains("No NameNode of ns1 says how it is")
                .contains("nn2 at host2:9870: java.net.ConnectException: Connection refused")
                .contains("hdfs trefoil journal status");
    }

    @Test
    void reportsRunningServersWhenNoNameNodeHasPage() throws IOException {
        nameNodes.statuses.clear();
        nameNodes.pages.put("host1:9870", "{\"beans\":[]}");
        nameNodes.pages.put(
                "host1:9870 Hadoop:service=NameNode,name=StartupProgress", "{\"beans\":[{\"PercentComplete\":0.43}]}");
        nameNodes.pages.put("host2:9870", "{\"beans\":[]}");
        nameNodes.pages.put(
                "host2:9870 Hadoop:service=NameNode,name=NameNodeStatus", "{\"beans\":[{\"State\":\"active\"}]}");
        nameNodes.withoutPage.add("host1:9870");
        nameNodes.withoutPage.add("host2:9870");

        assertThat(cluster.run("status")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        List<String> said = List.of(
                "nn1 at host1:9870 is starting: HDFS has done 43 percent of its start",
                "nn2 at host2:9870 runs without automatic failover by Trefoil, and HDFS calls it active",
                "nn3 at host3:9870: java.net.ConnectException: Connection refused",
                "'hdfs trefoil journal status' asks the pool itself");
        assertThat(cluster.errors).contains(said);
        assertThat(Files.readString(Path.of("../docs/operating/verdicts.md"))).contains(said);
    }

    @Test
    void jsonPrintsDocumentUnchanged() {
        assertThat(cluster.run("status", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .contains("\"level\": \"healthy\"", "\"mayLose\": 1", "\"diskP99Micros\": 1234", "\"kind\": null")
                .startsWith("{\n  \"nameservice\": \"ns1\",\n  \"askedAt\": 5000,");
    }

    @Test
    void rejectsUnknownNameservice() {
        assertThat(cluster.run("status", "--nameservice", "ns9")).isEqualTo(ExitCode.USAGE);
    }
}
