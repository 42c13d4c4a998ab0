/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.hdfs.TestKdc;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.HostPlan;
import io.trefoil.tools.preflight.PreflightFinding.Level;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each check finds what it is for, and is content otherwise. */
class ChecksTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private HostPlan.Builder plan() {
        return HostPlan.builder()
                .nameNode("nn1")
                .listeners(Map.of())
                .otherNodes(List.of())
                .otherPages(List.of())
                .sites(Map.of())
                .journalDirectory(directory.toString())
                .nameDirectories(List.of())
                .classes(Map.of())
                .settingErrors(List.of())
                .zooKeepers(List.of())
                .logins(List.of());
    }

    private static PreflightFinding onlyFinding(List<PreflightFinding> findings) {
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    private void process(String... arguments) throws IOException {
        Path own = Files.createDirectories(directory.resolve("proc/42"));
        Files.writeString(own.resolve("cmdline"), String.join("\0", arguments) + "\0");
    }

    private Processes processes() {
        return new Processes(directory.resolve("proc"));
    }

    private PreflightFinding checkPort(String address) {
        return onlyFinding(new PortsCheck(processes())
                .check(plan().listeners(Map.of("dfs.ha.zkfc.port", address)).build()));
    }

    @Test
    void freePortIsOk() throws Exception {
        assertThat(checkPort("127.0.0.1:" + TestPorts.free()).level()).isEqualTo(Level.OK);
    }

    @Test
    void usedPortIsProblemUnlessNameNodeRuns() throws Exception {
        try (ServerSocket socket = listener()) {
            String taken = "127.0.0.1:" + socket.getLocalPort();

            PreflightFinding found = checkPort(taken);
            assertThat(found.level()).isEqualTo(Level.PROBLEM);
            assertThat(found.text()).contains("dfs.ha.zkfc.port", "in use");
            assertThat(found.remedy()).contains("ss -ltnp 'sport = :" + socket.getLocalPort());

            process("java", Processes.NAME_NODE);
            assertThat(checkPort(taken).level()).isEqualTo(Level.OK);
        }
    }

    /** As Debian and Ubuntu have it in /etc/hosts. */
    @Test
    void reportsLoopbackAddressOfLocalHostName() throws Exception {
        HostPlan.Builder loopback = plan().listeners(Map.of("p", "127.0.1.1:" + TestPorts.free()));

        PreflightFinding found = onlyFinding(new PortsCheck(processes())
                .check(loopback.otherNodes(List.of("127.0.0.1:1", "192.0.2.1:1"))
                        .build()));
        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.text()).contains("127.0.1.1", "no other host reaches it");
        assertThat(found.remedy()).contains("/etc/hosts");

        assertThat(onlyFinding(new PortsCheck(processes())
                                .check(loopback.otherNodes(List.of("127.0.0.1:1"))
                                        .build()))
                        .level())
                .as("all on one host")
                .isEqualTo(Level.OK);
    }

    @Test
    void addressOfAnotherHostIsProblem() {
        // 192.0.2.0/24 is reserved for examples.
        PreflightFinding found = checkPort("192.0.2.1:8020");

        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.text()).contains("not an address of this host");
    }

    @Test
    void unresolvableHostIsProblem() {
        HostPlan nowhere = plan().listeners(Map.of("p", "no.such.host.invalid:1"))
                .otherNodes(List.of("no.such.host.invalid:1"))
                .zooKeepers(List.of("no.such.host.invalid:1"))
                .build();

        for (Check check : List.of(
                new PortsCheck(processes()),
                new PeerHostsCheck(Clock.systemUTC(), TIMEOUT),
                new ZooKeeperCheck(TIMEOUT))) {
            PreflightFinding found = onlyFinding(check.check(nowhere));
            assertThat(found.level()).isEqualTo(Level.PROBLEM);
            assertThat(found.text()).contains("no address");
        }
    }

    @Test
    void notesVotersInOnlyTwoSites() {
        SitesCheck check = new SitesCheck();
        assertThat(check.check(plan().sites(Map.of("h1:1", "", "h2:1", "")).build()))
                .isEmpty();

        PreflightFinding two =
                onlyFinding(check.check(plan().sites(Map.of("h1:1", "west", "h2:1", "west", "h3:1", "east"))
                        .build()));
        assertThat(two.level()).isEqualTo(Level.NOTE);
        assertThat(two.text()).contains("if all nodes of the journal vote", "the loss of west stops the journal");

        assertThat(onlyFinding(check.check(
                                plan().sites(Map.of("h1:1", "west", "h2:1", "")).build()))
                        .text())
                .isEqualTo("the site of pool node h2:1 is not configured");
        assertThat(onlyFinding(check.check(plan().sites(Map.of("h1:1", "west", "h2:1", "west"))
                                .build()))
                        .text())
                .isEqualTo("all nodes of the journal are in site west");
        assertThat(onlyFinding(check.check(plan().sites(Map.of("h1:1", "a", "h2:1", "b", "h3:1", "c"))
                                .build()))
                        .level())
                .isEqualTo(Level.OK);
    }

    @Test
    void rejectsMalformedAddress() {
        for (String wrong : List.of("host", "host:", ":1", "host:70000", "host:x")) {
            assertThatThrownBy(() -> NodeAddress.parse(wrong)).hasMessage("Wanted host:port, found '" + wrong + "'");
        }
    }

    @Test
    void fastDiskPassesAndFileIsRemoved() {
        List<PreflightFinding> found = new DiskCheck(System::nanoTime)
                .check(plan().nameDirectories(List.of(directory.toString())).build());

        assertThat(found).extracting(PreflightFinding::text).anyMatch(text -> text.contains(" syncs in "));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void slowDiskIsProblem() {
        AtomicLong clock = new AtomicLong();

        List<PreflightFinding> found = new DiskCheck(() -> clock.addAndGet(30_000_000)).check(plan().build());

        assertThat(found).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Level.PROBLEM);
            assertThat(finding.text()).contains("syncs in 30.0 ms, at most in 30.0 ms");
            assertThat(finding.remedy()).contains("faster disk");
        });
    }

    @Test
    void reportsMissingDirectories() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        List<PreflightFinding> found = new DiskCheck(System::nanoTime)
                .check(plan().journalDirectory(directory.resolve("none").toString())
                        .nameDirectories(List.of(file.toString()))
                        .build());

        assertThat(found)
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Level.PROBLEM))
                .anySatisfy(finding -> assertThat(finding.remedy()).contains("install -d -o hdfs", "none"))
                .anySatisfy(finding -> assertThat(finding.text()).contains("dfs.namenode.name.dir"));
    }

    @Test
    void downPoolNodeIsReportedAsNoteOnly() throws Exception {
        // Not one of those that the system gives to connections: one may have it in the next moment.
        int port = TestPorts.free();
        String address = "127.0.0.1:" + port;
        try (ServerSocket socket = new ServerSocket(port, 5, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
            assertThat(checkNeighbour(address).level()).isEqualTo(Level.OK);
        }

        assertThat(checkNeighbour(address).level()).isEqualTo(Level.NOTE);
        assertThat(checkNeighbour(address).text()).contains("is not up");
    }

    private PreflightFinding checkNeighbour(String address) {
        return onlyFinding(new PeerHostsCheck(Clock.systemUTC(), TIMEOUT)
                .check(plan().otherNodes(List.of(address)).build()));
    }

    @Test
    void clockDifferenceIsProblem() throws Exception {
        Instant theirs = Instant.parse("2026-11-26T08:00:00Z");
        assertThat(checkClock(theirs.plusSeconds(5), "Thu, 26 Nov 2026 08:00:00 GMT")
                        .level())
                .isEqualTo(Level.OK);
        PreflightFinding found = checkClock(theirs.minusSeconds(60), "Thu, 26 Nov 2026 08:00:00 GMT");
        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.text()).contains("differs by 60 s");
    }

    @Test
    void notesUncheckedClockWhenPageIsUnavailable() {
        URI page = URI.create("http://127.0.0.1:" + TestPorts.free() + "/");

        PreflightFinding found = onlyFinding(new PeerHostsCheck(Clock.systemUTC(), TIMEOUT)
                .check(plan().otherPages(List.of(page)).build()));

        assertThat(found.level()).isEqualTo(Level.NOTE);
        assertThat(found.text()).endsWith("is not known: no answer");
        assertThat(found.remedy()).isEqualTo("nothing to do if it is to start later");
    }

    /** @param date of a page's answer; the JDK's server would give it the time of that moment */
    private PreflightFinding checkClock(Instant ownTime, String date) throws Exception {
        try (ServerSocket socket = listener()) {
            Thread server = new Thread(() -> answerPage(socket, date));
            server.start();
            URI page = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
            PreflightFinding found = onlyFinding(new PeerHostsCheck(Clock.fixed(ownTime, ZoneOffset.UTC), TIMEOUT)
                    .check(plan().otherPages(List.of(page)).build()));
            server.join();
            return found;
        }
    }

    private static void answerPage(ServerSocket socket, String date) {
        try (Socket client = socket.accept()) {
            BufferedReader request =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            while (!request.readLine().isEmpty()) {
                // The request ends with an empty line.
            }
            String answer = "HTTP/1.1 200 OK\r\nDate: " + date + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void distinguishesServingAndNonServingZooKeeper() throws Exception {
        assertThat(checkZooKeeper("Zookeeper version: 3.8.4\nMode: leader\n").level())
                .isEqualTo(Level.OK);
        // Forbidden, but there.
        assertThat(checkZooKeeper("srvr is not executed because it is not in the whitelist.\n")
                        .level())
                .isEqualTo(Level.OK);
        PreflightFinding found = checkZooKeeper("This ZooKeeper instance is not currently serving requests\n");
        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.text()).contains("no majority");
    }

    private PreflightFinding checkZooKeeper(String answer) throws Exception {
        try (ServerSocket socket = listener()) {
            Thread server = new Thread(() -> answer(socket, answer));
            server.start();
            PreflightFinding found = onlyFinding(new ZooKeeperCheck(TIMEOUT)
                    .check(plan().zooKeepers(List.of("127.0.0.1:" + socket.getLocalPort()))
                            .build()));
            server.join();
            return found;
        }
    }

    private static void answer(ServerSocket socket, String answer) {
        try (Socket client = socket.accept()) {
            assertThat(client.getInputStream().readNBytes(4)).isEqualTo("srvr".getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void unreachableZooKeeperIsProblem() throws Exception {
        PreflightFinding found = onlyFinding(new ZooKeeperCheck(TIMEOUT)
                .check(plan().zooKeepers(List.of("127.0.0.1:" + TestPorts.free()))
                        .build()));

        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.remedy()).contains("ha.zookeeper.quorum");
    }

    @Test
    void reportsMissingAndDuplicateClasses() throws Exception {
        HostPlan plan = plan().classes(Map.of("io.trefoil.x.Plugin", "dfs.namenode.plugins"))
                .build();
        URL one = directoryWithClass("one");

        assertThat(levels(plan)).containsExactly(Level.PROBLEM);
        assertThat(levels(plan, one)).containsExactly(Level.OK);
        assertThat(levels(plan, one, directoryWithClass("two"))).containsExactly(Level.PROBLEM);
    }

    @Test
    void suggestsNearestNameForMisspelledClass() {
        HostPlan plan = plan().classes(Map.of("io.trefoil.ha.hdfs.MamPlugin", "dfs.namenode.plugins"))
                .build();

        PreflightFinding found = onlyFinding(new ClassesCheck(ChecksTest.class.getClassLoader()).check(plan));

        assertThat(found.level()).isEqualTo(Level.PROBLEM);
        assertThat(found.remedy())
                .isEqualTo("correct the name: the nearest that there is is io.trefoil.ha.hdfs.MamsPlugin");
    }

    @Test
    void reportsEachInvalidSettingWithRemedy() {
        HostPlan plan = plan().settingErrors(List.of(HostPlan.SettingError.of("a.key is wrong", "set it to 1")))
                .build();

        assertThat(onlyFinding(new SettingsCheck().check(plan)))
                .isEqualTo(PreflightFinding.problem("a.key is wrong", "set it to 1"));
    }

    private URL directoryWithClass(String name) throws IOException {
        Path root = directory.resolve(name);
        Files.createFile(Files.createDirectories(root.resolve("io/trefoil/x")).resolve("Plugin.class"));
        return root.toUri().toURL();
    }

    private static List<Level> levels(HostPlan plan, URL... classPath) throws IOException {
        try (URLClassLoader loader = new URLClassLoader(classPath, null)) {
            return new ClassesCheck(loader)
                    .check(plan).stream().map(PreflightFinding::level).toList();
        }
    }

    @Test
    void reportsReasonWhenKeytabLoginFails() throws Exception {
        Path keytab;
        String principal;
        try (TestKdc kdc = new TestKdc(directory)) {
            keytab = Path.of(kdc.keytab("nn/localhost"));
            principal = kdc.principal("nn/localhost");
            Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("r--------"));

            assertThat(checkKeytab(principal, keytab))
                    .isEqualTo(PreflightFinding.ok(principal + " logs in with " + keytab));
            assertThat(checkKeytab(kdc.principal("nn/elsewhere"), keytab).text())
                    .contains("has no key of nn/elsewhere");
            assertThat(checkKeytab(principal, directory.resolve("none.keytab")).text())
                    .contains("is not there");

            Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("r--r--r--"));
            assertThat(checkKeytab(principal, keytab).level()).isEqualTo(Level.NOTE);
        }
        // The KDC is gone.
        assertThat(checkKeytab(principal, keytab)).satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.PROBLEM);
            assertThat(finding.text()).startsWith(principal + " cannot log in with " + keytab + ": ");
        });
    }

    private PreflightFinding checkKeytab(String principal, Path file) {
        return onlyFinding(new KeytabsCheck()
                .check(plan().logins(List.of(HostPlan.Login.of("dfs.namenode.keytab.file", principal, file.toString())))
                        .build()));
    }

    @Test
    void runningZkfcIsProblemWithAutomaticFailover() throws Exception {
        process("java", "-Dproc_zkfc", Processes.ZKFC);
        HostPlan automatic = plan().zooKeepers(List.of("zk1:2181")).build();

        assertThat(new HostCheck(processes()).check(automatic)).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Level.PROBLEM);
            assertThat(finding.text()).contains("process 42");
            assertThat(finding.remedy()).contains("hdfs --daemon stop zkfc");
        });
        assertThat(new HostCheck(processes()).check(plan().build()))
                .noneMatch(finding -> finding.level() == Level.PROBLEM);
    }

    @Test
    void notesLightlySwappedMemory() throws Exception {
        Files.createDirectories(directory.resolve("proc/sys/vm"));
        Files.writeString(directory.resolve("proc/meminfo"), "MemTotal: 100 kB\nSwapTotal:       2097148 kB\n");
        Files.writeString(directory.resolve("proc/sys/vm/swappiness"), "60\n");
        assertThat(onlyFinding(new HostCheck(processes()).check(plan().build())).level())
                .isEqualTo(Level.NOTE);

        Files.writeString(directory.resolve("proc/sys/vm/swappiness"), "1\n");
        assertThat(onlyFinding(new HostCheck(processes()).check(plan().build())).level())
                .isEqualTo(Level.OK);
    }

    @Test
    void reportsPackagesNotOpenedByJava() {
        PreflightFinding found =
                onlyFinding(new JavaCheck("17", name -> name.startsWith("java.")).check(plan().build()));

        assertThat(found.level()).isEqualTo(Level.NOTE);
        assertThat(found.text()).startsWith("Java 17 does not open sun.nio.ch to Hadoop");
        assertThat(found.remedy()).contains("conf/java-17-env.sh");
    }

    @Test
    void acceptsPackagesWhenJavaOpensThemOrIsOlder() {
        assertThat(onlyFinding(new JavaCheck("17", name -> true).check(plan().build()))
                        .level())
                .isEqualTo(Level.OK);
        assertThat(onlyFinding(new JavaCheck("11", name -> false).check(plan().build()))
                        .level())
                .isEqualTo(Level.OK);
        assertThat(onlyFinding(new JavaCheck("1.8", name -> false).check(plan().build()))
                        .level())
                .isEqualTo(Level.OK);
    }

    /** The script opens what the check asks for, and this JVM tells the truth about itself. */
    @Test
    void scriptOpensAllRequiredPackages() throws Exception {
        String script = Files.readString(Path.of("../conf/java-17-env.sh"));

        String text = onlyFinding(new JavaCheck("17", name -> false).check(plan().build()))
                .text();
        for (String name :
                text.replaceFirst(".*not open (.*) to Hadoop:.*", "$1").split(", ")) {
            assertThat(script)
                    .containsAnyOf(
                            " " + name.replace("java.", "") + " ", " " + name.replace("java.", "") + ";", name + "=");
        }
        assertThat(onlyFinding(JavaCheck.ofThisJvm().check(plan().build())).text())
                .startsWith("Java ");
    }

    @Test
    void runningAsRootIsProblemWhenAnotherUserOwnsDirectory() throws Exception {
        HostPlan own = plan().journalDirectory(directory.toString()).build();
        HostPlan missing = plan().journalDirectory(directory + "/none").build();
        String me = System.getProperty("user.name");

        assertThat(onlyFinding(new UserCheck("hdfs").check(own))).isEqualTo(PreflightFinding.ok("this is hdfs"));
        assertThat(onlyFinding(new UserCheck("root").check(missing)).level()).isEqualTo(Level.NOTE);
        assertThat(onlyFinding(new UserCheck("root").check(own)).level())
                .isEqualTo(me.equals("root") ? Level.NOTE : Level.PROBLEM);
        if (me.equals("root")) {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            assertThat(onlyFinding(new UserCheck("root").check(own)))
                    .isEqualTo(PreflightFinding.problem(
                            "this is root, and " + directory
                                    + " belongs to nobody: what root may do says nothing of that user",
                            "sudo -u nobody hdfs trefoil preflight"));
        }
    }
}
