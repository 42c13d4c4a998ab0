/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.TrefoilCommand;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code init} on a host whose programs write down how they were called. */
class InitCommandTest {
    @TempDir
    private Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private String operator = "root";
    private Path configuration;
    private Path units;
    private Path calls;
    private String output = "";

    @BeforeEach
    void createScripts() throws IOException {
        configuration = Files.createDirectories(directory.resolve("conf"));
        units = Files.createDirectories(directory.resolve("units"));
        calls = directory.resolve("calls");
        Path home = Files.createDirectories(directory.resolve("trefoil/conf/systemd"))
                .getParent()
                .getParent();
        for (String unit : List.of("hdfs-namenode.service", "trefoil-pool-node.service")) {
            Files.copy(
                    Path.of("../conf/systemd", unit),
                    home.resolve("conf/systemd").resolve(unit));
        }
        createProgram("install", "echo install \"$@\" >>" + calls);
        createProgram("systemctl", "echo systemctl \"$@\" >>" + calls);
        createProgram("sudo", "echo sudo \"$@\" >>" + calls + "; echo 'nn1 may start here'");
        createProgram(
                "ssh",
                "echo ssh \"$@\" >>" + calls
                        + "; echo 'Welcome'; case \"$*\" in *' host2.example.com '*) exit 255 ;; esac");
        environment.put("PATH", directory.resolve("programs") + ":/usr/bin:/bin");
        environment.put("HADOOP_CONF_DIR", configuration.toString());
        environment.put("HADOOP_HDFS_HOME", "/opt/hadoop");
        environment.put("TREFOIL_HOME", home.toString());
    }

    private void createProgram(String name, String script) throws IOException {
        Path file = Files.createDirectories(directory.resolve("programs")).resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int init(Map<String, String> changedSettings, String... more) {
        Map<String, String> options = new HashMap<>(Map.of(
                "--nameservice", "ns1",
                "--namenodes", "host1.example.com,host2.example.com:9000,host3.example.com",
                "--name-dirs", "/data/1/nn,/data/2/nn",
                "--journal-dir", "/data/1/ssp",
                "--zookeeper", "zk1.example.com,zk2.example.com:2182"));
        options.putAll(changedSettings);
        List<String> arguments = new ArrayList<>();
        options.forEach((option, value) -> arguments.addAll(List.of(option, value)));
        arguments.addAll(List.of(more));
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        int code = TrefoilCommand.execute(
                new CommandLine(new InitCommand(environment, operator, units)),
                writer,
                writer,
                arguments.toArray(new String[0]));
        writer.flush();
        output = text.toString();
        return code;
    }

    private Configuration read() {
        Configuration conf = new Configuration(false);
        for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
            conf.addResource(
                    new org.apache.hadoop.fs.Path(configuration.resolve(file).toUri()));
        }
        return conf;
    }

    @Test
    void initShowsFilesAndCommandsWithoutExecute() {
        assertThat(init(Map.of())).isEqualTo(ExitCode.FINE);

        assertThat(output)
                .contains("+++ " + configuration.resolve("hdfs-site.xml"))
                .contains("+    <value>ssp:///ns1</value>")
                .contains("# install -d -o hdfs -g hadoop -m 700 /data/1/nn /data/2/nn /data/1/ssp")
                .contains("# systemctl daemon-reload")
                .contains("# sudo -u hdfs /opt/hadoop/bin/hdfs --config " + configuration + " trefoil preflight")
                .endsWith(String.format("Nothing was changed; --execute does it on this host.%n"));
        assertThat(configuration).isEmptyDirectory();
        assertThat(calls).doesNotExist();
    }

    @Test
    void initCreatesFilesConfiguringWholeNameservice() throws IOException {
        assertThat(init(Map.of(), "--execute")).as(output).isEqualTo(ExitCode.FINE);

        Configuration conf = read();
        assertThat(conf.get("fs.defaultFS")).isEqualTo("hdfs://ns1");
        assertThat(conf.get("ha.zookeeper.quorum")).isEqualTo("zk1.example.com:2181,zk2.example.com:2182");
        assertThat(conf.get("dfs.ha.namenodes.ns1")).isEqualTo("nn1,nn2,nn3");
        assertThat(conf.get("dfs.namenode.rpc-address.ns1.nn2")).isEqualTo("host2.example.com:9000");
        assertThat(conf.get("dfs.namenode.http-address.ns1.nn2")).isEqualTo("host2.example.com:9870");
        assertThat(conf.get("dfs.namenode.edits.dir")).isEqualTo("ssp:///ns1");
        assertThat(conf.get("dfs.namenode.plugins")).endsWith(",io.trefoil.ha.hdfs.MamsPlugin");
        assertThat(conf.get("dfs.client.failover.proxy.provider.ns1"))
                .isEqualTo("io.trefoil.client.hdfs.SmartFailoverProxyProvider");
        assertThat(conf.get("dfs.namenode.resource.checked.volumes")).isEqualTo("/data/1/nn,/data/2/nn,/data/1/ssp");
        assertThat(Files.readAllLines(calls))
                .containsExactly(
                        "install -d -o hdfs -g hadoop -m 700 /data/1/nn /data/2/nn /data/1/ssp",
                        "systemctl daemon-reload",
                        "sudo -u hdfs /opt/hadoop/bin/hdfs --config " + configuration + " trefoil preflight");
        assertThat(units.resolve("hdfs-namenode.service"))
                .content()
                .contains("HADOOP_CONF_DIR=" + configuration, directory.resolve("trefoil") + "/bin/prepare-namenode")
                .doesNotContain("/opt/trefoil");
        assertThat(output).contains("nn1 may start here");
    }

    @Test
    void repeatedInitUpdatesGeneratedFiles() throws IOException {
        Files.writeString(
                configuration.resolve("hdfs-site.xml"),
                "<configuration>\n<property><name>dfs.replication</name><value>2</value></property>\n</configuration>\n");
        init(Map.of(), "--execute");
        String first = Files.readString(configuration.resolve("hdfs-site.xml"));
        assertThat(init(Map.of(), "--execute")).isEqualTo(ExitCode.FINE);
        assertThat(output).contains("hdfs-site.xml: has it");
        assertThat(configuration.resolve("hdfs-site.xml")).hasContent(first);

        init(Map.of("--journal-dir", "/data/3/ssp"), "--execute");

        assertThat(read().get("trefoil.journal.dir")).isEqualTo("/data/3/ssp");
        assertThat(read().get("dfs.replication")).isEqualTo("2");
    }

    @Test
    void refusesExistingClusterWithoutChanges() throws IOException {
        String site =
                "<configuration><property><name>dfs.nameservices</name><value>old</value></property></configuration>";
        Files.writeString(configuration.resolve("hdfs-site.xml"), site);

        assertThat(init(Map.of(), "--execute")).isEqualTo(ExitCode.USAGE);

        assertThat(output).contains("hdfs-site.xml sets dfs.nameservices already", "hdfs trefoil enable");
        assertThat(configuration.resolve("hdfs-site.xml")).hasContent(site);
        assertThat(configuration.resolve("core-site.xml")).doesNotExist();
        assertThat(calls).doesNotExist();
    }

    @Test
    void initRunsOnAllRequestedHosts() throws IOException {
        environment.put("HADOOP_SSH_OPTS", "-p 2222");

        assertThat(init(Map.of(), "--hosts", "client1.example.com", "--execute"))
                .isEqualTo(ExitCode.FINDING);

        List<String> lines = Files.readAllLines(calls);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .startsWith(
                        "ssh -p 2222 -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=10 -o ServerAliveCountMax=3"
                                + " host1.example.com /opt/hadoop/bin/hdfs --config " + configuration + " trefoil init"
                                + " --nameservice ns1")
                .endsWith(" --execute")
                .doesNotContain("--hosts", "--files-only");
        assertThat(lines.get(3)).contains(" client1.example.com ").endsWith(" --files-only --execute");
        assertThat(output)
                .contains("host1.example.com: Welcome", "host2.example.com: ssh to host2.example.com failed")
                .contains("not done, or with problems, on host2.example.com:");
        assertThat(configuration).isEmptyDirectory();

        createProgram("ssh", "exit 0");
        assertThat(init(Map.of(), "--hosts", "--execute")).isEqualTo(ExitCode.FINE);
        assertThat(output).contains("done on host1.example.com, host2.example.com, host3.example.com");
    }

    @Test
    void sshNeverPromptsAndEndsWhenHostDisconnects() throws IOException {
        environment.put("HADOOP_SSH_OPTS", "");

        init(Map.of(), "--hosts", "--execute");

        assertThat(Files.readAllLines(calls))
                .allSatisfy(line ->
                        assertThat(line).startsWith("ssh -o BatchMode=yes ").contains("-o ServerAliveInterval="));
    }

    @Test
    void keepsModifiedUnitNextToNewOne() throws IOException {
        init(Map.of(), "--execute");
        Path unit = units.resolve("hdfs-namenode.service");
        String ours = Files.readString(unit);
        String theirs = ours + "LimitNOFILE=1000000\n";
        Files.writeString(unit, theirs);

        assertThat(init(Map.of())).isEqualTo(ExitCode.FINE);
        assertThat(output).contains("-LimitNOFILE=1000000");
        assertThat(unit).hasContent(theirs);
        assertThat(init(Map.of(), "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(output).contains(unit + " changed; the old one is " + unit.toRealPath() + ".before-1");
        assertThat(unit).hasContent(ours);
        assertThat(units.resolve("hdfs-namenode.service.before-1")).hasContent(theirs);
        init(Map.of(), "--execute");
        assertThat(output).contains(unit + ": has it");
        assertThat(units).isDirectoryNotContaining("glob:**.before-2");
    }

    @Test
    void refusesMaskedUnitWithoutChanges() throws IOException {
        Path unit = Files.createSymbolicLink(units.resolve("trefoil-pool-node.service"), Path.of("/dev/null"));

        assertThat(init(Map.of(), "--execute")).isEqualTo(ExitCode.USAGE);

        assertThat(output).contains(unit + " is a link to /dev/null", "'systemctl unmask trefoil-pool-node.service'");
        assertThat(configuration).isEmptyDirectory();
    }

    @Test
    void newFilesAreReadableDespiteUmask() throws Exception {
        Path file = directory.resolve("probe.xml");
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "umask 077; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        NewSiteFile.class.getName(),
                        file.toString())
                .inheritIO()
                .start();

        assertThat(process.waitFor()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
    }

    /** Makes a file in a process of its own, as a umask is that of a process. */
    static final class NewSiteFile {
        private NewSiteFile() {}

        public static void main(String[] arguments) throws IOException {
            SiteFile.create(Path.of(arguments[0]), "<configuration/>");
        }
    }

    @Test
    void onlyRootInstallsUnits() {
        operator = "alice";

        assertThat(init(Map.of(), "--execute")).isEqualTo(ExitCode.USAGE);
        assertThat(output).contains("which only root may, and not alice: type it as root, or with --files-only");

        assertThat(init(Map.of(), "--execute", "--files-only")).isEqualTo(ExitCode.FINE);
        assertThat(configuration.resolve("core-site.xml")).exists();
        assertThat(calls).doesNotExist();
    }

    @Test
    void failedCommandStopsInitBeforeNextCommand() throws IOException {
        createProgram("install", "echo 'install: invalid user: hdfs'; exit 1");

        assertThat(init(Map.of(), "--execute")).isEqualTo(ExitCode.FINDING);

        assertThat(output).contains("install: invalid user: hdfs", "That failed");
        assertThat(calls).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nameservice|my.ns|--nameservice is a name of letters, digits and hyphens",
                "--namenodes|host1|--namenodes has two hosts or more",
                "--namenodes|host1,host1:9000|got 'host1' twice",
                "--namenodes|localhost,host2|by which all hosts find each other, got 'localhost'",
                "--namenodes|host1,host 2|--namenodes has hosts, as host1.example.com",
                "--zookeeper|zk1:70000|--zookeeper has ports between 1 and 65535",
                "--name-dirs|data/nn|--name-dirs has paths",
                "--journal-dir|/data/1/nn/ssp|are directories beside each other",
                "--user|a b|--user and --group are names of this host"
            })
    void refusesInvalidValueNamingOption(String option, String value, String expectedMessage) {
        assertThat(init(Map.of(option, value), "--execute")).isEqualTo(ExitCode.USAGE);
        assertThat(output).contains(expectedMessage);
        assertThat(configuration).isEmptyDirectory();
    }

    @Test
    void configurationDirectoryMustExist() {
        environment.remove("HADOOP_CONF_DIR");

        assertThat(init(Map.of())).isEqualTo(ExitCode.USAGE);
        assertThat(output).contains("HADOOP_CONF_DIR is not set");
    }
}
