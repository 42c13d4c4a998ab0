/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RunningJob;
import io.trefoil.it.load.WordFiles;
import io.trefoil.it.operating.KerberosSetUp;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stock MapReduce job on a cluster with Kerberos does not notice that the active is killed while it maps. Its tasks
 * have only the delegation token for the nameservice that the client got when it submitted the job: no ticket, and no
 * address of the KDC. {@code KerberosClientTest} tests a token during a failover in one process, and
 * {@code MapReduceIT} the jobs without Kerberos.
 */
@Tag("long")
class KerberosJobsIT {
    private static final int MAPS = 3;
    private static final int LINES_OF_A_MAP = 1_000;
    private static final String WORD_COUNT = "org.apache.hadoop.examples.WordCount";
    /** The user of all processes here: with Kerberos the shuffle serves only files of the job's own user. */
    private static final String USER = System.getProperty("user.name");

    private static final String TICKET_LOGIN = "Auth successful for " + USER + "@EXAMPLE.COM (auth:KERBEROS)";
    private static final String TOKEN_LOGIN = "Auth successful for " + USER + "@EXAMPLE.COM (auth:TOKEN)";

    @TempDir
    private java.nio.file.Path directory;

    @Test
    void tasksWithTokensDoNotNoticeKilledActive() throws Exception {
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(directory)) {
            HaClusterBuilder builder = HaCluster.builder("kerberos-jobs")
                    .dataNodes(2)
                    .withAutomaticFailover()
                    .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName());
            setUp.kerberos(setUp.yarn(builder), "operator").run(cluster -> runWordCount(cluster, setUp.loginOf(USER)));
        }
    }

    private static void runWordCount(HaCluster cluster, Map<String, String> login) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        Map<String, Integer> expected = WordFiles.write(fileSystem, new Path("/words"), MAPS, LINES_OF_A_MAP);
        createWorldWritable(fileSystem, new Path("/tmp"));
        createWorldWritable(fileSystem, new Path("/out"));

        // Without reduces: for files between tasks, Hadoop with Kerberos needs native code, which is not in its jars.
        RunningJob job =
                cluster.startJobAs(login, "words", WORD_COUNT, "-Dmapreduce.job.reduces=0", "/words", "/out/words");
        job.awaitMapPhase();
        NameNodeServer killed = cluster.awaitActive();
        killed.kill9();
        assertThat(job.isRunning())
                .as("job %s, when %s was killed", job, killed)
                .isTrue();
        job.awaitSuccess(Await.TIMEOUT);

        NameNodeServer active = cluster.awaitActive();
        assertThat(active).isNotSameAs(killed);
        assertThat(job.log().contains("Got dt for hdfs://trefoil"))
                .as("the client got a token")
                .isTrue();
        // The killed one knew the client by its ticket; the other, which never issued a token, knew the tasks by
        // theirs.
        assertThat(killed.log().contains(TICKET_LOGIN)).isTrue();
        assertThat(active.log().contains(TOKEN_LOGIN)).isTrue();
        Map<String, Integer> found = new TreeMap<>();
        WordFiles.contentOf(fileSystem, new Path("/out/words")).values().stream()
                .flatMap(String::lines)
                .forEach(line -> found.merge(line.substring(0, line.indexOf('\t')), 1, Integer::sum));
        assertThat(found).isEqualTo(expected);
        cluster.awaitActiveAndStandbys();
    }

    private static void createWorldWritable(FileSystem fileSystem, Path directory) throws IOException {
        fileSystem.mkdirs(directory);
        fileSystem.setPermission(directory, new FsPermission("1777"));
    }
}
