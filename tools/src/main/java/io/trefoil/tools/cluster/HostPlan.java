/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** What the configuration requires of a NameNode's host, including the pool node in it. */
@AutoValue
public abstract class HostPlan {
    HostPlan() {}

    public static Builder builder() {
        return new AutoValue_HostPlan.Builder();
    }

    /** The NameNode's id in the configuration. */
    public abstract String nameNode();

    /** Where it listens, as {@code host:port}, by the properties that say so. */
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

    /** The properties, by the classes that they name. */
    public abstract Map<String, String> classes();

    /** What the NameNode would refuse, or do otherwise than expected, because of its settings; empty if nothing. */
    public abstract List<Fault> faults();

    /** The ZooKeeper servers, as {@code host:port}; empty if failovers are manual. */
    public abstract List<String> zooKeepers();

    /** The Kerberos logins that the NameNode needs; empty without Kerberos. */
    public abstract List<Login> logins();

    /** A setting that is wrong or missing. */
    @AutoValue
    public abstract static class Fault {
        Fault() {}

        public static Fault of(String text, String remedy) {
            return new AutoValue_HostPlan_Fault(text, remedy);
        }

        /** What was found, and what the NameNode makes of it. */
        public abstract String text();

        /** What to do. */
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

        /** With the name of the host filled in. */
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

        Builder faults(List<Fault> faults);

        Builder zooKeepers(List<String> servers);

        Builder logins(List<Login> logins);

        HostPlan build();
    }
}
