/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.hdfs.TestKdc;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.process.ToolResult;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Kerberos as {@code docs/operating/security.md} sets it up and tries it: settings, files and commands are those of the
 * page's blocks. Only the places of the keytabs differ, and every host is this one. Its KDC runs in this process until it is
 * closed; one at a time.
 */
public final class KerberosSetUp implements Closeable {
    private static final String STEPS = "With Kerberos, step by step";
    private static final String WRITING = "Commands that write the journal";
    private static final String WEB_PAGES = "Web pages with Kerberos";
    private static final String ZOOKEEPER = "ZooKeeper";

    private static final String NAME_NODE = "nn/localhost";
    private static final String DIRECTORY = "/etc/security/keytabs/";
    private static final Pattern LOGIN_FILE = Pattern.compile("-Djava\\.security\\.auth\\.login\\.config=(\\S+)");

    private final TestKdc kdc;
    private final Path directory;
    private final OperatorsPage page;
    private final Map<String, String> keytabs;

    private KerberosSetUp(TestKdc kdc, Path directory, OperatorsPage page, Map<String, String> keytabs) {
        this.kdc = kdc;
        this.directory = directory;
        this.page = page;
        this.keytabs = keytabs;
    }

    /**
     * Starts a KDC, makes the principals that the page names, and has this process use Kerberos, with the NameNodes' own ticket.
     *
     * @param directory for keytabs and what else there is to keep
     */
    public static KerberosSetUp setUpAsDocumented(Path directory) throws Exception {
        return setUpAsDocumented(new TestKdc(directory), directory);
    }

    /**
     * The same with a KDC that runs already, and is closed with this.
     *
     * @param directory of the KDC
     */
    public static KerberosSetUp setUpAsDocumented(TestKdc kdc, Path directory) throws Exception {
        try {
            Map<String, String> keytabs = Map.of(
                    DIRECTORY + "nn.keytab", kdc.keytab(NAME_NODE),
                    DIRECTORY + "dn.keytab", kdc.keytab("dn/localhost"),
                    DIRECTORY + "spnego.keytab", kdc.keytab("HTTP/localhost", "HTTP/127.0.0.1"));
            kdc.login(new Configuration(false), NAME_NODE, keytabs.get(DIRECTORY + "nn.keytab"));
            return new KerberosSetUp(kdc, directory, OperatorsPage.read("security.md"), new HashMap<>(keytabs));
        } catch (Exception e) {
            kdc.close();
            throw e;
        }
    }

    /** A new user, who has a ticket; for {@code doAs}. */
    public UserGroupInformation createUser(String name) throws Exception {
        return kdc.user(name);
    }

    @Override
    public void close() throws IOException {
        kdc.close();
    }

    public OperatorsPage page() {
        return page;
    }

    /**
     * The settings of the first section. Commands on all hosts have the NameNodes' own ticket.
     *
     * @param administrators members of the page's group of administrators
     */
    public HaClusterBuilder kerberos(HaClusterBuilder builder, String... administrators) {
        page.properties(STEPS).forEach((key, value) -> builder.property(key, translate(value)));
        assertThat(page.properties(STEPS).get("dfs.cluster.administrators")).endsWith(" hdfs-admins");
        return builder.jvmOption(kdc.jvmOption())
                .property(
                        "hadoop.user.group.static.mapping.overrides",
                        String.join("=hdfs-admins;", administrators) + "=hdfs-admins;hdfs=hdfs")
                // DFSHAAdmin sets it by itself; the harness talks to NameNodes without it.
                .property("hadoop.security.service.user.name.key", kdc.principal("nn/_HOST"))
                // DataNodes of a user other than root have neither a privileged port nor, here, a certificate.
                .property("ignore.secure.ports.for.testing", "true")
                .commandEnvironment(runLogin(page.section(WRITING).get(0)));
    }

    /** The settings of the section on web pages: only administrators read metrics. */
    public HaClusterBuilder webPages(HaClusterBuilder builder) {
        page.properties(WEB_PAGES).forEach((key, value) -> builder.property(key, translate(value)));
        return builder;
    }

    /** The settings and files of the section on ZooKeeper. */
    public HaClusterBuilder zooKeeper(HaClusterBuilder builder) throws Exception {
        Matcher file = LOGIN_FILE.matcher(page.blockContaining(ZOOKEEPER, "export HDFS_NAMENODE_OPTS"));
        assertThat(file.find()).isTrue();
        Path logins = directory.resolve(Path.of(file.group(1)).getFileName());
        // ZooKeeper's own section follows its documentation.
        String server = "Server { com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true"
                + " useTicketCache=false keyTab=\"" + kdc.keytab("zookeeper/localhost") + "\" principal=\""
                + kdc.principal("zookeeper/localhost") + "\"; };\n";
        Files.writeString(logins, server + translate(page.blockContaining(ZOOKEEPER, "Client {")));
        builder.jvmOption(file.group().replace(file.group(1), logins.toString()));
        page.properties(ZOOKEEPER).forEach(builder::property);
        page.blockContaining(ZOOKEEPER, "authProvider.")
                .lines()
                .forEach(line -> builder.jvmOption("-Dzookeeper." + line));
        return builder;
    }

    /** The settings of a section for JournalNodes; commands have the ticket that the same section logs in for. */
    HaClusterBuilder journalNodes(HaClusterBuilder builder, OperatorsPage migration, String section) throws Exception {
        keytabs.put(DIRECTORY + "jn.keytab", kdc.keytab("jn/localhost"));
        migration.properties(section).forEach((key, value) -> builder.property(key, translate(value)));
        return builder.commandEnvironment(runLogin(migration.section(section).get(0)));
    }

    /**
     * YARN with Kerberos as Hadoop's documentation describes it. Containers are processes of the NodeManager's user;
     * they know the realm, which Hadoop demands, but no KDC: they have only tokens.
     */
    public HaClusterBuilder yarn(HaClusterBuilder builder) throws Exception {
        String noTickets = "-Djava.security.krb5.realm=EXAMPLE.COM -Djava.security.krb5.kdc=nowhere.invalid";
        return builder.withYarn()
                .property("yarn.app.mapreduce.am.admin-command-opts", noTickets)
                .property("mapreduce.admin.map.child.java.opts", noTickets)
                .property("mapreduce.admin.reduce.child.java.opts", noTickets)
                .property("yarn.resourcemanager.principal", kdc.principal("rm/_HOST"))
                .property("yarn.resourcemanager.keytab", kdc.keytab("rm/localhost"))
                .property("yarn.nodemanager.principal", kdc.principal("nm/_HOST"))
                .property("yarn.nodemanager.keytab", kdc.keytab("nm/localhost"));
    }

    /** Types the page's commands that try a cluster, as the users that they name or as another user. */
    public List<ToolResult> runTrialCommandsAs(HaCluster cluster, String user) throws Exception {
        List<Command> commands = page.section(STEPS);
        assertThat(commands.get(0).text()).isEqualTo("kinit operator@EXAMPLE.COM");
        Map<String, String> login = loginOf(user);
        List<ToolResult> results = new ArrayList<>();
        for (Command command : commands.subList(1, commands.size())) {
            List<String> words = Arrays.asList(command.text().split(" "));
            assertThat(words.get(0)).isEqualTo("hdfs");
            results.add(cluster.hdfsAs(
                    login, words.get(1), words.subList(2, words.size()).toArray(String[]::new)));
        }
        return results;
    }

    /** The variables by which Hadoop logs a process in, for a new principal. */
    public Map<String, String> loginOf(String name) throws Exception {
        return Map.of("KRB5PRINCIPAL", kdc.principal(name), "KRB5KEYTAB", kdc.keytab(name));
    }

    private Map<String, String> runLogin(Command command) {
        Matcher kinit = Pattern.compile("sudo -u hdfs kinit -kt (\\S+) (\\S+)").matcher(translate(command.text()));
        assertThat(kinit.matches()).as(command.text()).isTrue();
        return Map.of("KRB5PRINCIPAL", kinit.group(2), "KRB5KEYTAB", kinit.group(1));
    }

    private String translate(String text) {
        String translated = text.replace("host1.example.com", "localhost");
        for (Map.Entry<String, String> keytab : keytabs.entrySet()) {
            translated = translated.replace(keytab.getKey(), keytab.getValue());
        }
        return translated;
    }
}
