/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.ha.status.MemberObservation;
import java.io.IOException;

/**
 * A NameNode's group as shown on its page {@code /jmx}, even while the NameNode starts: its web server answers as soon as the process
 * exists, but automatic failover starts last, after the image is loaded. Immutable.
 */
public final class GroupBean {
    /** The bean of automatic failover ({@code io.trefoil.ha.hdfs.GroupMXBean}). */
    public static final String NAME = "Hadoop:service=NameNode,name=TrefoilGroup";

    /** A bean that HDFS registers when its services are running, just before it starts plugins. */
    private static final String SERVICES = "Hadoop:service=NameNode,name=NameNodeStatus";

    private static final String STARTUP = "Hadoop:service=NameNode,name=StartupProgress";
    private static final String RPC = "Hadoop:service=NameNode,name=RpcDetailedActivityForPort*";
    private static final String PLUGINS = "dfs.namenode.plugins";
    private static final String AGENT = "io.trefoil.ha.hdfs.MamsPlugin";
    private static final int PERCENT = 100;
    /** The number of health queries that may come from operators, who ask from time to time. */
    private static final long FEW = 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String problem;
    private final JsonNode bean;
    private final MemberObservation.Failover failover;

    private GroupBean(String problem, JsonNode bean, MemberObservation.Failover failover) {
        this.problem = problem;
        this.bean = bean;
        this.failover = failover;
    }

    /** Reads the page of one NameNode. */
    public interface JmxPage {
        /**
         * The beans of a name.
         *
         * @throws IOException if there is no answer, or one that is not this page
         */
        JsonNode beans(String name) throws IOException;
    }

    /** Reads the settings of one NameNode. */
    public interface ConfPage {
        /**
         * Returns the value on the page {@code /conf} of one setting, in whatever format.
         *
         * @throws IOException if there is no answer, or no such setting
         */
        String setting(String name) throws IOException;
    }

    /** Queries a NameNode: with one request if it reports, with a few more if it is starting or has no automatic failover. */
    public static GroupBean of(JmxPage page, ConfPage conf) throws IOException {
        JsonNode own = page.beans(NAME);
        if (own.size() > 0) {
            return read(own.get(0));
        }
        JsonNode services = page.beans(SERVICES);
        if (services.size() == 0) {
            double done = page.beans(STARTUP).path(0).path("PercentComplete").asDouble();
            return read(JSON.createObjectNode()
                    .put("Reason", "HDFS has done " + Math.round(PERCENT * done) + " percent of its start"));
        }
        // A start may have come to its plugins between the two questions.
        own = page.beans(NAME);
        if (own.size() > 0) {
            return read(own.get(0));
        }
        if (hasAgent(conf)) {
            return read(JSON.createObjectNode().put("Reason", "its plugins start"));
        }
        String role = services.path(0).path("State").asText();
        boolean isWatched = isWatchedByZkfc(page);
        return new GroupBean(
                "runs without automatic failover by Trefoil" + (isWatched ? ", beside a ZKFC" : "")
                        + (role.isEmpty() ? "" : ", and HDFS calls it " + role),
                JSON.createObjectNode(),
                isWatched ? MemberObservation.Failover.ZKFC : MemberObservation.Failover.NONE);
    }

    /** Whether the agent is configured: it starts after the services, and a NameNode whose agent fails exits. */
    private static boolean hasAgent(ConfPage conf) {
        try {
            return conf.setting(PLUGINS).contains(AGENT);
        } catch (IOException notSet) {
            return false;
        }
    }

    /** Whether a ZKFC is in charge: only a ZKFC queries a NameNode's health every second. */
    private static boolean isWatchedByZkfc(JmxPage page) throws IOException {
        long asked = 0;
        for (JsonNode port : page.beans(RPC)) {
            asked += port.path("MonitorHealthNumOps").asLong();
        }
        return asked > FEW;
    }

    /** Describes a NameNode that reports nothing, with the reason. */
    public static GroupBean silent(String problem) {
        return new GroupBean(problem, JSON.createObjectNode(), MemberObservation.Failover.TREFOIL);
    }

    /** Wraps a bean that was read before. */
    public static GroupBean read(JsonNode bean) {
        return new GroupBean("", bean, MemberObservation.Failover.TREFOIL);
    }

    /** Returns why the NameNode reports nothing; empty if it reports or is starting. */
    public String failureReason() {
        return problem;
    }

    /** Whether the NameNode will report when it has started; {@code Reason} of the bean shows its progress. */
    public boolean isStarting() {
        return problem.isEmpty() && !bean.has("State");
    }

    /** The component that decides whether the NameNode is active, as far as its page shows. */
    MemberObservation.Failover failover() {
        return failover;
    }

    /** The bean's attributes; empty if it reports nothing. */
    public JsonNode bean() {
        return bean;
    }

    /** An attribute that is itself a JSON document; without fields if there is none. */
    public JsonNode document(String attribute) {
        try {
            return JSON.readTree(bean.path(attribute).asText("{}"));
        } catch (IOException e) {
            return JSON.createObjectNode();
        }
    }
}
