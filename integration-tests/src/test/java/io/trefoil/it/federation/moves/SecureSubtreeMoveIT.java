/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.hdfs.datanode.LinkClient;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.operating.KerberosSetUp;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A subtree moves with its replicas in a federation with Kerberos, service authorization, block tokens and encrypted data transfer, while
 * a user with a ticket and a job with delegation tokens only work in it. A user who is no superuser is refused at each door, and so is a
 * DataNode.
 */
@Tag("long")
class SecureSubtreeMoveIT {
    private static final String SOURCE = MovingFederation.KEEPER;
    private static final String TARGET = MovingFederation.OTHER;
    private static final Path WORK = new Path("/work");
    private static final Path LARGE = new Path(WORK, "alice/large");
    private static final Path HOME_OF_EVE = new Path("/home/eve");
    private static final Path SPREAD = new Path("/spread");
    private static final int BLOCK = 1 << 20;
    private static final int LENGTH = 2 * BLOCK + 300_001;
    private static final int FILES = 10;
    private static final int SPREAD_FILES = 12;

    @TempDir
    private java.nio.file.Path directory;

    @Test
    void onlySuperuserMovesSubtreeWhileUsersKeepWorking() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(directory);
                MovingFederation federation = new MovingFederation(builder -> secure(setUp, builder))) {
            new Run(federation, setUp, threads).runAll();
            federation.markSucceeded();
        } finally {
            threads.shutdownNow();
        }
    }

    private static HaClusterBuilder secure(KerberosSetUp setUp, HaClusterBuilder builder) {
        return setUp.webPages(setUp.kerberos(builder, "operator"))
                .nameNodes(2)
                .property("dfs.permissions.superusergroup", "hdfs-admins")
                .property("dfs.namenode.audit.loggers", "default,io.trefoil.federation.hdfs.load.SubtreeLoadLogger");
    }

    private final class Run {
        private final MovingFederation federation;
        private final ExecutorService threads;
        private final Map<String, String> operator;
        private final Map<String, String> eve;
        private final UserGroupInformation eveHerself;
        private final DistributedFileSystem alice;
        private final DistributedFileSystem job;

        Run(MovingFederation federation, KerberosSetUp setUp, ExecutorService threads) throws Exception {
            this.federation = federation;
            this.threads = threads;
            operator = setUp.loginOf("operator");
            eve = setUp.loginOf("eve");
            eveHerself = UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                    eve.get("KRB5PRINCIPAL"), eve.get("KRB5KEYTAB"));
            for (String user : List.of("alice", "bob")) {
                make(SOURCE, new Path(WORK, user), user);
            }
            make(SOURCE, HOME_OF_EVE, "eve");
            // A user who gets tokens gets those of the nameservices in the table.
            make(TARGET, new Path("/elsewhere"), "alice");
            runCommand("table", "add", "/elsewhere", TARGET).expectSuccess();
            alice = federation.clientOf(setUp.createUser("alice"));
            job = federation.clientOf(withTokensOnly("bob", setUp.createUser("bob")));
        }

        private void make(String nameservice, Path directory, String owner) throws IOException {
            federation.clientOfNameservice(nameservice).mkdirs(directory);
            federation.clientOfNameservice(nameservice).setOwner(directory, owner, null);
        }

        /** As a task of a job: no ticket, and all tokens that its client got. */
        private UserGroupInformation withTokensOnly(String name, UserGroupInformation user) throws Exception {
            Credentials credentials = new Credentials();
            try (DistributedFileSystem client = federation.clientOf(user)) {
                user.doAs((PrivilegedExceptionAction<Object>) () -> client.addDelegationTokens("yarn", credentials));
            }
            assertThat(credentials.getAllTokens())
                    .extracting(token -> token.getService().toString())
                    .containsExactlyInAnyOrder("ha-hdfs:" + SOURCE, "ha-hdfs:" + TARGET);
            UserGroupInformation bare = UserGroupInformation.createRemoteUser(name);
            bare.addCredentials(credentials);
            return bare;
        }

        void runAll() throws Exception {
            byte[] bytes = write(alice, LARGE);
            LogWriter ofAlice = new LogWriter(alice, new Path(WORK, "alice"));
            LogWriter ofJob = new LogWriter(job, new Path(WORK, "bob"));
            List<LogWriter> writers = List.of(ofAlice, ofJob);
            List<Future<Void>> writing = writers.stream().map(threads::submit).toList();
            awaitMore(writers, writing);

            assertCommandsRefuseEve();
            assertHdfsRefusesEve();
            assertOnlySuperusersOrderLinks();
            assertThat(federation.versionCount()).as("versions").isEqualTo(2);
            awaitMore(writers, writing);

            ToolResult moved = runCommand("subtree", "move", WORK.toString(), "--to", TARGET, "--keep-source")
                    .expectSuccess();
            assertThat(moved.output()).contains("clients waited");
            FileStatus closed = federation.clientOfNameservice(SOURCE).getFileStatus(WORK);
            assertThat(closed.getOwner()).isEqualTo("operator");
            assertThat(closed.getPermission()).isEqualTo(new FsPermission((short) 0));
            awaitMore(writers, writing);
            runCommand("subtree", "move", WORK.toString(), "--to", TARGET).expectSuccess();
            awaitMore(writers, writing);

            writers.forEach(LogWriter::end);
            for (Future<Void> one : writing) {
                one.get();
            }
            assertThat(read(alice, LARGE)).isEqualTo(bytes);
            assertThat(read(federation.clientOfNameservice(TARGET), LARGE)).isEqualTo(bytes);
            assertIsAtTarget("alice", ofAlice);
            assertIsAtTarget("bob", ofJob);
            assertThat(federation.clientOfNameservice(SOURCE).listStatus(WORK)).isEmpty();
            assertTokensOpenHashedDirectory();
        }

        private void awaitMore(List<LogWriter> writers, List<Future<Void>> writing) throws Exception {
            List<Integer> goals = writers.stream()
                    .map(writer -> writer.completedRounds() + FILES)
                    .toList();
            Await.until(
                    "users go on",
                    Await.TIMEOUT,
                    () -> writing.stream().anyMatch(Future::isDone)
                            || IntStream.range(0, goals.size())
                                    .allMatch(i -> writers.get(i).completedRounds() >= goals.get(i)),
                    federation::describe);
            for (Future<Void> one : writing) {
                if (one.isDone()) {
                    one.get();
                }
            }
        }

        private void assertIsAtTarget(String user, LogWriter writer) throws IOException {
            DistributedFileSystem target = federation.clientOfNameservice(TARGET);
            Map<String, String> found = new TreeMap<>();
            for (FileStatus one : target.listStatus(new Path(WORK, user))) {
                assertThat(one.getOwner()).as(one.getPath().toString()).isEqualTo(user);
                String path = one.getPath().toUri().getPath();
                if (!path.equals(LARGE.toString())) {
                    found.put(path, new String(read(target, one.getPath()), UTF_8));
                }
            }
            assertThat(found).isEqualTo(writer.acknowledgedContents());
        }

        private ToolResult runCommand(String... arguments) {
            return runCommandAs(operator, arguments);
        }

        private ToolResult runCommandAs(Map<String, String> login, String... arguments) {
            return federation
                    .cluster(MovingFederation.KEEPER)
                    .hdfsAs(
                            login,
                            "trefoil",
                            Stream.concat(
                                            Stream.of(arguments),
                                            arguments[1].equals("load")
                                                    ? Stream.empty()
                                                    : Stream.of("--table", MovingFederation.TABLE))
                                    .toArray(String[]::new));
        }

        private void assertCommandsRefuseEve() throws IOException {
            String inHerHome = HOME_OF_EVE + "/here";
            make(TARGET, new Path(inHerHome), "eve");
            String needsSuperuser = "Wanted a superuser of hdfs://" + SOURCE + ", found eve@EXAMPLE.COM";
            for (String[] arguments : new String[][] {
                {"table", "add", inHerHome, TARGET},
                {"table", "create", "other"},
                {"table", "remove", "/elsewhere"},
                {"table", "hash", HOME_OF_EVE.toString(), SOURCE + "," + TARGET},
                {"subtree", "move", HOME_OF_EVE.toString(), "--to", TARGET},
                {"subtree", "status"},
                {"subtree", "abort"},
            }) {
                assertRefused(runCommandAs(eve, arguments), needsSuperuser);
            }
            assertRefused(runCommandAs(eve, "subtree", "load"), "access denied: eve@EXAMPLE.COM may not read ");
            runCommand("subtree", "load").expectSuccess();

            assertThat(federation.clientOfNameservice(SOURCE).listStatus(HOME_OF_EVE))
                    .isEmpty();
            assertThat(federation
                            .clientOfNameservice(SOURCE)
                            .getFileStatus(HOME_OF_EVE)
                            .isSnapshotEnabled())
                    .isFalse();
            assertThat(federation.clientOfNameservice(TARGET).listStatus(new Path(inHerHome)))
                    .isEmpty();
            assertThat(federation.recordedPhase()).isEmpty();
        }

        private void assertRefused(ToolResult result, String reason) {
            assertThat(result.exitCode()).as(result.output()).isNotZero();
            assertThat(result.output()).contains(reason).doesNotContain("\tat ");
        }

        /** The marks, the table and the records of moves, without any command of ours. */
        private void assertHdfsRefusesEve() throws Exception {
            FrozenMark mark = FrozenMark.of("eves", WORK.toString(), System.currentTimeMillis() + 30_000);
            Path table = new Path(URI.create(MovingFederation.TABLE).getPath());
            try (DistributedFileSystem hers = eveHerself.doAs((PrivilegedExceptionAction<DistributedFileSystem>) () ->
                    (DistributedFileSystem) FileSystem.newInstance(URI.create("hdfs://" + SOURCE), federation.conf))) {
                assertThatThrownBy(() -> hers.setXAttr(
                                new Path(FrozenMark.DIRECTORY),
                                mark.name(),
                                mark.value(),
                                EnumSet.of(XAttrSetFlag.CREATE)))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> hers.setXAttr(HOME_OF_EVE, "trusted.trefoil.moved", new byte[] {1}))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> hers.create(new Path(table, "mount-table.3.xml")))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> hers.mkdirs(new Path(table, "moves")))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> hers.rename(table, new Path(HOME_OF_EVE, "table")))
                        .isInstanceOf(AccessControlException.class);
                assertThat(hers.exists(new Path(table, "mount-table.2.xml"))).isTrue();
            }
            assertThat(federation.frozenMark(SOURCE)).isEmpty();
        }

        /** Of a user's blocks, in the pool of the other nameservice. */
        private void assertOnlySuperusersOrderLinks() throws Exception {
            LocatedBlock block = federation
                    .clientOfNameservice(SOURCE)
                    .getClient()
                    .getLocatedBlocks(LARGE.toString(), 0)
                    .get(0);
            InetSocketAddress dataNode = NetUtils.createSocketAddr(block.getLocations()[0].getIpcAddr(false));
            BlockRef from = BlockRef.parse(block.getBlock().getLocalBlock().toString());
            LinkOrder order = LinkOrder.of(
                    block.getBlock().getBlockPoolId(),
                    "no-pool",
                    LinkOrder.Check.CHECKSUMS,
                    List.of(BlockLink.of(from, block.getBlockSize(), BlockRef.parse("blk_1_1"))));
            PrivilegedExceptionAction<String> link = () -> new LinkClient(federation.conf, Duration.ofMinutes(1))
                    .link(dataNode, order)
                    .toString();

            assertThatThrownBy(() -> eveHerself.doAs(link))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("Disallowed RPC access from eve@EXAMPLE.COM");
            // The DataNode makes the superuser of it, as of the NameNodes.
            UserGroupInformation other = UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                    "dn/localhost@EXAMPLE.COM",
                    directory.resolve("dn-localhost.keytab").toString());
            assertThatThrownBy(() -> other.doAs(link))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("DataNodes take no orders from each other");
            assertThat(UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                                    operator.get("KRB5PRINCIPAL"), operator.get("KRB5KEYTAB"))
                            .doAs(link))
                    .contains("does not serve no-pool");
            for (String caller : List.of("eve@EXAMPLE.COM", "dn/localhost@EXAMPLE.COM")) {
                assertThat(federation.dataNodes().stream()
                                .map(Server::log)
                                .anyMatch(log -> log.contains("caller=\"" + caller + " (auth:KERBEROS)\"")))
                        .as("the audit log has what " + caller + " wanted")
                        .isTrue();
            }
        }

        private void assertTokensOpenHashedDirectory() throws Exception {
            make(SOURCE, SPREAD, "bob");
            runCommand("table", "hash", SPREAD.toString(), SOURCE + "," + TARGET)
                    .expectSuccess();
            for (int i = 0; i < SPREAD_FILES; i++) {
                LogWriter.write(job, new Path(SPREAD, "part-" + i));
            }
            assertThat(job.listStatus(SPREAD)).hasSize(SPREAD_FILES);
            for (String nameservice : List.of(SOURCE, TARGET)) {
                FileStatus[] part =
                        federation.clientOfNameservice(nameservice).listStatus(new Path("/.trefoil/hashed" + SPREAD));
                assertThat(part).as("files in " + nameservice).isNotEmpty();
                assertThat(part).allMatch(one -> one.getOwner().equals("bob"));
            }
            assertThatThrownBy(() -> alice.create(new Path(SPREAD, "hers")).close())
                    .isInstanceOf(AccessControlException.class);
        }
    }

    private static byte[] write(DistributedFileSystem files, Path path) throws IOException {
        byte[] bytes = new byte[LENGTH];
        new Random(LENGTH).nextBytes(bytes);
        try (OutputStream out = files.create(path, true, 4096, (short) 2, BLOCK)) {
            out.write(bytes);
        }
        return bytes;
    }

    private static byte[] read(DistributedFileSystem files, Path path) throws IOException {
        try (InputStream in = files.open(path)) {
            return in.readAllBytes();
        }
    }
}
