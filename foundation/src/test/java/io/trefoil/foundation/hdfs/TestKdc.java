/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.TestPorts;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.kerby.kerberos.kerb.admin.kadmin.local.LocalKadmin;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/**
 * A Kerberos of its own for one test: a KDC in this process, principals with keytabs, and Hadoop's security set to use
 * it until it is closed. One at a time in a process, because Hadoop's settings of security are the process's.
 */
public final class TestKdc implements Closeable {

    private final Path directory;
    private final MiniKdc kdc;

    public TestKdc(Path directory) throws Exception {
        this(directory, new MiniKdc(conf(), directory.toFile()), "");
    }

    /** With a port that no connection takes between its choice and the start of the KDC. */
    private static Properties conf() {
        Properties conf = MiniKdc.createConf();
        conf.setProperty(MiniKdc.KDC_PORT, String.valueOf(TestPorts.free()));
        return conf;
    }

    private TestKdc(Path directory, MiniKdc kdc, String defaults) throws Exception {
        this.directory = directory;
        this.kdc = kdc;
        kdc.start();
        Path file = kdc.getKrb5conf().toPath();
        Files.writeString(file, Files.readString(file).replace("[libdefaults]", "[libdefaults]\n" + defaults));
        reloadJdkConfiguration();
    }

    /**
     * One whose tickets are good for some seconds only, where clocks may differ by as many as that.
     *
     * @param lifetime whole seconds
     */
    public static TestKdc withShortLivedTickets(Path directory, Duration lifetime, Duration skew) throws Exception {
        Properties conf = conf();
        conf.setProperty(MiniKdc.MIN_TICKET_LIFETIME, "1");
        conf.setProperty(MiniKdc.MAX_TICKET_LIFETIME, Long.toString(lifetime.toSeconds()));
        return new TestKdc(
                directory, new MiniKdc(conf, directory.toFile()), "    clockskew = " + skew.toSeconds() + "\n");
    }

    /** Gives a principal new keys, of which its keytab knows nothing. */
    public void changeKeys(String name) throws Exception {
        kadmin().changePassword(principal(name), "another " + System.nanoTime());
    }

    /** Writes the keys that a principal has now into the place of its keytab. */
    public void writeKeytab(String name) throws Exception {
        Path file = directory.resolve(name.replace('/', '-') + ".keytab");
        Path written = directory.resolve("written.keytab");
        Files.deleteIfExists(written);
        kadmin().exportKeytab(written.toFile(), principal(name));
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The public way of {@code MiniKdc} only makes new principals. */
    private LocalKadmin kadmin() throws ReflectiveOperationException {
        Field server = MiniKdc.class.getDeclaredField("simpleKdc");
        server.setAccessible(true);
        return ((SimpleKdcServer) server.get(kdc)).getKadmin();
    }

    /** The JDK reads krb5.conf once in a process, perhaps that of another test; a login is the public way to have it read again. */
    private void reloadJdkConfiguration() throws Exception {
        Map<String, String> options = Map.of(
                "refreshKrb5Config", "true",
                "useKeyTab", "true",
                "doNotPrompt", "true",
                "keyTab", keytab("refresh"),
                "principal", principal("refresh"));
        AppConfigurationEntry entry = new AppConfigurationEntry(
                "com.sun.security.auth.module.Krb5LoginModule", LoginModuleControlFlag.REQUIRED, options);
        javax.security.auth.login.Configuration logins = new javax.security.auth.login.Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {entry};
            }
        };
        LoginContext login = new LoginContext("refresh", new Subject(), null, logins);
        login.login();
        login.logout();
    }

    /** A principal with its realm, as Hadoop's settings want it. */
    public String principal(String name) {
        return name + "@" + kdc.getRealm();
    }

    /** The file with the keys of new principals, such as {@code nn/localhost}. */
    public String keytab(String... names) throws Exception {
        Path file = directory.resolve(names[0].replace('/', '-') + ".keytab");
        kdc.createPrincipal(file.toFile(), names);
        return file.toString();
    }

    /** What tells a process where this KDC is. */
    public String jvmOption() {
        return "-Djava.security.krb5.conf=" + kdc.getKrb5conf();
    }

    /** Makes this process one that uses Kerberos, with the login of a new principal. */
    public void login(Configuration conf, String name) throws Exception {
        login(conf, name, keytab(name));
    }

    /** Makes this process one that uses Kerberos, with a server's own login. */
    public void login(Configuration conf, String name, String keytab) throws Exception {
        conf.set("hadoop.security.authentication", "kerberos");
        conf.set("hadoop.security.auth_to_local", "DEFAULT");
        KerberosName.resetDefaultRealm();
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(conf);
        UserGroupInformation.loginUserFromKeytab(principal(name), keytab);
    }

    /** A user who has a ticket, for {@code doAs}. */
    public UserGroupInformation user(String name) throws Exception {
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal(name), keytab(name));
    }

    @Override
    public void close() throws IOException {
        kdc.stop();
        System.clearProperty("java.security.krb5.conf");
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(new Configuration(false));
    }
}
