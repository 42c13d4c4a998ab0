/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The requirements of the configuration on a NameNode's host, including its pool node. */
@AutoValue
public abstract class HostPlan {
    HostPlan() {}

    public static Builder builder() {
        return new AutoValue_HostPlan.Builder();
    }

    /** The NameNode's id in the configuration. */
    public abstract String nameNode();

    /** The addresses on which the NameNode listens, as {@code host:port}, keyed by the properties that set them. */
    public abstract Map<String, String> listeners();

    /** The pool nodes of other hosts, as {@code host:port}. */
    public abstract List<String> otherNodes();

    /** The web pages of the NameNodes on other hosts. */
    public abstract List<URI> otherPages();

    /** The sites of the journal's nodes, each by its {@code host:port}; empty for a node whose site is not configured. */
    public abstract Map<String, String> sites();

    /** The directory of the journal. */
    public abstract String journalDirectory();

    public abstract List<String> nameDirectories();

    /** The properties, keyed by the classes that they name. */
    public abstract Map<String, String> classes();

    /** The settings that the NameNode would refuse or misinterpret; empty if there are none. */
    public abstract List<SettingError> settingErrors();

    /** The ZooKeeper servers, as {@code host:port}; empty if failovers are manual. */
    public abstract List<String> zooKeepers();

    /** The Kerberos logins that the NameNode needs; empty without Kerberos. */
    public abstract List<Login> logins();

    /** A setting that is wrong or missing. */
    @AutoValue
    public abstract static class SettingError {
        SettingError() {}

        public static SettingError of(String text, String remedy) {
            return new AutoValue_HostPlan_SettingError(text, remedy);
        }

        /** The fault, with the NameNode's reaction to it. */
        public abstract String text();

        /** The remedy for the operator. */
        public abstract String remedy();
    }

    /** A login with a keytab. */
    @AutoValue
    public abstract static class Login {
        Login() {}

        public static Login of(String property, String principal, String keytab) {
            return new AutoValue_HostPlan_Login(property, principal, keytab);
        }

        /** The property that names the keytab. */
        public abstract String property();

        /** The principal, with the host name filled in. */
        public abstract String principal();

        /** The keytab file. */
        public abstract String keytab();
    }

    /** Builds a plan from its parts. */
    @AutoValue.Builder
    public interface Builder {
        Builder nameNode(String name);

        Builder listeners(Map<String, String> listeners);

        Builder otherNodes(List<String> nodes);

        Builder otherPages(List<URI> pages);

        Builder sites(Map<String, String> sites);

        Builder journalDirectory(String directory);

        Builder nameDirectories(List<String> directories);

        Builder classes(Map<String, String> classes);

        Builder settingErrors(List<SettingError> faults);

        Builder zooKeepers(List<String> servers);

        Builder logins(List<Login> logins);

        HostPlan build();
    }
}
